"""What must hold of the forms whatever the sentence is, asked over HTTP."""

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.support.asking import Api, Json, same, step, values

WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "it"]
TEXT = " ".join(WORDS)
CAUSAL: dict[str, Json] = {
    "plain": {},
    "grouped": {"d_model": 8, "n_heads": 4, "n_kv_heads": 2},
    "sinusoidal": {"position": "sinusoidal"},
    "learned": {"position": "learned"},
    "rope": {"position": "rope"},
    "rope_interleaved": {"position": "rope_interleaved"},
    "alibi": {"position": "alibi"},
    "relative": {"position": "relative", "max_distance": 2},
    "t5": {"position": "t5"},
    "temperature": {"temperature": 0.3},
    "softcap": {"softcap": 2},
    "qk_norm": {"qk_norm": "yes"},
    "inside": {"inside": "yes"},
    "sink": {"sink": "yes"},
    "division": {"normalizer": "division", "scale": "none"},
    "pre_norm": {"n_layers": 2},
    "post_norm": {"n_layers": 2, "norm_place": "post"},
    "modern": {"n_layers": 1, "norm": "rms_norm", "activation": "swiglu", "position": "rope"},
    "experts": {"n_layers": 1, "n_experts": 4},
    "tiled": {"mechanism": "tiled", "tile_q": 2, "tile_k": 3},
    "tiled layer": {"mechanism": "tiled", "n_layers": 1},
    "linear": {"mechanism": "linear"},
    "recurrent": {"mechanism": "linear", "linear_form": "recurrent"},
    "cached": {"mechanism": "cached"},
    "state_space": {"mechanism": "state_space"},
    "convolution": {"mechanism": "state_space", "ssm_form": "convolution"},
    "selective": {"mechanism": "state_space", "selective": "yes"},
}
DIFFERENCES = {
    "rope": ["rope_distance"],
    "rope_interleaved": ["rope_distance"],
    "tiled": ["tiled_difference"],
    "linear": ["linear_difference"],
    "recurrent": ["linear_difference"],
    "cached": ["cache_difference", "cache_past"],
    "state_space": ["ssm_difference", "ssm_left"],
    "convolution": ["ssm_difference"],
    "selective": ["no_convolution", "ssm_left"],
}
"""The facts that say how far two ways of computing are apart."""


def last(sheet: Json) -> npt.NDArray[np.float64]:
    """What the last layer hands on, or attention's own output."""
    names = [made["name"] for made in sheet["steps"]]
    n_layers = sheet["scenario"]["n_layers"]
    end = "after_ffn" if sheet["scenario"]["norm_place"] == "pre" else "norm_2.scaled_norm"
    name = f"layer.{n_layers - 1}.{end}" if n_layers else "out"
    assert names.index(name) > 0
    return values(sheet, name)


def differences(sheet: Json) -> dict[str, float]:
    """The facts that end on a difference, as numbers."""
    power = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    found = {}
    for notice in sheet["notices"]:
        if number := re.search(r"(?i:difference|change)\b.*?([\d.]+)(?:×10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))?\)?\.(?: |$)", notice["text"]):
            found[notice["code"]] = float(f"{number[1]}e{(number[2] or '⁰').translate(power)}")
    return found


@pytest.mark.parametrize("name", CAUSAL)
def test_the_future_cannot_change_the_past(api: Api, name: str) -> None:
    """To the last bit: another last word, and all rows before it stay as they are."""
    one = last(api.sheet(text=TEXT, mask="causal", **CAUSAL[name]))
    for other_word in ("elephant", "the"):
        two = last(api.sheet(text=" ".join([*WORDS[:-1], other_word]), mask="causal", **CAUSAL[name]))
        assert one[:-1].tolist() == two[:-1].tolist()
        assert one[-1].tolist() != two[-1].tolist()


@pytest.mark.parametrize("name", CAUSAL)
def test_two_ways_of_computing_are_printed_to_agree(api: Api, name: str) -> None:
    sheet = api.sheet(text=TEXT, mask="causal", **CAUSAL[name])
    codes = [notice["code"] for notice in sheet["notices"]]
    assert set(DIFFERENCES.get(name, [])) <= set(codes)
    found = differences(sheet)
    assert all(found[code] < 1e-9 for code in DIFFERENCES.get(name, []) if code != "no_convolution")
    assert all(check["ok"] for check in sheet["checks"])


