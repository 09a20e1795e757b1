"""A comparison, ready for JSON: no NaN, and no number where there is none."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.core.measures.difference import Difference
from app.run.run import Run
from app.sheet.comparison import Comparison, State, StepDifference
from app.sheet.steps import HIDDEN, write_query

SHOWN = "Infinity"
"""A difference in JSON where only A is hidden; where only B is, it is ``"-Infinity"``."""


@dataclass(frozen=True, slots=True)
class StepDifferenceOut:
    """How one step differs. ``largest`` leaves out cells that are hidden on one side; ``at`` is where it is."""

    name: str
    state: State
    largest: float | None
    at: list[int] | None
    hidden_in_a: int | None
    hidden_in_b: int | None
    shape_a: list[int] | None
    shape_b: list[int] | None
    difference: list[Any] | None
    """B − A, where the step has one shape in both."""


@dataclass(frozen=True, slots=True)
class ComparisonOut:
    """Two scenarios: their queries, the fields in which they differ, and every step."""

    a: str
    b: str
    differs: list[str]
    steps: list[StepDifferenceOut]


def make_comparison(comparison: Comparison) -> ComparisonOut:
    """Describe a comparison."""
    return ComparisonOut(
        a=write_query(comparison.a.query),
        b=write_query(comparison.b.query),
        differs=[field.name for field in comparison.fields],
        steps=[_step(comparison, step) for step in comparison.steps.values()],
    )


def _step(comparison: Comparison, step: StepDifference) -> StepDifferenceOut:
    own = step.difference
    return StepDifferenceOut(
        name=step.name,
        state=step.state,
        largest=own.largest if own else None,
        at=list(own.at) if own and own.at else None,
        hidden_in_a=own.hidden_in_a if own else None,
        hidden_in_b=own.hidden_in_b if own else None,
        shape_a=_shape(comparison.a, step.name),
        shape_b=_shape(comparison.b, step.name),
        difference=_plain(own) if own else None,
    )


def _shape(run: Run, name: str) -> list[int] | None:
    return list(run.trace[name].shape) if name in run.trace else None


def _plain(difference: Difference) -> list[Any]:
    """B − A as nested lists; an infinite difference is a text, as a hidden score is."""
    if not difference.hidden:
        return difference.values.tolist()  # type: ignore[no-any-return]
    mixed = difference.values.astype(object)
    mixed[np.isposinf(difference.values)], mixed[np.isneginf(difference.values)] = SHOWN, HIDDEN
    return mixed.tolist()  # type: ignore[no-any-return]
