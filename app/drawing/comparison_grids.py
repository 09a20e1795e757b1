"""A, B and B − A of one step as three matrices: cell by cell, or as plain tables where they are too large for that."""

from dataclasses import dataclass, replace

from app import limits
from app.core.measures.difference import Difference
from app.core.operations.explain import Index
from app.core.operations.numbers import show
from app.drawing.comparison_sides import (
    Side,
    head_in,
    hue_of,
    joined_labels,
    reach_of,
    run_of,
    say_change,
    shared_reach,
    sides_of,
)
from app.drawing.painter import Painter
from app.drawing.picture import Cell, Grid, Legend, Picture, make_legend, tone_of
from app.glossary import entry_of
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import reference
from app.sheet.changes import Changes
from app.sheet.comparison import Comparison
from app.sheet.labels import labels_of, lead_of
from app.sheet.slopes import Influence

_NO_CHANGES = Changes({}, {})


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A matrix as text, for a page without scripts."""

    caption: str
    columns: list[str]
    rows: list[tuple[str, list[str]]]


def contrast_fits(comparison: Comparison, step: str) -> bool:
    """True where a number can be printed in every cell of all sides."""
    shapes = [run.shape(step)[-2:] for run in (comparison.a, comparison.b) if step in run.steps]
    return max(max(shape) for shape in shapes) <= limits.NUMBERS_IN_CELLS


def make_contrast_picture(
    comparison: Comparison, step: str, index: Index, words: Words, influence: Influence | None = None
) -> Picture:
    """The matrices side by side: ``result`` is B, whose cells are chosen and edited; ``parts`` are A and B − A.

    ``influence``: the slopes that stand in B's cells.
    """
    reaches = {step: shared_reach(comparison, step)}
    b = Painter(comparison.b, step, index, words, _NO_CHANGES, influence, reaches).own_grid(step)
    own = comparison.steps[step].difference
    parts = [_of_a(comparison, step, index, words, reaches)] if step in comparison.a.steps else []
    if own is not None:
        parts.append(_of_difference(comparison, b, own, index, words))
    return Picture("contrast", _titled(b, "b", words), parts=parts)


def _titled(grid: Grid, side: Side, words: Words) -> Grid:
    """Put the name of its side, A or B, before the title of a matrix."""
    return replace(grid, title=f"{words(f'compare.{side}')}: {grid.title}")


def heads_of_side(comparison: Comparison, step: str, side: Side, words: Words) -> list[Grid]:
    """The matrices of all heads of one side, for sides that differ in their number of heads."""
    reaches = {step: shared_reach(comparison, step)}
    grids = Painter(run_of(comparison, side), step, (0, 0, 0), words, _NO_CHANGES, reaches=reaches).heads()
    return [_titled(grid, side, words) for grid in grids]


def _of_a(comparison: Comparison, step: str, index: Index, words: Words, reaches: dict[str, float]) -> Grid:
    """The matrix of A, whose cells link to the same cells of B where these exist."""
    there = _nearest_in_a(comparison, step, index)
    grid = Painter(comparison.a, step, there, words, _NO_CHANGES, reaches=reaches).own_grid(step, "cell")
    same = comparison.steps[step].difference is not None
    cells = [[_still(cell, same) for cell in row] for row in grid.cells]
    return replace(_titled(grid, "a", words), cells=cells)


def _still(cell: Cell, same: bool) -> Cell:
    """Make a cell of A read-only: it links to B's cell and cannot be edited; the chosen one is lit."""
    lit = "lit" if same and cell.lit == "chosen" else ""
    return replace(cell, ref=cell.ref if same else "", lit=lit, edited=False)


def _nearest_in_a(comparison: Comparison, step: str, index: Index) -> Index:
    """The cell of A at the place of a cell of B, or the nearest one where A is smaller."""
    shape = comparison.a.shape(step)
    here = (0,) * (len(shape) - len(index)) + index[-len(shape) :]
    if len(shape) == len(index) == 3:
        here = (head_in(comparison, step, "a", index[0]) or 0, *index[1:])
    return tuple(min(place, count - 1) for place, count in zip(here, shape, strict=True))


def _of_difference(comparison: Comparison, b: Grid, difference: Difference, index: Index, words: Words) -> Grid:
    """The matrix of B − A, laid out as B; labels that differ are written one below the other."""
    labels = [[name.replace(" / ", " /\n") for name in axis] for axis in ([""], *joined_labels(comparison, b.step))[-2:]]
    lead = index[:-2] if difference.values.ndim > 2 else ()
    values = difference.values[lead] if difference.values.ndim > 1 else difference.values[None]
    cells = [
        [
            _change(cell, float(value), difference, cell.ref == reference(b.step, index), words)
            for cell, value in zip(*row, strict=True)
        ]
        for row in zip(b.cells, values, strict=True)
    ]
    own_hue, (rows, columns) = hue_of(b.step, "difference"), labels
    return replace(_titled(b, "difference", words), hue=own_hue, rows=rows, columns=columns, cells=cells, lights="cell")


def _change(cell: Cell, value: float, difference: Difference, chosen: bool, words: Words) -> Cell:
    tone, strength = tone_of(value, reach_of(difference)) if abs(value) < float("inf") else ("hidden", 0.0)
    both = cell.tone == "hidden" and value == 0
    text = words("compare.hidden_in_both") if both else say_change(value, words)
    return Cell(cell.ref, text, "hidden" if both else tone, strength, "lit" if chosen else "")


def make_legends(comparison: Comparison, step: str) -> tuple[Legend, Legend | None]:
    """Make the legend of the colour scale that A and B share, and that of their difference."""
    entry, own = entry_of(step), comparison.steps[step].difference
    shared = make_legend(shared_reach(comparison, step), entry.hue, not entry.unit_range)
    return shared, make_legend(reach_of(own), hue_of(step, "difference"), True) if own and own.at else None


def make_tables(comparison: Comparison, step: str, head: int | None, words: Words) -> list[PlainTable]:
    """Write A, B and B − A as tables of text, for one head or for all."""
    tables = []
    for side in sides_of(comparison, step):
        run, own = run_of(comparison, side), comparison.steps[step].difference
        values = run.values(step) if side != "difference" or own is None else own.values
        labels = joined_labels(comparison, step) if side == "difference" else labels_of(run, step)
        columns, rows = labels[-1], labels[-2] if len(labels) > 1 else [""]
        for lead in _leads(values.shape, head_in(comparison, step, side, head)):
            matrix = values[lead] if lead else values.reshape(len(rows), len(columns))
            texts = [[say_change(v, words) if side == "difference" else show(v) for v in row] for row in matrix.astype(float)]
            caption = words(f"compare.{side}") + _title(run, step, lead, words)
            tables.append(PlainTable(caption, columns, list(zip(rows, texts, strict=True))))
    return tables


def _leads(shape: tuple[int, ...], head: int | None) -> list[Index]:
    if len(shape) < 3:
        return [()]
    return [(place,) for place in (range(shape[0]) if head is None else [head])]


def _title(run: Run, step: str, lead: Index, words: Words) -> str:
    many = lead and run.shape(step)[0] > 1
    return ": " + words(f"cell.{lead_of(step)}_title", head=lead[0] + 1) if many else ""
