"""Sheet: the view model of a trace, ready for JSON. Page, API and figures are renderings of it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

import numpy as np

from app.core.operations.numbers import scientific, show
from app.core.operations.ops import Edit, Operation
from app.core.record.array import Array, Kind
from app.core.record.checks import rounding, row_sums, second_way
from app.glossary import base_of, entry_of
from app.language.words import Words
from app.run.assemble import d_ff_of, top_k_of
from app.run.run import Notice, Run
from app.sheet.facts import facts
from app.sheet.formula import formula_of
from app.sheet.labels import axes_of, labels_of

HIDDEN = "-Infinity"
"""A hidden score in JSON."""
_SAFE = "~:;,[]=()/*'!@"
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class TokenOut:
    """A token; ``start`` and ``end`` count code points of the typed text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """One named quantity with its words, axes, labels and values."""

    name: str
    kind: Kind
    symbol: str
    title: str
    caption: str
    formula: str
    source: str
    axes: list[str]
    labels: list[list[str]]
    shape: list[int]
    values: list[Any]
    inputs: list[str]
    edited: list[list[int]]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was verified: ``row_sums`` (largest distance from 1) or ``second_way`` (largest difference)."""

    step: str
    kind: Literal["row_sums", "second_way"]
    value: float
    ok: bool
    text: str


@dataclass(frozen=True, slots=True)
class NoticeOut:
    """A notice to the reader: its code and its sentence."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The answer to a scenario."""

    query: str
    scenario: dict[str, Any]
    tokens: list[TokenOut]
    steps: list[Step]
    checks: list[Check]
    notices: list[NoticeOut] = field(default_factory=list)


def make_sheet(run: Run, words: Words) -> Sheet:
    """Describe a run in the reader's language."""
    return Sheet(
        query=write_query(run.query),
        scenario=_resolved(run),
        tokens=[TokenOut(token.text, token.start, token.end) for token in run.tokens],
        steps=[make_step(run, name, words) for name in run.trace],
        checks=make_checks(run, words),
        notices=[
            NoticeOut(notice.code, words(f"notice.{notice.code}", **notice.details)) for notice in (*run.notices, *facts(run))
        ],
    )


def notices_in_words(notices: Iterable[Notice], words: Words) -> list[NoticeOut]:
    """Notices in the reader's language."""
    return [NoticeOut(notice.code, words(f"notice.{notice.code}", **notice.details)) for notice in notices]


def make_step(run: Run, name: str, words: Words) -> Step:
    """Describe one step."""
    array, entry = run.trace[name], entry_of(name)
    inputs = run.inputs(name)
    return Step(
        name=name,
        kind=array.kind,
        symbol=entry.symbol,
        title=words(f"step.{base_of(name)}.title"),
        caption=words(f"step.{base_of(name)}.caption"),
        formula=formula(run, name),
        source=entry.source,
        axes=list(axes_of(run, name)),
        labels=labels_of(run, name),
        shape=list(array.shape),
        values=plain(array),
        inputs=inputs,
        edited=[list(index) for index in sorted(run.trace.edited(name))],
    )


def operation_of(array: Array) -> Operation | None:
    """The operation that made a step, seen through hand edits and nameless moves of cells."""
    return core_of(array).operation


def core_of(array: Array) -> Array:
    """The array behind a step, before hand edits and nameless moves of cells."""
    while _passes(array):
        array = array.inputs[0]
    return array


def _passes(array: Array) -> bool:
    operation = array.operation
    if operation is None or not array.inputs or array.inputs[0].name:
        return False
    return isinstance(operation, Edit) or operation.source((0,) * array.value.ndim) is not None


def formula(run: Run, name: str) -> str:
    """The formula of a step, in TeX, as it was really computed."""
    return formula_of(name, core_of(run.trace[name]), run.inputs(name))


def plain(array: Array) -> list[Any]:
    """Values ready for JSON: a mask as 1 and 0, hidden scores as ``"-Infinity"``."""
    values = array.value
    if values.dtype == bool:
        return values.astype(int).tolist()  # type: ignore[no-any-return]
    hidden = np.isneginf(values)
    if not hidden.any():
        return values.tolist()  # type: ignore[no-any-return]
    mixed = values.astype(object)
    mixed[hidden] = HIDDEN
    return mixed.tolist()  # type: ignore[no-any-return]


def make_checks(run: Run, words: Words) -> list[Check]:
    """Rows of shares that should sum to 1, and every step that can be computed a second way."""
    found = [check for name in run.trace for check in checks_of(run, name, words)]
    return sorted(found, key=lambda check: check.kind != "row_sums")


def checks_of(run: Run, step: str, words: Words) -> list[Check]:
    """The checks of one step."""
    sums = [_row_check(run, step, words)] if entry_of(step).shares else []
    difference = second_way(run.trace, step)
    return sums if difference is None else [*sums, _second_check(run, step, difference, words)]


def _second_check(run: Run, step: str, difference: float, words: Words) -> Check:
    size = float(np.abs(np.nan_to_num(run.trace[step].value, neginf=0)).max(initial=1))
    text = words("check.second_way", difference=scientific(difference) if difference else "0")
    return Check(step, "second_way", difference, difference <= _TOLERANCE * size + rounding(run.trace, step), text)


def _row_check(run: Run, name: str, words: Words) -> Check:
    """Check that rows of shares sum to 1, except rows that see nothing; a sink may keep a part."""
    sums = row_sums(run.trace, name)
    seeing = (
        run.assembled.mask.any(axis=-1)
        if sums.shape[-1:] == run.assembled.mask.shape[:1]
        else np.ones(sums.shape[-1], dtype=bool)
    )
    distance = float(np.abs(sums[..., seeing] - 1).max(initial=0))
    ok = distance <= _TOLERANCE
    if run.scenario.sink and entry_of(name).normalised:
        return Check(name, "row_sums", distance, True, words("check.row_sums_sink", distance=show(distance)))
    text = words("check.row_sums") if ok else words("check.row_sums_differ", distance=show(distance))
    return Check(name, "row_sums", distance, ok, text)


def _resolved(run: Run) -> dict[str, Any]:
    """Every field of the scenario with the value that was used."""
    sizes = {name: getattr(run.sizes, name) for name in ("d_model", "n_heads", "n_kv_heads", "d_head")}
    settled = {**run.requested.model_dump(), **sizes, "mask": run.requested.mask or "none"}
    if run.requested.edits:
        settled["edits"] = dict(run.query)["edits"]
    if run.scenario.n_layers:
        settled["d_ff"] = d_ff_of(run.scenario, run.sizes)
    if run.scenario.n_layers and run.scenario.n_experts:
        settled["top_k"] = top_k_of(run.scenario)
    return settled


def write_query(pairs: list[tuple[str, str]], **more: str) -> str:
    """A query string, canonical and as readable as a URL may be; ``more`` are fields that change no number."""
    every = [*pairs, *((name, text) for name, text in more.items() if text)]
    return "&".join(f"{name}={quote(text, safe=_SAFE)}" for name, text in every)
