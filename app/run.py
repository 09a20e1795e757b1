"""From a scenario to a trace: the only bridge from a request to the mathematics."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from app import limits
from app.core import attention, masks, positions
from app.core.array import Array, given, parameter
from app.core.checks import empty_rows, row_sums
from app.core.heads import split_heads
from app.core.ops import NotFinite
from app.core.trace import BadEdit, Trace
from app.errors import Detail, refuse
from app.scenario import Scenario, write_field
from app.sizes import Sizes, implied, sizes_from_sentence, sizes_from_vectors
from app.text.tokens import Token, left_out, tokenize
from app.text.vectors import toy_matrix, toy_vector


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader should know. ``code`` is the key ``notice.<code>`` of the catalogues."""

    code: str
    details: dict[str, Detail] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """A computed scenario: the trace, the tokens, the names of rows and columns, and what to tell the reader."""

    scenario: Scenario
    sizes: Sizes
    tokens: tuple[Token, ...]
    names_q: tuple[str, ...]
    names_k: tuple[str, ...]
    trace: Trace
    notices: tuple[Notice, ...]

    @property
    def query(self) -> list[tuple[str, str]]:
        """The canonical fields of the query string: what differs from the defaults, in the order of the table."""
        needed = self.scenario.without(implied(self.scenario, self.sizes))
        return [(name, write_field(name, value)) for name, value in needed.given().items()]

    def origin(self, step: str, row: int) -> str:
        """Where the numbers of an input or parameter come from: ``given``, ``table`` or ``toy``."""
        if step == "mask":
            return "given" if self.scenario.mask == "custom" else "rule"
        if getattr(self.scenario, step) is not None:
            return "given"
        return "table" if step == "x" and self.tokens[row].text in (self.scenario.table or {}) else "toy"


def run(scenario: Scenario) -> Run:
    """Compute a scenario. Errors: Refusal that names the field."""
    scenario, notices = _settle_mask(scenario)
    _check_mask_edits(scenario)
    trace = Trace(scenario.edits)
    try:
        made = _run_vectors(scenario, trace) if _has_vectors(scenario) else _run_sentence(scenario, trace)
        trace.finish()
    except BadEdit as error:
        raise _bad_edit(error) from None
    except NotFinite:
        raise refuse("q" if scenario.q else "x", "overflow") from None
    return Run(scenario, *made[:4], trace, (*notices, *made[4], *_notices(trace)))


Made = tuple[Sizes, tuple[Token, ...], tuple[str, ...], tuple[str, ...], list[Notice]]


def _settle_mask(scenario: Scenario) -> tuple[Scenario, list[Notice]]:
    """``allow`` alone means the custom mask; with another mask it is set aside, and said to be."""
    if scenario.mask is None:
        return scenario.model_copy(update={"mask": "custom" if scenario.allow else None}), []
    if scenario.mask == "custom" and not scenario.allow:
        raise refuse("allow", "allow_missing")
    if scenario.allow and scenario.mask != "custom":
        return scenario, [Notice("allow_unused", {"mask": scenario.mask})]
    return scenario.model_copy(update={"mask": None if scenario.mask == "none" else scenario.mask}), []


def _has_vectors(scenario: Scenario) -> bool:
    """True where q, k and v are given. Errors: Refusal where one is missing or something else was given as well."""
    missing = [name for name in "qkv" if getattr(scenario, name) is None]
    if len(missing) == 3:
        return False
    if missing:
        raise refuse(missing[0], "qkv_together", missing=", ".join(missing))
    for name in ("text", "table", "x", "w_q", "w_k", "w_v"):
        if getattr(scenario, name) is not None:
            raise refuse(name, "not_with_qkv")
    if scenario.position != "none":
        raise refuse("position", "not_with_qkv")
    return True


def _run_vectors(scenario: Scenario, t: Trace) -> Made:
    assert scenario.k is not None
    assert scenario.v is not None
    sizes = sizes_from_vectors(scenario)
    needed_k, needed_v = (sizes.n_k, sizes.n_kv_heads * sizes.d_head), (sizes.n_k, sizes.n_kv_heads * sizes.d_v)
    _check_shape("k", scenario.k, needed_k)
    _check_shape("v", scenario.v, needed_v)
    for name, heads in (("q", sizes.n_heads), ("k", sizes.n_kv_heads), ("v", sizes.n_kv_heads)):
        rows = given(getattr(scenario, name))
        setattr(t, name, given(split_heads(rows, heads).value))
    names_q = _names("labels_q", scenario.labels_q, sizes.n_q)
    names_k = _names("labels_k", scenario.labels_k, sizes.n_k)
    _check_components(scenario, sizes)
    _attend(scenario, t, sizes, _learned(scenario, sizes, "w_o") if scenario.w_o else None)
    return sizes, (), names_q, names_k, []


def _run_sentence(scenario: Scenario, t: Trace) -> Made:
    tokens = _tokens(scenario)
    sizes = sizes_from_sentence(scenario, len(tokens) if tokens else len(scenario.x or ()))
    names = tuple(token.text for token in tokens) or _names("labels_q", scenario.labels_q, sizes.n_q)
    _check_components(scenario, sizes)
    t.x = given(_vectors(scenario, tokens, sizes))
    x = _with_positions(scenario, t, sizes)
    for name in ("w_q", "w_k", "w_v"):
        setattr(t, name, _learned(scenario, sizes, name))
    attention.project(t, x, sizes.n_heads, sizes.n_kv_heads)
    _attend(scenario, t, sizes, _learned(scenario, sizes, "w_o"))
    gone = left_out(scenario.text or "", list(tokens))
    notices = [Notice("left_out", {"characters": ", ".join(gone)})] if gone else []
    return sizes, tokens, names, names, notices


