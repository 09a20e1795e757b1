"""Presentation: what is looked at. It travels beside the scenario and never changes a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from app.address.fields import FIELDS, NAMES, Beside, FormState, Link, Printing, Projecting, Reader, Target, travellers
from app.core.heads import kv_head_of, readers_of
from app.core.operations.explain import Index, inside
from app.drawing.space import has_space, last_step
from app.errors import refuse
from app.glossary import OPENING, SPACE, TOKENS
from app.run.run import Run
from app.sheet.cells import Place, parse_cell
from app.sheet.labels import axes_of, weights_near

T = TypeVar("T", Reader, Target, Beside, FormState, Projecting, Printing)


@dataclass(frozen=True, slots=True)
class Presentation:
    """What is asked for beside the scenario, by who reads it; whatever does not fit falls back to something sensible."""

    reader: Reader
    target: Target
    beside: Beside
    form: FormState
    projecting: Projecting
    printing: Printing
    given: tuple[tuple[str, str], ...]
    """The fields as they were asked for, in their order."""

    @classmethod
    def of(cls, **given: str) -> Presentation:
        """A presentation from its fields by name."""
        return cls(
            _part(Reader, given),
            _part(Target, given),
            _part(Beside, given),
            _part(FormState, given),
            _part(Projecting, given),
            _part(Printing, given),
            tuple(given.items()),
        )

    def with_(self, **changed: str) -> Presentation:
        """Ask for something else in these fields."""
        return Presentation.of(**{**dict(self.given), **changed})

    def over(self, other: Presentation) -> Presentation:
        """Ask for what another presentation says too, which takes precedence where it says something."""
        return self.with_(**{name: text for name, text in other.given if text})

    def travelling(self, link: Link) -> dict[str, str]:
        """The fields that travel on a kind of link, as they were asked for."""
        names = travellers(link)
        return {name: text for name, text in self.given if name in names}


def _part(part: type[T], given: Mapping[str, str]) -> T:
    return part(**{name: given[name] for name in NAMES[part] if name in given})


def split_fields(pairs: Iterable[tuple[str, str]]) -> tuple[list[tuple[str, str]], Presentation]:
    """Part the fields that decide the numbers from those that do not; of the latter the last one wins."""
    pairs = list(pairs)
    shown = {name: text for name, text in pairs if name in FIELDS}
    if (names := [name for name, _ in pairs]).count("hide") > 1:  # ticked boxes of a form
        shown["hide"] = ",".join(text for name, text in pairs if name == "hide")
    if names.count("cell") > 1:  # a cell was pressed in a page without scripts: no longer all heads
        shown.pop("head", None)
    return [(name, text) for name, text in pairs if name not in FIELDS], Presentation.of(**shown)


def part_fields(fields: Mapping[str, Any]) -> tuple[dict[str, Any], Presentation]:
    """Part the fields of a JSON body into those that decide the numbers and those that do not; null is not given.

    Errors: Refusal for a text with half of a character, which no answer could repeat.
    """
    kept = {name: value for name, value in fields.items() if name not in FIELDS}
    shown = {name: str(value) for name, value in fields.items() if name in FIELDS and value is not None}
    for name, text in shown.items():
        if halves := [char for char in text if "\ud800" <= char <= "\udfff"]:
            raise refuse(name, "bad_character", char=f"U+{ord(halves[0]):04X}")
    return kept, split_fields(shown.items())[1]


def find_place(run: Run, presentation: Presentation, *, space: bool = False) -> Place:
    """The step and the cell to show. Going to another step keeps the words and the head that were looked at.

    ``space``: the meaning space can be shown; elsewhere the step that it ends with stands for it.
    """
    target = presentation.target
    named = parse_cell(target.cell)
    cell = _read_cell(run, named)
    looked = _by_axis(run, *cell) if cell else {}
    step = target.at or (named[0] if named else target.cell)
    if step == TOKENS and run.tokens:
        return Place(TOKENS, (looked.get("query", 0), 0), False)
    if step == SPACE and has_space(run):
        if space:
            return Place(SPACE, (looked.get("query", run.sizes.n_q - 1), 0), False)
        step = last_step(run)
    step = step if step in run.steps else _nearest(run, step)
    if cell and cell[0] == step:
        looked = dict(zip(axes_of(run, step), cell[1], strict=True))
    if target.head.isascii() and target.head.isdigit():
        looked = {**looked, "head": int(target.head[:4])}
    many = len(run.shape(step)) == 3 and run.shape(step)[0] > 1
    return Place(step, _carry(run, step, looked), target.head == "all" and many)


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