@pytest.mark.parametrize("mask", ["none", "causal", "prefix", "block"])
def test_they_agree_under_other_masks_too(api: Api, mask: str) -> None:
    assert differences(api.sheet(text=TEXT, mask=mask, prefix=3, **CAUSAL["tiled"]))["tiled_difference"] < 1e-9
    linear = api.sheet(text=TEXT, mask=mask, prefix=3, **CAUSAL["linear"])
    if mask in ("none", "causal"):
        assert differences(linear)["linear_difference"] < 1e-9
    else:
        assert "no_other_form" in [notice["code"] for notice in linear["notices"]]


@pytest.mark.parametrize("mechanism", ["attention", "tiled", "linear"])
def test_a_window_as_long_as_the_sentence_is_causal(api: Api, mechanism: str) -> None:
    causal = api.sheet(text=TEXT, mask="causal", mechanism=mechanism)
    for window in (len(WORDS), len(WORDS) + 9, 64):
        wide = api.sheet(text=TEXT, mask="sliding_window", window=window, mechanism=mechanism)
        assert wide["steps"] == causal["steps"]
    narrow = api.sheet(text=TEXT, mask="sliding_window", window=len(WORDS) - 1, mechanism=mechanism)
    assert values(narrow, "out")[:-1].tolist() == values(causal, "out")[:-1].tolist()
    assert values(narrow, "out")[-1].tolist() != values(causal, "out")[-1].tolist()


@pytest.mark.parametrize("more", [{}, {"position": "rope"}, {"mechanism": "tiled"}, {"mechanism": "linear"}, {"n_layers": 2}])
def test_as_many_shared_heads_as_query_heads_share_nothing(api: Api, more: Json) -> None:
    plain = api.sheet(text=TEXT, d_model=8, n_heads=4, **more)
    assert api.sheet(text=TEXT, d_model=8, n_heads=4, n_kv_heads=4, **more) == plain
    assert last(api.sheet(text=TEXT, d_model=8, n_heads=4, n_kv_heads=2, **more)).tolist() != last(plain).tolist()


@pytest.mark.parametrize("mask", ["none", "causal", "sliding_window", "dilated"])
def test_tiles_of_any_size_give_the_plain_answer(api: Api, mask: str) -> None:
    plain = api.sheet(text=TEXT, mask=mask, n_heads=2, n_kv_heads=1)
    for tile_q, tile_k in ((1, 1), (2, 3), (3, 2), (7, 1), (1, 7), (5, 5), (64, 64)):
        tiled = api.sheet(text=TEXT, mask=mask, n_heads=2, n_kv_heads=1, mechanism="tiled", tile_q=tile_q, tile_k=tile_k)
        assert same(values(tiled, "z"), values(plain, "z"), 1e-12)
        assert same(values(tiled, "out"), values(plain, "out"), 1e-12)


@pytest.mark.parametrize(("i", "j"), [(0, 0), (1, 1), (2, 0), (2, 1)])
def test_a_tile_is_labelled_by_its_own_words(api: Api, i: int, j: int) -> None:
    sheet = api.sheet(text=TEXT, mechanism="tiled", tile_q=3, tile_k=4, mask="causal")
    scores = step(sheet, f"tile.{i}.{j}.masked")
    assert scores["labels"][1:] == [WORDS[3 * i : 3 * i + 3], WORDS[4 * j : 4 * j + 4]]
    whole = values(api.sheet(text=TEXT, mask="causal"), "masked")
    assert same(values(sheet, f"tile.{i}.{j}.masked"), whole[:, 3 * i : 3 * i + 3, 4 * j : 4 * j + 4])
    assert step(sheet, f"tile.{i}.z")["labels"][1] == step(sheet, f"tile.{i}.start.m")["labels"][1] == WORDS[3 * i : 3 * i + 3]


@pytest.mark.parametrize("mask", ["none", "causal"])
@pytest.mark.parametrize("n_layers", [0, 2])
def test_the_recurrent_form_gives_the_quadratic_answer(api: Api, mask: str, n_layers: int) -> None:
    fields = {"text": TEXT, "mask": mask, "mechanism": "linear", "n_layers": n_layers}
    quadratic, recurrent = (api.sheet(**fields, linear_form=form) for form in ("quadratic", "recurrent"))
    assert same(last(recurrent), last(quadratic), 1e-12)


