"""The glossary: words, formulas and axes for every step that the mathematics can name, and for no others."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import latex2mathml.converter
import numpy as np
import numpy.typing as npt
import pytest

from app.core import attention, positions
from app.core.heads import merge_heads
from app.core.layers.block import stack
from app.core.layers.layer import LayerForm, layer, layer_shapes
from app.core.mechanisms import cache as kv_cache
from app.core.mechanisms import linear, state_space
from app.core.mechanisms.tiled import tiled_attention
from app.core.record.array import Array, given, parameter
from app.core.record.trace import Trace
from app.core.variants import Form, qk_norm
from app.drawing.formulas import formula_html
from app.drawing.theme import HUES
from app.glossary import GLOSSARY, TOKENS, base_of, entry_of
from app.glossary.entry import Entry
from app.language.words import LANGUAGES, words_of
from app.sheet.formula import formula_of
from app.sheet.steps import core_of

N, D_MODEL, HEADS, KV_HEADS, D_HEAD, D_V = 3, 5, 4, 2, 6, 7
NUMBERS = np.random.default_rng(1)


def draw(*shape: int) -> npt.NDArray[Any]:
    return NUMBERS.normal(size=shape)


def learn(t: Trace, **shapes: tuple[int, ...]) -> None:
    for name, shape in shapes.items():
        setattr(t, name, parameter(draw(*shape)))


def causal() -> Array:
    return given(np.tri(N, dtype=bool))


def started(position: str = "none") -> tuple[Trace, Array]:
    """A trace with vectors, their positions and the matrices of q, k and v."""
    t = Trace()
    t.x = x = given(draw(N, D_MODEL))
    if position == "learned":
        learn(t, pos_table=(9, D_MODEL))
        t.pos = positions.learned(t.pos_table, N)
    elif position == "sinusoidal":
        t.pos = positions.sinusoidal(N, D_MODEL)
    if position != "none":
        t.x_pos = x = t.x + t.pos
    learn(t, w_q=(D_MODEL, HEADS * D_HEAD), w_k=(D_MODEL, KV_HEADS * D_HEAD), w_v=(D_MODEL, KV_HEADS * D_V))
    return t, x


def projected(position: str = "none") -> Trace:
    t, x = started(position)
    attention.project(t, x, HEADS, KV_HEADS)
    return t


def ended(t: Trace) -> Trace:
    attention.combine(t, parameter(draw(HEADS * D_V, D_MODEL)))
    return t


def attended(position: str = "none", scale: str | float = "sqrt", normalizer: str = "softmax", **form: Any) -> Trace:
    t = projected(position if position in ("learned", "sinusoidal") else "none")
    if form.pop("qk_norm", False):
        gammas = [parameter(draw(D_HEAD)), parameter(draw(D_HEAD))] if form.pop("gamma", False) else []
        qk_norm(t, 1e-6, *gammas)
    if position == "relative":
        learn(t, rel_k=(5, D_HEAD), rel_v=(5, D_V))
    if position == "t5":
        learn(t, rel_table=(8, HEADS))
    if position in positions.BETWEEN:
        positions.act_between(t, position)
    sink = parameter(draw(HEADS, 1)) if form.pop("sink", False) else None
    attention.attend(t, causal(), Form(scale, normalizer, sink=sink, **form))
    return ended(t)


def two_sentences() -> Trace:
    """The names of a second sentence, with each kind of position."""
    t = Trace()
    t.x_k = given(draw(N, D_MODEL))
    learn(t, pos_table_k=(9, D_MODEL))
    t.pos_k = positions.learned(t.pos_table_k, N)
    t.x_pos_k = t.x_k + t.pos_k
    return t


def layered(n_layers: int = 1, **choices: Any) -> Trace:
    t = Trace()
    t.x = given(draw(N, D_MODEL))
    form = LayerForm(HEADS, KV_HEADS, **choices)
    shapes = layer_shapes(form, D_MODEL, D_HEAD, 8, D_V)

    def one(t: Trace, x: Array) -> Array:
        learned = {name: draw(*shape) for name, shape in shapes.items()}
        return layer(t, x, learned, form, lambda t: attention.attend(t, causal()))

    stack(t, t.x, [one] * n_layers)
    return t


def in_tiles() -> Trace:
    t = projected()
    tiled_attention(t, causal(), 2, 2, "sqrt")
    return ended(t)


def without_softmax(form: str, *, looks_back: bool = True) -> Trace:
    t = projected()
    linear.linear_attention(t, causal() if looks_back else given(np.ones((N, N), dtype=bool)), form)
    return ended(t)


def with_cache(position: str = "none") -> Trace:
    between = position in positions.BETWEEN
    t, x = started("none" if between else position)
    if between:
        learn(t, **positions.tables_of(position, HEADS, D_HEAD, D_V))
    kv_cache.generate(t, x, causal(), kv_cache.Settings(HEADS, KV_HEADS, position=position))
    return ended(t)


def fading(form: str = "scan", rule: str = "zoh", *, selective: bool = False) -> Trace:
    t = Trace()
    t.x = given(draw(N, D_MODEL))
    learn(t, w_u=(D_MODEL, 2))
    state_space.channels(t, t.x)
    t.a = parameter(-np.abs(draw(2, 1, 4)))
    if selective:
        learn(t, w_delta=(D_MODEL, 2), b_delta=(2,), w_b=(D_MODEL, 4), w_c=(D_MODEL, 4))
        state_space.select(t, t.x)
    else:
        learn(t, b=(2, 1, 4), c=(2, 1, 4))
        t.delta = parameter(np.abs(draw(2, 1, 1)))
    state_space.discretise(t, rule)
    state_space.FORMS[form](t)
    state_space.contribute(t)
    t.concat = merge_heads(t.y)
    t.w_o = parameter(draw(2, D_MODEL))
    t.out = t.concat @ t.w_o
    return t


@cache
def traces() -> dict[str, Trace]:
    """A small computation of every form."""
    everything: dict[str, Any] = {
        "temperature": 1.5,
        "softcap": 3.0,
        "sink": True,
        "inside": True,
        "qk_norm": True,
        "gamma": True,
    }
    made = {f"position {name}": attended(name) for name in ("none", "sinusoidal", "learned", *positions.BETWEEN)}
    made |= {f"everything, {name}": attended(name, **everything) for name in ("none", *positions.BETWEEN)}
    made |= {f"activation {name}": layered(activation=name) for name in ("relu", "gelu", "gelu_tanh", "silu", "swiglu")}
    return made | {
        "scale": attended(scale=0.5),
        "relative, scale": attended("relative", 0.5),
        "division": attended(normalizer="division"),
        "sink": attended(sink=True),
        "inside": attended(inside=True),
        "after": attended(mask_place="after"),
        "after, inside": attended("alibi", mask_place="after", inside=True, softcap=2.0),
        "relative, after": attended("relative", mask_place="after"),
        "norm": attended(qk_norm=True),
        "two sentences": two_sentences(),
        "pre": layered(2),
        "post": layered(2, norm_place="post"),
        "RMS": layered(2, norm="rms_norm"),
        "post, RMS": layered(norm_place="post", norm="rms_norm"),
        "experts": layered(n_experts=3, top_k=2),
        "experts as they are": layered(n_experts=3, top_k=1, renormalise=False, activation="swiglu"),
        "tiles": in_tiles(),
        "quadratic": without_softmax("quadratic"),
        "recurrent": without_softmax("recurrent"),
        "recurrent, all": without_softmax("recurrent", looks_back=False),
        "cache": with_cache(),
        "cache, positions": with_cache("sinusoidal"),
        **{f"cache, {position}": with_cache(position) for position in positions.BETWEEN},
        "scan": fading(),
        "scan, simplified": fading(rule="simplified"),
        "convolution": fading("convolution"),
        "selective": fading(selective=True),
        "selective, simplified": fading(rule="simplified", selective=True),
    }


def computed_formula(t: Trace, step: str) -> str:
    """The formula of a step as it was really computed, by all that is known of it."""
    return formula_of(step, core_of(t[step]), t.inputs(step))


FORMS = sorted(traces())


@pytest.mark.parametrize("form", FORMS)
def test_every_step_of_every_form_has_an_entry_with_its_axes(form: str) -> None:
    t = traces()[form]
    for step in t:
        assert base_of(step) in GLOSSARY, step
        shape, axes = t[step].shape, entry_of(step).axes_for(t[step].value.ndim)
        assert len(axes) == len(shape), step
        assert all(count == 1 for axis, count in zip(axes, shape, strict=True) if axis == "one"), step
        assert len(entry_of(step).axes) == len(shape) or base_of(step) in ("b", "c"), step


@pytest.mark.parametrize("form", FORMS)
def test_every_step_of_every_form_has_the_formula_of_its_operation(form: str) -> None:
    t = traces()[form]
    for step in t:
        entry, formula = entry_of(step), computed_formula(t, step)
        assert "INPUT" not in formula
        assert t[step].kind != "computed" or formula != entry.symbol or entry.formula, step
        check_formula(formula)


def test_no_entry_is_left_that_no_form_names() -> None:
    named = {base_of(step) for t in traces().values() for step in t}
    assert named == set(GLOSSARY)


def check_formula(tex: str) -> None:
    """It can be drawn, and said: a command that is not known would be left as it is."""
    assert "<svg" in formula_html(tex)
    assert "\\" not in latex2mathml.converter.convert(tex), tex


def formulas(entry: Entry) -> Iterator[str]:
    yield entry.symbol
    yield from [entry.formula] * bool(entry.formula) if isinstance(entry.formula, str) else entry.formula.values()


@pytest.mark.parametrize("key", GLOSSARY)
def test_every_formula_can_be_drawn_and_said(key: str) -> None:
    for formula in formulas(GLOSSARY[key]):
        for symbol in ("X", "S''", "S_T", "X^{(e)}", r"\tilde{Q}") if "INPUT" in formula else ("",):
            check_formula(formula.replace("INPUT", symbol))


def turned() -> set[str]:
    """The steps that some product reads with rows and columns swapped."""
    found = set()
    for t in traces().values():
        arrays = [t[step] for step in t]
        while arrays:
            array = arrays.pop()
            inputs = [source for source in array.inputs if not source.name]
            arrays += inputs
            if type(array.operation).__name__ == "Transpose":
                found.add(base_of(moved(array).name))
    return found - {""}


def moved(array: Array) -> Array:
    """The named array that a nameless one is, its cells only moved; the last one there is where it was computed."""
    while not array.name and array.operation and array.operation.source((0,) * array.value.ndim):
        array = array.inputs[0]
    return array


def test_what_is_turned_in_a_product_keeps_a_symbol_that_can_be_drawn() -> None:
    assert {"k_rot", "k_norm", "phi_k", "token.key_sum", "c"} <= turned()
    for key in turned() - {"rel_k", "mask", "chosen"}:  # these stand in no product that is laid out
        check_formula(GLOSSARY[key].symbol + r"^{\mathsf{T}}")


@pytest.mark.parametrize("key", GLOSSARY)
def test_every_entry_has_its_words_in_every_language(key: str) -> None:
    entry = GLOSSARY[key]
    keys = [f"step.{key}.{part}" for part in ("name", "title", "caption")] + [f"cell.{key}", f"row.{entry.row}"]
    keys += [f"axis.{axis}" for axis in entry.axes]
    for lang in LANGUAGES:
        assert not [name for name in keys if name not in words_of(lang)]
        assert words_of(lang)(f"step.{key}.title") != words_of(lang)(f"step.{key}.caption")
    assert entry.hue in HUES
    assert entry.source


@pytest.mark.parametrize("key", GLOSSARY)
def test_a_cell_is_called_by_its_row_and_column(key: str) -> None:
    axes = GLOSSARY[key].axes
    for lang in LANGUAGES:
        name = words_of(lang)(f"cell.{key}", row="ROW", column="COLUMN", number="COLUMN")
        assert ("COLUMN" in name) == (axes[-1] != "one"), (lang, name)
        assert ("ROW" in name) == (len(axes) > 1 and axes[-2] != "one"), (lang, name)


def test_japanese_says_scores_and_weights_in_one_way_only() -> None:
    said = [words_of("ja")(key) for key in words_of("ja").keys() if key.startswith(("step.", "cell.", "row.", "field."))]  # noqa: SIM118
    standard = "アテンションの重み"  # the field's own name of what we call 配分 stands beside it once
    assert [text for text in said if re.search("スコア|重み|アテンションウェイト", text.replace(standard, ""))] == []
    assert sum(standard in text for text in said) == 1


@pytest.mark.parametrize("family", ["layer", "tile", "token", "expert", "start", "end", "norm_1", "norm_2"])
def test_every_part_has_a_heading(family: str) -> None:
    for lang in LANGUAGES:
        heading = words_of(lang)(f"part.{family}", number="1·2", word="犬")
        assert "%" not in heading
        assert ("1·2" in heading) == (family in ("layer", "tile", "token", "expert"))
        assert ("犬" in heading) == (family == "token")


def test_a_step_is_known_by_the_longest_end_of_its_name() -> None:
    assert base_of("scores") == base_of("layer.0.scores") == base_of("tile.1.0.scores") == "scores"
    assert base_of("layer.0.norm_1.mean") == base_of("norm_2.mean") == "mean"
    assert base_of("tile.0.1.m") == base_of("layer.3.tile.0.1.m") == "tile.m"
    assert base_of("tile.0.start.m") == "start.m"
    assert base_of("tile.0.z") == "tile.z"
    assert base_of("token.12.state") == "token.state"
    assert base_of("start.h") == "start.h"
    assert base_of("layer.0.expert.2.routed") == "expert.routed"
    assert base_of("layer.0.expert.2.hidden") == "hidden"
    assert base_of("token.0.weights") == "weights"
    assert base_of("token.0.k") == "token.k"
    assert entry_of("token.0.k") is not entry_of("k")


def test_what_no_entry_describes_is_an_error_and_the_sentence_is_no_step() -> None:
    assert base_of(TOKENS) == TOKENS
    for step in (TOKENS, "no.such.step", "tile.m.nothing"):
        with pytest.raises(KeyError):
            entry_of(step)


def test_a_formula_follows_what_was_read_and_what_the_operation_is_called() -> None:
    taught = {"Function": "f(INPUT)", "Function:relu": r"\max(0, INPUT)", "Function:sink": "s"}
    entry = Entry("G", ("token",), "x", "x", formula=taught)
    assert entry.formula_for("Function", "H") == "f(H)"
    assert entry.formula_for("Function", "H", ("layer.0.hidden", "relu")) == r"\max(0, H)"
    assert entry.formula_for("Function", "H", ("layer.0.sink",)) == "s"
    assert entry.formula_for("Softmax", "H", ("relu",)) == ""
    assert Entry("G", ("token",), "x", "x", formula="INPUT").formula_for("Softmax", "H", ("relu",)) == "H"


def test_formulas_as_they_are_computed() -> None:
    def of(form: str, step: str) -> str:
        return computed_formula(traces()[form], step)

    assert of("activation relu", "layer.0.activated") == r"G = \max(0,\, H)"
    assert of("activation gelu", "layer.0.activated") == r"G = H\;\Phi(H)"
    assert "tanh" in of("activation gelu_tanh", "layer.0.activated")
    assert of("activation swiglu", "layer.0.activated") == of("activation silu", "layer.0.activated")
    assert of("RMS", "layer.0.norm_1.scaled_norm").endswith(r"\odot \gamma")
    assert of("pre", "layer.0.norm_1.scaled_norm").endswith(r"+ \beta")
    assert of("pre", "layer.1.after_ffn") == "Y = R + F"
    assert of("post", "layer.1.after_ffn") == of("post, RMS", "layer.0.after_ffn") == "Y = N + F"
    assert of("position relative", "scaled") == r"S' = \frac{S + R}{\sqrt{d_{head}}}"
    assert of("everything, none", "scores") == r"S = \bar{Q}\,\bar{K}^{\mathsf{T}}"
    assert of("position rope", "scores") == of("everything, rope", "scores") == r"S = \tilde{Q}\,\tilde{K}^{\mathsf{T}}"
    assert "s" in of("everything, none", "row_max")
    assert of("everything, none", "row_sum").endswith("e_{s,i}")
    assert of("inside", "row_sum") == r"\ell_i = \sum_{j} {E}_{ij}"
    assert of("quadratic", "row_sum") == r"\ell_i = \sum_{j} {\Phi'}_{ij}"
    assert of("after", "weights") == r"A_{ij} = \frac{e^{{S'}_{ij}}}{\sum_{m} e^{{S'}_{im}}}"
    assert of("after", "z") == r"Z = A^{\times}\,V"
    assert of("scan", "b_bar") == r"\bar{B} = \frac{e^{\Delta A} - 1}{A}\,B"
    assert of("scan, simplified", "b_bar") == r"\bar{B} = \Delta B"
    assert of("selective", "b") == r"B = X\,W^B"
    assert of("scan", "b") == "B"
    assert of("scan", "concat").startswith("C = [{y}_1")
