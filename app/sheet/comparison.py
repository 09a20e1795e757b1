"""Compare: two runs, A and B, step by step: what is the same, what differs and by how much."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from app.core.measures.difference import Difference, difference
from app.run.run import Run
from app.scenario.table import SCENARIO_FIELDS

State = Literal["unchanged", "changed", "other_shape", "only_in_a", "only_in_b"]


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field that differs: its text in A and in B, empty where it is at its default."""

    name: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class StepDifference:
    """One step in both runs; ``difference`` is B − A where it has one shape in both."""

    name: str
    state: State
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A and B, the fields in which they differ, and every step: those of B in order, then those that only A has."""

    a: Run
    b: Run
    fields: list[FieldDifference]
    steps: Mapping[str, StepDifference]


def compare(a: Run, b: Run) -> Comparison:
    """Compare two runs step by step."""
    names = [*b.trace, *(name for name in a.trace if name not in b.trace)]
    return Comparison(a, b, compare_fields(a.query, b.query), {name: _compare_step(a, b, name) for name in names})


def compare_fields(a: list[tuple[str, str]], b: list[tuple[str, str]]) -> list[FieldDifference]:
    """The fields of two queries that differ, in the order of the table."""
    ours, theirs = dict(a), dict(b)
    pairs = [FieldDifference(name, ours.get(name, ""), theirs.get(name, "")) for name in SCENARIO_FIELDS]
    return [pair for pair in pairs if pair.a != pair.b]


def _compare_step(a: Run, b: Run, name: str) -> StepDifference:
    if name not in a.trace or name not in b.trace:
        return StepDifference(name, "only_in_b" if name in b.trace else "only_in_a")
    before, now = a.trace[name].value, b.trace[name].value
    if before.shape != now.shape:
        return StepDifference(name, "other_shape")
    found = difference(before, now)
    return StepDifference(name, "unchanged" if found.is_none else "changed", found)
