"""Painter: from a run to the picture of one step, read off the operation that made it."""

from collections.abc import Callable, Mapping
from typing import Any

from app.core.operations.cellwise import Combine, RowTotal
from app.core.operations.explain import Index
from app.core.operations.numbers import show, signed
from app.core.operations.ops import Divide, MatMul, Operation, Softmax
from app.core.operations.reshape import MergeHeads
from app.core.record.array import Array
from app.drawing.picture import Cell, Grid, Picture, reach, tone_of
from app.glossary import base_of, entry_of
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import reference
from app.sheet.changes import Changes
from app.sheet.labels import axes_of, labels_of, lead_of
from app.sheet.slopes import Influence
from app.sheet.steps import core_of, operation_of

Locate = Callable[[int, int], tuple[str, Index]]
_ROW_WISE = (Softmax, Divide, RowTotal)


class Painter:
    """Draws the grids of one run; the chosen cell and the cells it is made from are lit."""

    def __init__(
        self,
        run: Run,
        step: str,
        index: Index,
        words: Words,
        changes: Changes,
        influence: Influence | None = None,
        reaches: Mapping[str, float] | None = None,
    ) -> None:
        """``reaches``: numbers that take the strongest colour, for steps that share their scale with another run."""
        self.run, self.step, self.index, self.words, self.changes = run, step, index, words, changes
        self.influence = influence
        self.lit = {(term.step, term.index) for term in run.explain(step, index).terms}
        self._reach: dict[str, float] = dict(reaches or {})

    def picture(self) -> Picture:
        """Lay out the step in the way its operation is written on paper."""
        product = product_of(self.run.array(self.step))
        if product is not None and (factors := self._factors(product)):
            return Picture("product", self.own_grid(self.step), *factors)
        operation, inputs = operation_of(self.run.array(self.step)), self.run.inputs(self.step)
        if operation is None or not inputs:
            return Picture("single", self.own_grid(self.step))
        if isinstance(operation, MergeHeads):
            return Picture("map", self.own_grid(self.step), parts=self._heads(inputs[0]))
        parts = [self.own_grid(name, self._lights(name, operation)) for name in inputs]
        return Picture(
            "map", self.own_grid(self.step), parts=parts, between=_between(operation, inputs), sign=self._sign(operation)
        )

    def _lights(self, name: str, operation: Operation) -> str:
        """Which cells of an operand light up when a cell of the result is hovered: its row, column or the same cell."""
        part, own = self.run.shape(name), self.run.shape(self.step)
        if isinstance(operation, _ROW_WISE) or (part[-1] == 1 and own[-1] != 1):
            return "row"
        return "column" if len(part) == 1 or (part[-2] == 1 and own[-2] != 1) else "cell"

    def own_grid(self, step: str, lights: str = "", head: int | None = None) -> Grid:
        """Draw a step's matrix, of the chosen head where it has heads; a single row where it has one axis."""
        shape = self.run.shape(step)
        if len(shape) == 1:
            return self._grid(step, 1, shape[0], lambda row, column: (step, (column,)), lights)
        lead = () if len(shape) == 2 else (self._head(step) if head is None else head,)
        return self._grid(step, shape[-2], shape[-1], lambda row, column: (step, (*lead, row, column)), lights)

    def heads(self) -> list[Grid]:
        """Draw the step's matrix of every head."""
        return self._heads(self.step)

    def chosen_row(self) -> Grid:
        """Draw the chosen row alone, for a matrix that is too large to be drawn whole."""
        *lead, _ = self.index
        return self._grid(self.step, 1, self.run.shape(self.step)[-1], lambda _, column: (self.step, (*lead, column)), "")

    def _head(self, step: str) -> int:
        """The chosen head, as a head of another step: query heads share key/value heads."""
        count = self.run.shape(step)[0]
        if len(self.index) < 3:
            return 0
        return self.index[0] * count // self.run.shape(self.step)[0]

    def _heads(self, step: str) -> list[Grid]:
        return [self.own_grid(step, "", head) for head in range(self.run.shape(step)[0])]

    def _sign(self, operation: Operation) -> str:
        """What stands before the result, in the reader's words where it is a word."""
        return self.words(operation.sign[1:]) if operation.sign.startswith("@") else operation.sign

    def _factors(self, product: Array) -> tuple[Grid, Grid] | None:
        """The two matrices of a product, as the product reads them: shared, turned or cut into heads.

        None where a factor is no named matrix, merely moved.
        """
        left, right = product.inputs
        first = self._first_of(product)
        rows, columns = self.run.shape(self.step)[-2:]
        inner, offset = left.shape[-1], first[-1]
        lead_left, lead_right = first[: left.value.ndim - 2], first[: right.value.ndim - 2]

        def at_left(row: int, column: int) -> tuple[str, Index]:
            return _named(left, (*lead_left, row, column))

        def at_right(row: int, column: int) -> tuple[str, Index]:
            return _named(right, (*lead_right, row, offset + column))

        if not (_is_named(left) and _is_named(right)):
            return None
        return self._grid("", rows, inner, at_left, "row"), self._grid("", inner, columns, at_right, "column")

    def _first_of(self, product: Array) -> Index:
        """The chosen head's first cell, in the indices of the product itself."""
        array: Array = self.run.array(self.step)
        index: Index = (*self.index[:-2], 0, 0)
        while array is not product:
            source = array.operation.source(index) if array.operation else None
            index = index if source is None else source
            array = array.inputs[0]
        return index

    def _grid(self, step: str, rows: int, columns: int, place: Locate, lights: str) -> Grid:
        """A matrix cell by cell; which axes run down and across is seen from how the cells' indices move."""
        step = step or place(0, 0)[0]
        entry = entry_of(step)
        row_axis, row_names = self._names(step, [place(row, 0)[1] for row in range(rows)], place(1, 0)[1], -2)
        column_axis, column_names = self._names(step, [place(0, column)[1] for column in range(columns)], place(0, 1)[1], -1)
        axes = axes_of(self.run, step)
        turned = row_axis in axes and axes.index(row_axis) > axes.index(column_axis)
        return Grid(
            step=step,
            symbol=self._symbol(step) + (r"^{\mathsf{T}}" if turned else ""),
            title=self._title(step, place(0, 0)[1]),
            hue=entry.hue,
            rows=row_names,
            columns=column_names,
            row_axis=self.words(f"axis.{row_axis}"),
            column_axis=self.words(f"axis.{column_axis}"),
            cells=[[self._cell(*place(row, column)) for column in range(columns)] for row in range(rows)],
            lights=lights,
        )

    def _symbol(self, step: str) -> str:
        """A step's symbol; what the same quantity was one tile or token before is called old."""
        symbol = entry_of(step).symbol
        if step == self.step or base_of(step) != base_of(self.step):
            return symbol
        return symbol.replace("_t", "_{t-1}") if "_t" in symbol else f"{symbol}_{{old}}"

    def _title(self, step: str, first: Index) -> str:
        title = self.words(f"step.{base_of(step)}.name")
        shape = self.run.shape(step)
        many = len(shape) == 3 and shape[0] > 1
        return title + (self.words(f"cell.{lead_of(step)}", head=first[0] + 1) if many else "")

    def _names(self, step: str, places: list[Index], next_: Index, usual: int) -> tuple[str, list[str]]:
        """The axis along which a grid runs, and the names on it."""
        here, axes = places[0], axes_of(self.run, step)
        moved = [axis for axis in range(len(axes)) if here[axis] != next_[axis]]
        axis = moved[-1] if moved else len(axes) + usual
        if axis < 0:
            return "one", [""] * len(places)
        labels = labels_of(self.run, step)[axis]
        return axes[axis], [labels[place[axis]] for place in places]

    def _cell(self, step: str, index: Index) -> Cell:
        value = self.run.number(step, index)
        if step not in self._reach:
            self._reach[step] = reach(self.run, step)
        tone, strength = tone_of(value, self._reach[step])
        chosen = step == self.step and index == self.index
        return Cell(
            ref=reference(step, index),
            text=show(value),
            tone=tone,
            strength=strength,
            lit="chosen" if chosen else "lit" if (step, index) in self.lit else "",
            edited=index in self.run.edited(step),
            was=self.changes.was(step, index),
            **self._slope(step, index),
        )

    def _slope(self, step: str, index: Index) -> dict[str, Any]:
        """The slope in this cell of the one that is asked about; nothing where the step does not move it."""
        if not self.influence or self.influence.bond(step) != "moves":
            return {}
        slope = float(self.influence.of_step(step)[index])
        tone, strength = tone_of(slope, self.influence.reach(step))
        return {"slope": signed(slope), "slope_tone": tone, "slope_strength": strength}


def product_of(array: Array) -> Array | None:
    """The product behind a step, also where a bias is added to it; None where it is no product."""
    core = core_of(array)
    if isinstance(core.operation, Combine) and core.operation.between == "+" and not core.inputs[0].name:
        core = core_of(core.inputs[0])
    return core if isinstance(core.operation, MatMul) else None


def _between(operation: Operation, inputs: list[str]) -> str:
    """The sign between two parts."""
    return operation.between if isinstance(operation, Combine) and len(inputs) == 2 else ""


def _is_named(array: Array) -> bool:
    """True for a named matrix, or one whose cells are merely moved."""
    while not array.name:
        if array.operation is None or array.operation.source((0,) * array.value.ndim) is None:
            return False
        array = array.inputs[0]
    return True


def _named(array: Array, index: Index) -> tuple[str, Index]:
    """The named cell that a nameless, moved cell is."""
    while not array.name:
        source = array.operation.source(index) if array.operation else None
        assert source is not None
        array, index = array.inputs[0], source
    return array.name, index
