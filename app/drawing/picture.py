"""Picture: one step laid out as it is taught, cell by cell, with what is lit. The page draws it as it stands."""

import math
from dataclasses import dataclass, field

import numpy as np

from app import limits
from app.core.operations.numbers import show
from app.glossary import entry_of
from app.run.run import Run


@dataclass(frozen=True, slots=True)
class Cell:
    """A number in its box: its text, how strong its colour is (0 to 1), and whether it is lit."""

    ref: str
    text: str
    tone: str
    strength: float
    lit: str = ""
    edited: bool = False
    was: str = ""
    """What stood here before the edits, where it was another number."""
    slope: str = ""
    """How much the cell that is asked about grows with this one, where that is asked; with its tone and strength."""
    slope_tone: str = ""
    slope_strength: float = 0.0

    @property
    def looks(self) -> str:
        """The CSS classes of the cell."""
        return f"c {self.tone} {self.lit}".rstrip() + " edited" * self.edited + " changed" * bool(self.was)


@dataclass(frozen=True, slots=True)
class Grid:
    """A matrix with its names along the side and on top."""

    step: str
    symbol: str
    title: str
    hue: str
    rows: list[str]
    columns: list[str]
    row_axis: str
    column_axis: str
    cells: list[list[Cell]]
    lights: str = ""
    """What a hovered cell of the result lights here: its ``row``, ``column`` or ``cell``."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The layout of one step and its operands.

    ``product``: left, above, result. ``map``: parts and signs, then the result. ``single``: the result.
    """

    layout: str
    result: Grid
    left: Grid | None = None
    above: Grid | None = None
    parts: list[Grid] = field(default_factory=list)
    between: str = ""
    """What stands between the parts, such as +."""
    sign: str = ""
    """What is done to them, before the arrow to the result."""


@dataclass(frozen=True, slots=True)
class Legend:
    """What the colours mean: the numbers at both ends."""

    low: str
    high: str
    hue: str
    signed: bool


def make_legend(most: float, hue: str, signed: bool) -> Legend:
    """The legend of a colour scale that ends at a number."""
    return Legend(show(-most) if signed else "0", ("+" if signed else "") + show(most), hue, signed)


def fits(run: Run, step: str) -> bool:
    """True where a number can be printed in every cell of the step and of what it is made from."""
    drawn = [run.shape(step)[-2:]]
    for name in run.inputs(step):
        *rows, columns = run.shape(name)[-2:]
        drawn.append((*rows, run.sizes.d_head if entry_of(name).cut_by_head else columns))
    return max(max(shape) for shape in drawn) <= limits.NUMBERS_IN_CELLS


def reach(run: Run, step: str) -> float:
    """The end of a step's colour scale: 1 for weights and masks, else the largest size over all heads."""
    if entry_of(step).unit_range:
        return 1.0
    values = np.abs(run.values(step))
    return float(values[np.isfinite(values)].max(initial=0)) or 1.0


def tone_of(value: float, most: float) -> tuple[str, float]:
    """The tone of a cell (``pos``, ``neg``, ``hidden``) and the strength of its colour, 0 to 1."""
    if value == -math.inf:
        return _HIDDEN, 0.0
    return _TONES[value < 0], round(min(1.0, abs(value) / most), 2)


def level_of(value: float, most: float) -> str:
    """CSS classes for a value: its sign and one of seven colour levels, as in ``pos l4``."""
    return _HIDDEN if value == -math.inf else _CLASSES[value < 0][round(min(1.0, abs(value) / most) * _LEVELS)]


_HIDDEN, _TONES, _LEVELS = "hidden", ("pos", "neg"), 6
_CLASSES = tuple([f"{tone} l{level}" for level in range(_LEVELS + 1)] for tone in _TONES)


def legend_of(run: Run, step: str) -> Legend:
    """Make the legend of the colours of a step."""
    entry = entry_of(step)
    return make_legend(reach(run, step), entry.hue, not entry.unit_range)