@pytest.mark.parametrize("rule", ["zoh", "simplified"])
def test_the_convolution_gives_the_answer_of_the_scan(api: Api, rule: str) -> None:
    fields = {"text": TEXT, "mechanism": "state_space", "ssm_rule": rule, "delta": 0.2, "n_channels": 3, "d_state": 2}
    scan, convolution = (api.sheet(**fields, ssm_form=form) for form in ("scan", "convolution"))
    assert same(values(convolution, "y"), values(scan, "y"), 1e-12)
    assert same(values(scan, "contributions").sum(axis=1), values(scan, f"token.{len(WORDS) - 1}.h")[:, 0], 1e-12)


@pytest.mark.parametrize("window", [1, 3, 7])
def test_a_cached_step_is_the_row_of_the_whole_pass(api: Api, window: int) -> None:
    fields = {"text": TEXT, "mask": "sliding_window", "window": window, "d_model": 8, "n_heads": 4, "n_kv_heads": 2}
    cached, whole = api.sheet(**fields, mechanism="cached"), api.sheet(**fields)
    assert same(values(cached, "out"), values(whole, "out"), 1e-12)
    for token in range(len(WORDS)):
        kept = step(cached, f"token.{token}.k")
        assert kept["labels"][1] == WORDS[: token + 1]
        assert step(cached, f"token.{token}.q")["labels"][1] == [WORDS[token]]
        assert same(values(cached, f"token.{token}.k"), values(whole, "k")[:, : token + 1], 1e-12)


@pytest.mark.parametrize("mechanism", ["attention", "tiled", "linear", "cached"])
@pytest.mark.parametrize("mask", ["none", "causal", "sliding_window", "prefix"])
def test_padding_is_hidden_as_well(api: Api, mask: str, mechanism: str) -> None:
    if (mask, mechanism) in (("none", "cached"), ("prefix", "cached")):
        return  # a cache holds no future
    real = [1, 1, 1, 0, 1, 0, 0]
    plain, padded = (api.sheet(text=TEXT, mask=mask, mechanism=mechanism, **more) for more in ({}, {"padding": "1110100"}))
    assert values(padded, "mask").tolist() == (values(plain, "mask") * real).tolist()
    words = [word if bit else "zebra" for word, bit in zip(WORDS, real, strict=True)]
    other = api.sheet(text=" ".join(words), mask=mask, mechanism=mechanism, padding="1110100")
    kept = [row for row, bit in enumerate(real) if bit]
    assert same(values(other, "out")[kept], values(padded, "out")[kept], 1e-12)
    assert not same(values(plain, "out")[kept], values(padded, "out")[kept])


def test_a_padding_mask_hides_the_same_cells_by_itself(api: Api) -> None:
    alone = api.sheet(text=TEXT, mask="padding", padding="1111100")
    assert values(alone, "mask").tolist() == [[1, 1, 1, 1, 1, 0, 0]] * 7
    assert alone["steps"] == api.sheet(text=TEXT, padding="1111100")["steps"]


@pytest.mark.parametrize("n_kv_heads", [4, 2])
def test_a_head_that_is_off_takes_its_own_part_out_of_the_output(api: Api, n_kv_heads: int) -> None:
    fields: Json = {"text": TEXT, "d_model": 8, "n_heads": 4, "n_kv_heads": n_kv_heads}
    whole = api.sheet(**fields)
    z, w_o, out = (values(whole, name) for name in ("z", "w_o", "out"))
    parts = [z[head] @ w_o[2 * head : 2 * head + 2] for head in range(4)]
    for off in ([0], [3], [1, 2], [0, 1, 2, 3]):
        sheet = api.sheet(**fields, heads_off=off)
        assert same(values(sheet, "out"), out - sum(parts[head] for head in off), 1e-12)
        assert values(sheet, "weights").tolist() == values(whole, "weights").tolist()
        told = [notice["text"] for notice in sheet["notices"] if notice["code"] == "head_off"]
        for text, head in zip(told, off, strict=True):
            said = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]
            assert said[0] == head + 1
            assert said[1] == pytest.approx(np.abs(parts[head]).max(), abs=0.0006)


