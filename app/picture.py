"""Picture: one step laid out as it is taught, cell by cell, with what is lit. The page draws it as it stands."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from app import limits
from app.core.array import Array
from app.core.explain import Index
from app.core.numbers import show
from app.core.ops import Divide as DivideByRowSum
from app.core.ops import DivideByRoot, MatMul, Multiply, Softmax, Where
from app.glossary import base_of, entry_of
from app.run import Run
from app.sheet import axis_labels, core_of, operation_of
from app.words import Words

Place = Callable[[int, int], tuple[str, Index]]


@dataclass(frozen=True, slots=True)
class Cell:
    """A number in its box: its text, how strong its colour is (0 to 1), and whether it is lit."""

    ref: str
    text: str
    tone: str
    strength: float
    lit: str = ""
    edited: bool = False


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
    """A step on paper. ``product``: left, above, result. ``map``: parts and signs, then the result. ``single``: the result."""

    layout: str
    result: Grid
    left: Grid | None = None
    above: Grid | None = None
    parts: list[Grid] = field(default_factory=list)
    sign: str = ""


def reference(step: str, index: Index) -> str:
    """A cell as it is written in a URL: ``scores[0,2,1]``."""
    return f"{step}[{','.join(map(str, index))}]"


def fits(run: Run, step: str) -> bool:
    """True where a number can be printed in every cell of the step and of what it is made from."""
    drawn = [run.trace[step].shape[-2:]]
    for name in run.trace.inputs(step):
        rows, columns = run.trace[name].shape[-2:]
        drawn.append((rows, run.sizes.d_head if name in ("w_q", "w_k", "w_v") else columns))
    return max(max(shape) for shape in drawn) <= limits.NUMBERS_IN_CELLS


class Painter:
    """Draws the grids of one run; the chosen cell and the cells it is made from are lit."""

    def __init__(self, run: Run, step: str, index: Index, words: Words) -> None:
        self.run, self.step, self.index, self.words = run, step, index, words
        self.lit = {(term.step, term.index) for term in run.trace.explain(step, index).terms}
        self._reach = {name: reach(run, name) for name in (step, *run.trace.inputs(step))}

    def picture(self) -> Picture:
        """Lay out the step in the way its operation is written on paper."""
        operation = operation_of(self.run.trace[self.step])
        result = self.own_grid(self.step)
        if isinstance(operation, MatMul):
            left, above = self._factors()
            return Picture("product", result, left, above)
        inputs = self.run.trace.inputs(self.step)
        if operation is None or not inputs:
            return Picture("single", result)
        if operation.layout == "join":
            return Picture("map", result, parts=self._heads(inputs[0]), sign="")
        row_wise = isinstance(operation, Softmax | DivideByRowSum)
        lights = "row" if row_wise else "cell"
        parts = [self.own_grid(name, lights) for name in inputs]
        return Picture("map", result, parts=parts, sign=self._sign(operation))

    def own_grid(self, step: str, lights: str = "", head: int | None = None) -> Grid:
        """A step's matrix, of the chosen head where it has heads."""
        shape = self.run.trace[step].shape
        lead = () if len(shape) == 2 else (self._head(step) if head is None else head,)
        return self._grid(step, shape[-2], shape[-1], lambda row, column: (step, (*lead, row, column)), lights)

    def _head(self, step: str) -> int:
        """The chosen head, as a head of another step: query heads share key/value heads."""
        count = self.run.trace[step].shape[0]
        if len(self.index) == 2:
            return 0
        return self.index[0] * count // self.run.trace[self.step].shape[0]

    def _heads(self, step: str) -> list[Grid]:
        return [self.own_grid(step, "", head) for head in range(self.run.trace[step].shape[0])]

    def _sign(self, operation: object) -> str:
        if isinstance(operation, DivideByRoot):
            return f"÷ √{operation.width}"
        if isinstance(operation, Multiply):
            return f"× {show(operation.factor, 12)}"
        if isinstance(operation, Where):
            return self.words("sign.where")
        if isinstance(operation, Softmax):
            return self.words("choice.softmax")
        if isinstance(operation, DivideByRowSum):
            return self.words("sign.division")
        return "+"

    def _factors(self) -> tuple[Grid, Grid]:
        """The two matrices of a product, as the product reads them: shared, turned or cut into heads."""
        left, right = core_of(self.run.trace[self.step]).inputs
        first = self._first_of_product()
        rows, columns = self.run.trace[self.step].shape[-2:]
        inner, offset = left.shape[-1], first[-1]
        lead_left, lead_right = first[: left.value.ndim - 2], first[: right.value.ndim - 2]

        def at_left(row: int, column: int) -> tuple[str, Index]:
            return _named(left, (*lead_left, row, column))

        def at_right(row: int, column: int) -> tuple[str, Index]:
            return _named(right, (*lead_right, row, offset + column))

        return self._read_grid(rows, inner, at_left, "row"), self._read_grid(inner, columns, at_right, "column")

    def _first_of_product(self) -> Index:
        """The chosen head's first cell, in the indices of the product itself."""
        array: Array = self.run.trace[self.step]
        index: Index = (*self.index[:-2], 0, 0)
        core = core_of(array)
        while array is not core:
            source = array.operation.source(index) if array.operation else None
            index = index if source is None else source
            array = array.inputs[0]
        return index

    def _read_grid(self, rows: int, columns: int, place: Place, lights: str) -> Grid:
        return self._grid(place(0, 0)[0], rows, columns, place, lights)

    def _grid(self, step: str, rows: int, columns: int, place: Place, lights: str) -> Grid:
        entry = entry_of(step)
        row_axis, row_names = self._names(step, [place(row, 0)[1] for row in range(rows)], place(0, 0)[1], place(1, 0)[1], -2)
        column_axis, column_names = self._names(
            step, [place(0, column)[1] for column in range(columns)], place(0, 0)[1], place(0, 1)[1], -1
        )
        turned = entry.axes.index(row_axis) > entry.axes.index(column_axis)
        cells = [[self._cell(*place(row, column)) for column in range(columns)] for row in range(rows)]
        return Grid(
            step=step,
            symbol=entry.symbol + (r"^{\mathsf{T}}" if turned else ""),
            title=self._title(step, place(0, 0)[1]),
            hue=entry.hue,
            rows=row_names,
            columns=column_names,
            row_axis=self.words(f"axis.{row_axis}"),
            column_axis=self.words(f"axis.{column_axis}"),
            cells=cells,
            lights=lights,
        )

    def _title(self, step: str, first: Index) -> str:
        title = self.words(f"step.{base_of(step)}.name")
        shape = self.run.trace[step].shape
        return title + (self.words("cell.head", head=first[0] + 1) if len(shape) == 3 and shape[0] > 1 else "")

    def _names(self, step: str, places: list[Index], here: Index, next_: Index, usual: int) -> tuple[str, list[str]]:
        """The axis along which a grid runs, and the names on it."""
        shape, axes = self.run.trace[step].shape, entry_of(step).axes
        moved = [axis for axis in range(len(shape)) if here[axis] != next_[axis]]
        axis = moved[-1] if moved else len(shape) + usual
        labels = axis_labels(self.run, axes[axis], shape[axis])
        return axes[axis], [labels[place[axis]] for place in places]

    def _cell(self, step: str, index: Index) -> Cell:
        value = float(self.run.trace[step].value[index])
        tone, strength = tone_of(value, self._reach[step])
        chosen = step == self.step and index == self.index
        return Cell(
            ref=reference(step, index),
            text=show(value),
            tone=tone,
            strength=strength,
            lit="chosen" if chosen else "lit" if (step, index) in self.lit else "",
            edited=index in self.run.trace.edited(step),
        )


def reach(run: Run, step: str) -> float:
    """The number that takes the strongest colour: 1 for weights and masks, else the largest size over all heads."""
    if entry_of(step).unit_range:
        return 1.0
    values = np.abs(run.trace[step].value)
    return float(values[np.isfinite(values)].max(initial=0)) or 1.0


def tone_of(value: float, most: float) -> tuple[str, float]:
    """The tone of a cell (``pos``, ``neg``, ``hidden``) and the strength of its colour, 0 to 1."""
    if value == -np.inf:
        return "hidden", 0.0
    return ("neg" if value < 0 else "pos"), round(min(1.0, abs(value) / most), 2)


def _named(array: Array, index: Index) -> tuple[str, Index]:
    """The named cell that a nameless, moved cell is."""
    while not array.name:
        source = array.operation.source(index) if array.operation else None
        if source is None:
            raise ValueError("the factors of a product are named cells, moved at most")
        array, index = array.inputs[0], source
    return array.name, index
