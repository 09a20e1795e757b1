"""One matrix in a picture: its name, the names of rows and columns, its cells."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from app.drawing.picture import Grid
from app.drawing.theme import THEMES
from app.exports.svg.cells import Box, CellSize, Placed, draw_heat, draw_numbers
from app.exports.svg.marks import formula, formula_size, mark, words
from app.text.widths import ems, fit

_TITLE = 16.0
_LONGEST_NAME = 9.0
_SLANT = 60
_SIN, _COS = 0.87, 0.5


class MatrixBlock:
    """A grid that knows its size before it is drawn; ``names`` is the least room for the names of rows."""

    def __init__(self, grid: Grid, room: CellSize, names: float = 0.0) -> None:
        self.grid, self.room = grid, room
        self.page = THEMES[room.theme].page
        self.names = max(names, 10 + room.letters * max((min(ems(name), _LONGEST_NAME) for name in grid.rows), default=0.0))
        slanted = room.letters * max((min(ems(name), _LONGEST_NAME) for name in grid.columns), default=0.0)
        self.head = 28 + (room.letters * 1.5 if room.numbers else 10 + slanted * _SIN)
        self.aside = 0.0 if room.numbers else slanted * _COS
        self.across, self.down = len(grid.columns) * room.width, len(grid.rows) * room.height
        self.width = self.names + max(self.across + self.aside, self._title_width())
        self.height = self.head + self.down

    def _title_width(self) -> float:
        return formula_size(self.grid.symbol, _TITLE)[0] + 8 + _TITLE * 1.06 * ems(self.grid.title)

    def draw(self, parent: Element, x: float, y: float, says: str) -> None:
        """Put the matrix with its upper left corner at a point. ``says`` is what a reader that does not see it is told."""
        group = mark(parent, "g")
        mark(group, "title").text = f"{self.grid.title} ({says})"
        left, top = x + self.names, y + self.head
        ink = THEMES[self.room.theme].text[self.grid.hue]
        width, _ = formula(group, self.grid.symbol, left + 3, y + _TITLE, _TITLE, ink)
        words(group, self.grid.title, left + 11 + width, y + _TITLE, _TITLE, ink, font_weight="bold")
        self._name_rows(group, left, top)
        self._name_columns(group, left, top)
        if self.room.numbers:
            draw_numbers(group, self._cells(left, top), self.grid.hue, self.room)
        else:
            mark(group, "rect", x=left, y=top, width=self.across, height=self.down, fill=self.page["line"])
            draw_heat(group, self._cells(left, top), self.grid.hue, self.room)

    def _name_rows(self, group: Element, left: float, top: float) -> None:
        middle = (self.room.height - self.room.strip) / 2 + self.room.letters * 0.36
        for row, name in enumerate(self.grid.rows):
            y, shown = top + row * self.room.height + middle, fit(name, _LONGEST_NAME)
            words(group, shown, left - 8, y, self.room.letters, self.page["ink-soft"], text_anchor="end")

    def _name_columns(self, group: Element, left: float, top: float) -> None:
        size, soft = self.room.letters, self.page["ink-soft"]
        for column, name in enumerate(self.grid.columns):
            x = left + (column + 0.5) * self.room.width
            if self.room.numbers:
                shown = fit(name, (self.room.width - 2) / size)
                words(group, shown, x, top - 8, size, soft, text_anchor="middle")
            else:
                turned = f"translate({x + size * 0.3:g} {top - 6:g}) rotate(-{_SLANT})"
                words(group, fit(name, _LONGEST_NAME), 0.0, 0.0, size, soft, transform=turned)

    def _cells(self, left: float, top: float) -> Iterator[Placed]:
        """Pair each cell with its box."""
        room = self.room
        width, height = room.width - room.gap, room.height - room.gap - room.strip
        for row, cells in enumerate(self.grid.cells):
            for column, cell in enumerate(cells):
                x, y = left + column * room.width + room.gap / 2, top + row * room.height + room.gap / 2
                yield cell, Box(x, y, width, height)
