"""Onward: where does a number go? The cells of the next steps that use it, and how much each one grows with it."""

from dataclasses import dataclass
from itertools import islice

import numpy as np

from app.core.operations.cellwise import RowTotal
from app.core.operations.explain import Index
from app.core.operations.normalize import VisibleMax
from app.core.operations.numbers import show, signed
from app.core.operations.online_softmax import Larger
from app.core.operations.ops import Edit, NotFinite, Values, Where
from app.core.record.array import Array
from app.core.record.gradients import pushed
from app.glossary import base_of, entry_of
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import reference
from app.sheet.steps import operation_of
from app.sheet.why import cell_name

MOST_CELLS, FEWEST_CELLS, MOST_STEPS = 12, 3, 6


@dataclass(frozen=True, slots=True)
class Use:
    """A cell that is made from the chosen one, its number, and how much it grows when the chosen one grows by 1."""

    ref: str
    name: str
    text: str
    slope: str


@dataclass(frozen=True, slots=True)
class User:
    """A step that reads the chosen cell: its cells that move most, how many more there are, or why none moves."""

    step: str
    title: str
    hue: str
    uses: list[Use]
    rest: int
    note: str


@dataclass(frozen=True, slots=True)
class Onward:
    """The next steps, and how many more of them there are."""

    users: list[User]
    rest: int


def make_onward(run: Run, step: str, index: Index, words: Words) -> Onward:
    """Follow a cell one step forwards; at most a dozen cells are shown, those that move most."""
    names = [name for name in run.trace if step in run.inputs(name)]
    most = max(FEWEST_CELLS, MOST_CELLS // max(1, len(names)))
    users = [_user(run, name, step, index, most, words) for name in islice(names, MOST_STEPS)]
    return Onward(users, len(names) - len(users))


def _user(run: Run, name: str, step: str, index: Index, most: int, words: Words) -> User:
    grown, note = _grown(run, name, step, index)
    moving = [] if grown is None else strongest(grown)
    return User(
        step=name,
        title=words(f"step.{base_of(name)}.name"),
        hue=entry_of(name).hue,
        uses=[_use(run, name, cell, slope, words) for cell, slope in moving[:most]],
        rest=max(0, len(moving) - most),
        note=words(f"onward.{note}") if note else "",
    )


def _grown(run: Run, name: str, step: str, index: Index) -> tuple[Values | None, str]:
    """The slope of every cell of a step in the chosen cell; where all are 0, the reason."""
    array, source = run.trace[name], run.trace[step]
    try:
        grown = pushed(array, source, index)
        if grown is None or grown.any():
            return grown, "switch" if grown is None else ""
        before = pushed(array.inputs[0], source, index) if isinstance(array.operation, Edit) else None
    except NotFinite:
        return None, "steep"
    return None, "replaced" if before is not None and before.any() else _why_still(array, source.value[index])


def _why_still(array: Array, value: float) -> str:
    """Why a number that is read moves nothing: hidden, not the largest, or times 0."""
    operation = operation_of(array)
    if isinstance(operation, Where) or value == -np.inf:
        return "hidden"
    is_max = isinstance(operation, RowTotal) and operation.kind == "max"
    return "smaller" if is_max or isinstance(operation, VisibleMax | Larger) else "times_0"


def strongest(grown: Values) -> list[tuple[Index, float]]:
    """The cells that move and how much, the strongest first; of equals the one that comes first."""
    moving = [(tuple(int(place) for place in cell), float(grown[tuple(cell)])) for cell in np.argwhere(grown)]
    return sorted(moving, key=lambda cell: -abs(cell[1]))


def _use(run: Run, name: str, cell: Index, slope: float, words: Words) -> Use:
    value = float(run.trace[name].value[cell])
    return Use(reference(name, cell), cell_name(run, name, cell, words), show(value), signed(slope, fine=True))
