"""Large: steps too large for numbers on a projector: their colours first, and the chosen row in numbers."""

import math
from dataclasses import dataclass

from app import limits
from app.address.looking import head_tabs
from app.drawing.painter import Painter
from app.drawing.picture import Cell
from app.drawing.thumbnail import Thumbnail, make_thumbnail
from app.glossary import base_of
from app.language.words import Words
from app.pages.projector.measure import ems, number_ems
from app.pages.projector.stage import INNER
from app.run.run import Run
from app.sheet.cells import Place

_NUMBER, _NAME = 30, 28
_LINES = 2
"""Lines of numbers at most, so that the colours have room."""


@dataclass(frozen=True, slots=True)
class Heat:
    """The colours of one head, the chosen cell in them, and how large they are drawn."""

    title: str
    thumbnail: Thumbnail
    row: int
    column: int
    side: float


@dataclass(frozen=True, slots=True)
class Strip:
    """The chosen row as numbers with their names, in so many lines."""

    row: str
    cells: list[tuple[str, Cell]]
    cell_w: float
    lines: int
    first: int
    """The place of its first number in the row; a long row is shown in parts."""
    count: int
    """The numbers of the whole row."""

    @property
    def height(self) -> float:
        return 54 + self.lines * 96


def make_strip(painter: Painter) -> Strip:
    """The chosen row in numbers."""
    grid = painter.chosen_row()
    cells, count = grid.cells[0], len(grid.columns)
    longest = max(number_ems(cell.text) for cell in cells) * _NUMBER + 22
    width = max(longest, min(130.0, max(map(ems, grid.columns)) * _NAME + 12), 62.0)
    across = int(INNER // (width + 8))
    part = across * _LINES
    first = painter.index[-1] // part * part
    presentation = list(zip(grid.columns, cells, strict=True))[first : first + part]
    return Strip(grid.rows[0], presentation, width, math.ceil(len(presentation) / across), first, count)


def make_heats(run: Run, place: Place, height: float, words: Words) -> list[Heat]:
    """The heatmap of the chosen head, or of every head."""
    index = place.index
    row, column = (index[-2] if len(index) > 1 else 0), index[-1]
    if not place.all_heads:
        title = words(f"step.{base_of(place.step)}.name")
        head = index[0] if len(index) == 3 else 0
        drawn = make_thumbnail(run, place.step, head, most=limits.WIDTH)
        return [Heat(title, drawn, row, column, min(height - 50, INNER * 0.42))]
    tabs = head_tabs(run, place, words)
    side = _side(len(tabs), best_across(len(tabs), height), height)
    drawings = [make_thumbnail(run, place.step, head, most=limits.WIDTH) for head in range(len(tabs))]
    return [Heat(name, drawn, row, column, side) for (name, _), drawn in zip(tabs, drawings, strict=True)]


def _side(count: int, across: int, height: float) -> float:
    """How large each of so many drawings is, with so many beside each other."""
    return min(height / math.ceil(count / across) - 64, INNER / across - 64)


def best_across(count: int, height: float) -> int:
    """How many drawings beside each other make them largest."""
    return max(range(1, count + 1), key=lambda across: _side(count, across, height))
