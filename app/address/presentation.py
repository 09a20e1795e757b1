"""Presentation: what is looked at. It travels beside the scenario and never changes a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from app.core.heads import kv_head_of, readers_of
from app.core.operations.explain import Index, inside
from app.drawing.space import has_space, last_step
from app.glossary import OPENING, SPACE, TOKENS
from app.run.run import Run
from app.sheet.cells import Place, parse_cell
from app.sheet.labels import axes_of, weights_near

FIELDS = (
    *("lang", "theme", "view", "at", "head", "cell", "hide", "of", "zoom", "turn"),
    *("good", "changed"),  # of the form
    *("pin", "pinned", "side"),  # of a comparison
    *("blanks", "steps", "paper", "answers"),  # of a worksheet
)


@dataclass(frozen=True, slots=True)
class Presentation:
    """Language, appearance, step and cell, as asked for; whatever does not fit falls back to a sensible place."""

    lang: str = ""
    view: str = ""
    zoom: str = ""
    theme: str = ""
    at: str = ""
    head: str = ""
    cell: str = ""
    good: str = ""
    of: str = ""
    """The cell whose slopes are shown: ``out[2,0]``."""
    turn: str = ""
    """From where three components are looked at."""
    hide: str = ""
    """The parts of the page that are not shown, as a comma list."""
    changed: str = ""
    """The field that the reader has just changed; others that no longer fit give way to it."""
    pin: str = ""
    """The scenario that this one is compared with, as the fields in which it differs; ``pinned`` holds it whole."""
    pinned: str = ""
    side: str = ""
    """Of two compared scenarios the one to draw, or their difference."""
    blanks: str = ""
    """What a worksheet leaves blank; ``steps``, ``paper`` and ``answers`` belong to it too."""
    steps: str = ""
    paper: str = ""
    answers: str = ""
    carried: tuple[tuple[str, str], ...] = ()
    """What travels along from page to page, such as language and appearance, but for the place and the view."""

    def with_(self, other: Presentation) -> Presentation:
        """Return a copy in which what another presentation says takes precedence."""
        return replace(self, **{name: text for name, text in asdict(other).items() if text})


def split_fields(pairs: Iterable[tuple[str, str]]) -> tuple[list[tuple[str, str]], Presentation]:
    """Part the fields that decide the numbers from those that do not; of the latter the last one wins."""
    pairs = list(pairs)
    shown = {name: text for name, text in pairs if name in FIELDS}
    if (names := [name for name, _ in pairs]).count("hide") > 1:  # ticked boxes of a form
        shown["hide"] = ",".join(text for name, text in pairs if name == "hide")
    if names.count("cell") > 1:  # a cell was pressed in a page without scripts: no longer all heads
        shown.pop("head", None)
    kept = [(name, text) for name, text in pairs if name not in FIELDS]
    carried = tuple((name, text) for name, text in shown.items() if name not in _NOT_CARRIED)
    return kept, Presentation(**shown, carried=carried)


_NOT_CARRIED = ("view", "at", "head", "cell", "turn", "good", "changed", "side")


def part_fields(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Presentation]:
    """Part the fields of a JSON body into those that decide the numbers and those that do not."""
    kept = {name: value for name, value in fields.items() if name not in FIELDS}
    return kept, split_fields((name, str(value)) for name, value in fields.items() if name in FIELDS)[1]


def find_place(run: Run, presentation: Presentation, *, space: bool = False) -> Place:
    """The step and the cell to show. Going to another step keeps the words and the head that were looked at.

    ``space``: the meaning space can be shown; elsewhere the step that it ends with stands for it.
    """
    named = parse_cell(presentation.cell)
    cell = _read_cell(run, named)
    looked = _by_axis(run, *cell) if cell else {}
    step = presentation.at or (named[0] if named else presentation.cell)
    if step == TOKENS and run.tokens:
        return Place(TOKENS, (looked.get("query", 0), 0), False)
    if step == SPACE and has_space(run):
        if space:
            return Place(SPACE, (looked.get("query", run.sizes.n_q - 1), 0), False)
        step = last_step(run)
    step = step if step in run.steps else _nearest(run, step)
    if cell and cell[0] == step:
        looked = dict(zip(axes_of(run, step), cell[1], strict=True))
    if presentation.head.isascii() and presentation.head.isdigit():
        looked = {**looked, "head": int(presentation.head[:4])}
    many = len(run.shape(step)) == 3 and run.shape(step)[0] > 1
    return Place(step, _carry(run, step, looked), presentation.head == "all" and many)


def _nearest(run: Run, step: str) -> str:
    """Where a step is gone: one of the same kind, as scores of a layer for scores; else the opening step."""
    for kind in (step.rpartition(".")[2], *OPENING):
        for name in run.steps:
            if name.rpartition(".")[2] == kind:
                return name
    return next(iter(run.steps))


def _read_cell(run: Run, cell: tuple[str, Index] | None) -> tuple[str, Index] | None:
    there = cell and cell[0] in run.steps and inside(cell[1], run.shape(cell[0]))
    return cell if there else None


def _by_axis(run: Run, step: str, index: Index) -> dict[str, int]:
    """The place of a cell by axis: its head, its query, its key."""
    found = dict(zip(axes_of(run, step), index, strict=True))
    if "kv_head" in found:
        found["head"] = readers_of(found["kv_head"], run.sizes.n_heads, run.sizes.n_kv_heads)[0]
    if "token" in found:
        found["query"] = found["token"]
    if step in ("k", "v") and run.names_q == run.names_k:
        found["query"] = found["key"]
    return found


def _carry(run: Run, step: str, looked: dict[str, int]) -> Index:
    """The cell of a step that is about the same head and words; else the last query and the key it reads most."""
    head, query = looked.get("head", 0), looked.get("query", run.sizes.n_q - 1)
    usual = {"query": query, "token": query, "key": _key_read_most(run, step, head, query)}
    known = {**usual, "kv_head": kv_head_of(head, run.sizes.n_heads, run.sizes.n_kv_heads), **looked}
    places = zip(axes_of(run, step), run.shape(step), strict=True)
    return tuple(min(known.get(axis, 0), count - 1) for axis, count in places)


def _key_read_most(run: Run, step: str, head: int, query: int) -> int:
    name = weights_near(run, step)
    if not name:
        return 0
    weights = run.values(name)
    return int(weights[min(head, weights.shape[0] - 1), min(query, weights.shape[1] - 1)].argmax())
