"""Presets: every form once, as a scenario that shows what is special about it."""

from dataclasses import dataclass

from app.language.words import words_of
from app.scenario.opening import NEWLY_DRAWN


@dataclass(frozen=True, slots=True)
class Preset:
    """A form: its name in the catalogues (``form.<name>.title``, ``.text``), the fields that make it, the step to look at."""

    name: str
    fields: tuple[tuple[str, str], ...]
    at: str


def _preset(name: str, at: str, **fields: str) -> Preset:
    return Preset(name, tuple(fields.items()), at)


_LAYER = {"n_layers": "1", "mask": "causal"}

PRESETS: dict[str, tuple[Preset, ...]] = {
    "mask": (
        _preset("none", "mask"),
        _preset("causal", "mask", mask="causal"),
        _preset("sliding_window", "mask", mask="sliding_window", window="3"),
        _preset("two_sided", "mask", mask="sliding_window", window="1", two_sided="yes"),
        _preset("padding", "mask", mask="padding", padding="1111100"),
        _preset("prefix", "mask", mask="prefix", prefix="3"),
        _preset("dilated", "mask", mask="dilated", window="3", dilation="2"),
        _preset("global", "mask", mask="global", window="1", n_global="1"),
        _preset("block", "mask", mask="block", block="3"),
        _preset("after", "weights_cut", mask="causal", mask_place="after"),
    ),
    "position": (
        _preset("sinusoidal", "pos", position="sinusoidal", d_model="8"),
        _preset("learned", "pos", position="learned"),
        _preset("rope", "q_rot", position="rope", d_model="8", n_heads="1"),
        _preset("rope_interleaved", "q_rot", position="rope_interleaved", d_model="8", n_heads="1"),
        _preset("alibi", "bias", position="alibi", mask="causal"),
        _preset("relative", "rel_scores", position="relative", max_distance="2"),
        _preset("t5", "bias", position="t5", scale="none"),
    ),
    "heads": (
        _preset("multi_head", "weights", d_model="8", n_heads="4"),
        _preset("grouped", "weights", d_model="8", n_heads="4", n_kv_heads="2"),
        _preset("multi_query", "weights", d_model="8", n_heads="4", n_kv_heads="1"),
        _preset("head_off", "out", d_model="8", n_heads="4", heads_off="1"),
    ),
    "scores": (
        _preset("temperature", "weights", temperature="0.3"),
        _preset("softcap", "capped", softcap="2"),
        _preset("qk_norm", "q_norm", qk_norm="yes"),
        _preset("inside", "exponentials", inside="yes"),
        _preset("sink", "weights", sink="yes"),
        _preset("division", "weights", normalizer="division", scale="none"),
    ),
    "block": (
        _preset("cross", "weights", text_k=""),
        _preset("pre_norm", "layer.0.after_ffn", **_LAYER),
        _preset("post_norm", "layer.0.norm_2.scaled_norm", **_LAYER, norm_place="post"),
        _preset("modern", "layer.0.gated", **_LAYER, norm="rms_norm", activation="swiglu", position="rope", d_model="8"),
        _preset("deep", "layer.1.scores", n_layers="2", mask="causal"),
        _preset("experts", "layer.0.gates", **_LAYER, n_experts="4", top_k="2"),
    ),
    "mechanism": (
        _preset("tiled", "tile.0.1.acc", mechanism="tiled", tile_q="3", tile_k="3"),
        _preset("linear", "weights", mechanism="linear"),
        _preset("recurrent", "token.6.state", mechanism="linear", linear_form="recurrent", mask="causal", d_model="8"),
        _preset("state_space", "contributions", mechanism="state_space"),
        _preset("convolution", "toeplitz", mechanism="state_space", ssm_form="convolution"),
        _preset("selective", "contributions", mechanism="state_space", selective="yes"),
        _preset("cached", "token.6.k", mechanism="cached", mask="causal"),
    ),
}
"""All forms in the order in which a teacher would show them, by group."""


def fields_of(preset: Preset, lang: str) -> list[tuple[str, str]]:
    """The fields of a preset with a sentence in the reader's language."""
    second = words_of(lang)("example.second")
    given = [(name, second if name == "text_k" else text) for name, text in preset.fields]
    return [("text", sentence(lang)), *given, NEWLY_DRAWN]


def sentence(lang: str) -> str:
    """The sentence of seven words on which every form is shown, in the reader's language."""
    return words_of(lang)("example.forms")