@pytest.mark.parametrize("more", [{}, {"mechanism": "tiled"}, {"mechanism": "linear"}, {"n_layers": 2}, {"position": "alibi"}])
@pytest.mark.parametrize("second", ["a bird sings", "one two three four five six seven eight nine"])
def test_a_second_sentence_gives_the_keys_and_their_names(api: Api, second: str, more: Json) -> None:
    sheet = api.sheet(text=TEXT, text_k=second, **more)
    words = second.split()
    for made in sheet["steps"]:
        for axis, labels in zip(made["axes"], made["labels"], strict=True):
            if axis == "key":
                assert labels == words or (len(labels) < len(words) and set(labels) <= set(words)), made["name"]
            if axis == "query":
                assert set(labels) <= set(WORDS)
    assert step(sheet, "x_k")["labels"][0] == words
    assert len(last(sheet)) == len(WORDS)


def test_the_classic_mistake_prints_sums_that_are_not_1(api: Api) -> None:
    sheet = api.sheet(text=TEXT, mask="causal", mask_place="after")
    sums = values(sheet, "weights_cut").sum(axis=-1)
    for head, notice in enumerate(notice for notice in sheet["notices"] if notice["code"] == "cut_sums"):
        printed = re.findall(r"\d+(?:\.\d+)?", notice["text"].partition(":")[2])[: len(WORDS)]
        assert np.allclose([float(number) for number in printed], sums[head], atol=0.0006)
    assert (sums[:, :-1] < 0.999).any()
    assert same(values(sheet, "weights").sum(axis=-1), np.ones((2, len(WORDS))))


def test_the_mask_counts_its_cells_also_after_an_edit(api: Api) -> None:
    for more, allowed in (({}, 28), ({"edits": "mask[6,0]=0;mask[6,1]=0"}, 26), ({"padding": "0111111"}, 21)):
        sheet: Any = api.sheet(text=TEXT, mask="causal", **more)
        [told] = [notice["text"] for notice in sheet["notices"] if notice["code"] == "mask_cells"]
        assert [int(number) for number in re.findall(r"\d+", told)] == [allowed, 49 - allowed]
        assert values(sheet, "mask").sum() == allowed


def test_experts_are_given_the_words_that_chose_them(api: Api) -> None:
    sheet = api.sheet(text=TEXT, n_layers=1, n_experts=4, top_k=2)
    chosen = values(sheet, "layer.0.chosen")
    assert chosen.sum(axis=1).tolist() == [2] * len(WORDS)
    idle = [notice["text"] for notice in sheet["notices"] if notice["code"] == "expert_idle"]
    for expert in range(4):
        words = [word for word, bit in zip(WORDS, chosen[:, expert], strict=True) if bit]
        assert values(sheet, "layer.0.load")[expert, 0] == len(words)
        if words:
            assert step(sheet, f"layer.0.expert.{expert}.routed")["labels"][0] == words
        assert any(f"expert {expert + 1}" in text for text in idle) == (not words)


def test_what_is_counted_from_0_is_labelled_from_0(api: Api) -> None:
    turned = api.sheet(text=TEXT, position="rope")
    assert step(turned, "angles")["labels"][0] == [str(place) for place in values(turned, "angles")[:, 0].astype(int)]
    relative = api.sheet(text=TEXT, position="relative", max_distance=1)
    assert step(relative, "rel_k")["labels"][0] == ["0", "1", "2"]
    assert step(api.sheet(text=TEXT, position="t5"), "rel_table")["labels"][0] == ["0", "1", "2", "3"]
    kernel = api.sheet(text=TEXT, mechanism="state_space", ssm_form="convolution")
    assert "after 6 steps" in api.why(kernel["query"], "kernel", 0, 6, 0)["name"]


def test_what_goes_on_is_about_the_same_cell(api: Api) -> None:
    """Four experts and a width of four: a gate is no component of the answer."""
    query = api.sheet(text=TEXT, n_layers=1, n_experts=4, d_model=4)["query"]
    assert api.why(query, "layer.0.gates", 6, 0)["onward"] == []
    onward = api.why(query, "layer.0.router_logits", 6, 0)["onward"]
    assert [term["step"] for term in onward][:1] == ["layer.0.router_probs"]
