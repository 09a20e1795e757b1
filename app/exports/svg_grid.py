"""One matrix in a picture: its name, the names of rows and columns, a coloured cell for each number."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from app.exports.svg_marks import formula, formula_size, hatching, mark, words
from app.picture import Cell, Grid
from app.text.room import ems, fit
from app.theme import THEMES, cell_colour

_TITLE = 16.0
_LONGEST_NAME = 9.0
_SLANT = 60
_SIN, _COS = 0.87, 0.5


@dataclass(frozen=True, slots=True)
class Room:
    """How large the cells and names of a picture are. Without numbers it is a heatmap, its columns named aslant."""

    width: float
    height: float
    gap: float
    letters: float
    numbers: bool
    theme: str
    lit: bool


class Matrix:
    """A grid that knows its size before it is drawn; ``names`` is the least room for the names of rows."""

    def __init__(self, grid: Grid, room: Room, names: float = 0.0) -> None:
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
        draw = self._numbers if self.room.numbers else self._heat
        draw(group, left, top)

    def _name_rows(self, group: Element, left: float, top: float) -> None:
        for row, name in enumerate(self.grid.rows):
            y = top + (row + 0.5) * self.room.height + self.room.letters * 0.36
            shown = fit(name, _LONGEST_NAME)
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

    def _places(self, left: float, top: float) -> Iterator[tuple[Cell, float, float, float, float]]:
        """Each cell with its box: x, y, width, height."""
        room = self.room
        for row, cells in enumerate(self.grid.cells):
            for column, cell in enumerate(cells):
                x, y = left + column * room.width + room.gap / 2, top + row * room.height + room.gap / 2
                yield cell, x, y, room.width - room.gap, room.height - room.gap

    def _numbers(self, group: Element, left: float, top: float) -> None:
        for cell, x, y, width, height in self._places(left, top):
            colour = cell_colour(self.room.theme, self.grid.hue, cell.tone, cell.strength)
            lit = cell.lit if self.room.lit else ""
            line, thick = {"": ("line", 1.0), "lit": ("ink", 2.0), "chosen": ("ink", 3.0)}[lit]
            if cell.tone == "hidden":
                mark(group, "rect", x=x, y=y, width=width, height=height, rx=5.0, fill=colour)
                mark(group, "path", d=hatching(x, y, width, height), stroke=self.page["hatch"], stroke_width=1.5)
                colour = "none"
            mark(
                group,
                "rect",
                x=x,
                y=y,
                width=width,
                height=height,
                rx=5.0,
                fill=colour,
                stroke=self.page[line],
                stroke_width=thick,
            )
            self._marks_of_edits(group, cell, x, y, width, height)
            size = min(18.0, (width - 6) / max(1.0, len(cell.text) * 0.62))
            bold = {"font_weight": "bold"} if lit == "chosen" else {}
            number = words(
                group,
                cell.text,
                x + width / 2,
                y + height / 2 + size * 0.36,
                size,
                self.page["ink"],
                text_anchor="middle",
                **bold,
            )
            number.set("data-cell", cell.ref)

    def _marks_of_edits(self, group: Element, cell: Cell, x: float, y: float, width: float, height: float) -> None:
        """A dot for a number that was changed by hand, a corner for one that followed, as on the page."""
        if cell.edited:
            mark(group, "circle", cx=x + width - 7, cy=y + 7, r=3.5, fill=self.page["bad"])
        if cell.was:
            corner = f"M{x:g} {y + height - 10:g}v10h10z"
            mark(mark(group, "path", d=corner, fill=self.page["bad"]), "title").text = f"{cell.was} → {cell.text}"

    def _heat(self, group: Element, left: float, top: float) -> None:
        """One path a colour. A number below 0 has a dash in its cell, so that its sign is not a matter of colour."""
        paths: dict[str, list[str]] = defaultdict(list)
        hatched, below = [], []
        for cell, x, y, width, height in self._places(left, top):
            colour = cell_colour(self.room.theme, self.grid.hue, cell.tone, cell.strength)
            paths[colour].append(f"M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z")
            if cell.tone == "hidden":
                hatched.append(hatching(x, y, width, height))
            if cell.tone == "neg":
                below.append(f"M{x + width * 0.3:g} {y + height / 2:g}h{width * 0.4:g}")
        mark(group, "rect", x=left, y=top, width=self.across, height=self.down, fill=self.page["line"])
        for colour, boxes in paths.items():
            mark(group, "path", d="".join(boxes), fill=colour)
        for lines, colour in ((hatched, self.page["hatch"]), (below, self.page["ink-soft"])):
            if lines:
                mark(group, "path", d="".join(lines), stroke=colour, stroke_width=1.0)