def _attend(scenario: Scenario, t: Trace, sizes: Sizes, w_o: Array | None) -> None:
    attention.attend(t, _mask(scenario, sizes), scenario.scale, scenario.normalizer)
    attention.combine(t, w_o)


def _tokens(scenario: Scenario) -> tuple[Token, ...]:
    """The sentence's tokens; none where only x is given. Errors: Refusal for an empty sentence or too many tokens."""
    if scenario.text is None:
        if scenario.x is None:
            raise refuse("text", "text_missing")
        return ()
    for name in ("labels_q", "labels_k"):
        if getattr(scenario, name) is not None:
            raise refuse(name, "labels_with_text")
    tokens = tokenize(scenario.text, scenario.split)
    if not tokens:
        raise refuse("text", "text_empty")
    if len(tokens) > limits.TOKENS:
        raise refuse("text", "tokens_many", count=len(tokens), limit=limits.TOKENS)
    return tuple(tokens)


def _vectors(scenario: Scenario, tokens: Sequence[Token], sizes: Sizes) -> Any:
    """Each token's vector: a row of x, a word of the table, or a toy vector. Shape: (n, d_model)."""
    if scenario.x:
        _check_shape("x", scenario.x, (sizes.n_q, sizes.d_model))
        return scenario.x
    table = scenario.table or {}
    for word, row in table.items():
        if len(row) != sizes.d_model:
            raise refuse("table", "table_width", word=word, length=len(row), d_model=sizes.d_model)
    return [table.get(token.text, toy_vector(token.text, sizes.d_model, scenario.seed)) for token in tokens]


def _with_positions(scenario: Scenario, t: Trace, sizes: Sizes) -> Array:
    if scenario.position == "none":
        return t.x
    t.pos = positions.POSITIONS[scenario.position](sizes.n_q, sizes.d_model)
    t.x_pos = t.x + t.pos
    return t.x_pos


def _learned(scenario: Scenario, sizes: Sizes, name: str) -> Array:
    """A matrix of a trained model: as given, or a toy one. Errors: Refusal naming the shape given and needed."""
    rows = sizes.n_heads * sizes.d_v if name == "w_o" else sizes.d_model
    heads = sizes.n_heads if name == "w_q" else sizes.n_kv_heads
    columns = sizes.d_model if name == "w_o" else heads * sizes.d_head
    matrix = getattr(scenario, name)
    if matrix is None:
        return parameter(toy_matrix(name, rows, columns, scenario.seed))
    _check_shape(name, matrix, (rows, len(matrix[0]) if name == "w_o" else columns))
    return parameter(matrix)


def _mask(scenario: Scenario, sizes: Sizes) -> Array:
    if scenario.mask == "custom":
        assert scenario.allow
        _check_shape("allow", scenario.allow, (sizes.n_q, sizes.n_k))
        return given(np.array(scenario.allow, dtype=bool))
    return given(masks.MASKS[scenario.mask or "none"](sizes.n_q, sizes.n_k))


def _check_shape(name: str, matrix: Sequence[Sequence[float]], needed: tuple[int, int]) -> None:
    shape = (len(matrix), len(matrix[0]))
    if shape != needed:
        raise refuse(name, "shape", given=f"{shape[0]} × {shape[1]}", needed=f"{needed[0]} × {needed[1]}")


def _names(name: str, labels: tuple[str, ...] | None, count: int) -> tuple[str, ...]:
    """Labels for rows: as given, or numbers from 1."""
    if labels is None:
        return tuple(str(number) for number in range(1, count + 1))
    if len(labels) != count:
        raise refuse(name, "labels_count", given=len(labels), needed=count)
    return labels


def _check_components(scenario: Scenario, sizes: Sizes) -> None:
    for name, labels, width in (("labels_d", scenario.labels_d, sizes.d_head), ("labels_v", scenario.labels_v, sizes.d_v)):
        if labels is not None and len(labels) != width:
            raise refuse(name, "labels_count", given=len(labels), needed=width)


def _check_mask_edits(scenario: Scenario) -> None:
    for index, value in (scenario.edits or {}).get("mask", {}).items():
        if value not in (0, 1):
            raise refuse("edits", "edit_mask", cell=f"mask[{','.join(map(str, index))}]")


def _bad_edit(error: BadEdit) -> Exception:
    if error.index is None:
        return refuse("edits", "edit_step", step=error.step)
    cell = f"{error.step}[{','.join(map(str, error.index))}]"
    return refuse("edits", "edit_cell", cell=cell, shape=" × ".join(map(str, error.shape or ())))


def _notices(t: Trace) -> list[Notice]:
    notices = [Notice("empty_row", {"rows": ", ".join(str(row + 1) for row in rows)}) for rows in [empty_rows(t)] if rows]
    seeing = [row for row in range(t.mask.shape[0]) if row not in empty_rows(t)]
    sums = row_sums(t, "weights")[:, seeing]
    if not t.edited("weights") and sums.size and (sums == 0).any():
        notices.append(Notice("zero_sum"))
    if (t.weights.value < 0).any():
        notices.append(Notice("negative_weights"))
    return notices
