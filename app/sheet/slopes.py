"""Influence: one chosen cell, and how much it grows with every number before it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from app.core.operations.explain import Index
from app.core.operations.numbers import EXACT, show, signed
from app.core.operations.ops import NotFinite, Values
from app.core.record.gradients import gradients, leads_to
from app.errors import refuse
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import find_cell, reference
from app.sheet.steps import HIDDEN
from app.sheet.why import cell_name

Relation = Literal["moves", "flat", "switch", "apart"]
"""How a step holds the chosen cell: it moves it; it does not move it here; it only chooses; it does not lead to it."""
HUE = "slope"
"""The colour of every slope, whatever step it belongs to."""


@dataclass(frozen=True, slots=True)
class Influence:
    """The gradient of one chosen cell: its slope in every number that moves it."""

    run: Run
    step: str
    index: Index
    exact: Mapping[str, Values]
    """The slopes as they were computed."""
    slopes: Mapping[str, Values]
    """The slopes as they are shown: float noise is 0, or it would look like a pattern."""
    feeding: frozenset[str]

    @property
    def ref(self) -> str:
        return reference(self.step, self.index)

    def bond(self, step: str) -> Relation:
        """How the chosen cell depends on a step: it moves with it, is flat in it, is switched by it, or stands apart."""
        if step in self.slopes:
            return "moves" if self.slopes[step].any() else "flat"
        return "switch" if step in self.feeding else "apart"

    def of_step(self, step: str) -> Values:
        """The slopes of the chosen cell in all numbers of a step; zeros where the step does not move it."""
        return self.slopes[step] if step in self.slopes else np.zeros(self.run.trace[step].shape)

    def reach(self, step: str) -> float:
        """The slope that takes the strongest colour: the largest of the step."""
        return float(np.abs(self.of_step(step)).max(initial=0)) or 1.0


@dataclass(frozen=True, slots=True)
class GradientStep:
    """A step that leads to the cell, and how much the cell grows when each of the step's numbers grows by 1."""

    name: str
    shape: list[int]
    values: list[Any]


@dataclass(frozen=True, slots=True)
class Gradient:
    """The answer to: what does this cell depend on? Steps that are not listed do not move it."""

    of: str
    value: float | str
    steps: list[GradientStep]


@dataclass(frozen=True, slots=True)
class SlopeSummary:
    """Slopes in words: which cell is asked about, what holds of the chosen cell and of the step, the end of the colours."""

    ref: str
    name: str
    text: str
    sentence: str
    standing: str
    reach: str
    own: bool
    """True where the reader looks at the cell itself."""


def find_influence(run: Run, text: str) -> Influence:
    """Read a cell, as ``out[2,0]``, and differentiate it in every number before it. Errors: Refusal of the field ``of``."""
    step, index = find_cell(run, text, "of")
    try:
        exact = gradients(run.trace, step, index)
    except NotFinite:
        raise refuse("of", "slope_large", cell=reference(step, index)) from None
    slopes = {name: np.where(np.abs(values) <= EXACT, 0, values) for name, values in exact.items()}
    return Influence(run, step, index, exact, slopes, leads_to(run.trace, step))


def make_gradient(influence: Influence) -> Gradient:
    """Describe the gradient of a cell, ready for JSON."""
    value = float(influence.run.trace[influence.step].value[influence.index])
    steps = [GradientStep(name, list(slopes.shape), slopes.tolist()) for name, slopes in influence.exact.items()]
    return Gradient(influence.ref, HIDDEN if value == -np.inf else value, steps)


def make_slope_summary(influence: Influence, step: str, index: Index, words: Words) -> SlopeSummary:
    """Put into words how the cell that is asked about depends on the chosen cell and on its step."""
    run = influence.run
    known = step in run.trace
    name = cell_name(run, influence.step, influence.index, words)
    return SlopeSummary(
        ref=influence.ref,
        name=name,
        text=show(float(run.trace[influence.step].value[influence.index])),
        sentence=_sentence(influence, step, index, name, words) if known else "",
        standing=_standing(influence, step, name, words) if known else "",
        reach=show(influence.reach(step)) if known and influence.bond(step) == "moves" else "",
        own=(step, index) == (influence.step, influence.index),
    )


def _sentence(influence: Influence, step: str, index: Index, name: str, words: Words) -> str:
    """Say how the cell that is asked about changes when the chosen cell grows."""
    if (step, index) == (influence.step, influence.index):
        return words("of.itself")
    slope = float(influence.of_step(step)[index])
    if not slope:
        return "" if influence.bond(step) != "moves" else words("of.still", cell=name)
    size = signed(abs(slope), fine=True)[1:]
    return words("of.grows" if slope > 0 else "of.shrinks", cell=name, change=size)


def _standing(influence: Influence, step: str, name: str, words: Words) -> str:
    """Say why a whole step has no influence; nothing where it has some."""
    bond = influence.bond(step)
    return "" if bond == "moves" else words(f"of.{bond}", cell=name)
