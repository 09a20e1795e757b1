"""The cells of a matrix in a picture: boxes with numbers, or a heatmap."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from app.drawing.picture import Cell
from app.drawing.theme import THEMES, cell_colour
from app.exports.svg.marks import hatching, mark, words
from app.sheet.slopes import HUE

STRIP = 21.0
"""The height of a slope below its number."""
_ROUND = 5.0


@dataclass(frozen=True, slots=True)
class CellSize:
    """The size of the cells and names of a picture. Without numbers it is a heatmap, its columns named aslant."""

    width: float
    height: float
    gap: float
    letters: float
    numbers: bool
    theme: str
    lit: bool
    slopes: bool
    """True where each number has its slope below it; a heatmap then shows the slopes themselves."""

    @property
    def strip(self) -> float:
        """The room for the slope below a number."""
        return STRIP if self.slopes and self.numbers else 0.0


@dataclass(frozen=True, slots=True)
class Box:
    """The rectangle of a cell."""

    x: float
    y: float
    width: float
    height: float


Placed = tuple[Cell, Box]


def draw_numbers(group: Element, cells: Iterable[Placed], hue: str, room: CellSize) -> None:
    """Draw a coloured box with a number for each cell, its slope below it where that is asked for."""
    for cell, box in cells:
        lit = cell.lit if room.lit else ""
        _box(group, cell, box, cell_colour(room.theme, hue, cell.tone, cell.strength), lit, room)
        _marks_of_edits(group, cell, box, room)
        number = _centred(group, cell.text, box, 18.0, room, **({"font_weight": "bold"} if lit == "chosen" else {}))
        number.set("data-cell", cell.ref)
        if cell.slope and room.slopes:
            below = Box(box.x, box.y + box.height + 2, box.width, STRIP - 3)
            colour = cell_colour(room.theme, HUE, cell.slope_tone, cell.slope_strength)
            mark(group, "rect", **_sides(below), rx=4.0, fill=colour)
            _centred(group, cell.slope, below, 13.0, room).set("data-slope", cell.ref)


def _box(group: Element, cell: Cell, box: Box, colour: str, lit: str, room: CellSize) -> None:
    """Draw the box of a number; outlined where the number is chosen or goes into the chosen one."""
    page = THEMES[room.theme].page
    line, thick = {"": ("line", 1.0), "lit": ("ink", 2.0), "chosen": ("ink", 3.0)}[lit]
    if cell.tone == "hidden":
        mark(group, "rect", **_sides(box), rx=_ROUND, fill=colour)
        mark(group, "path", d=hatching(box.x, box.y, box.width, box.height), stroke=page["hatch"], stroke_width=1.5)
        colour = "none"
    mark(group, "rect", **_sides(box), rx=_ROUND, fill=colour, stroke=page[line], stroke_width=thick)


def _sides(box: Box) -> dict[str, float]:
    return {"x": box.x, "y": box.y, "width": box.width, "height": box.height}


def _centred(group: Element, text: str, box: Box, most: float, room: CellSize, **more: object) -> Element:
    """Write a number in the middle of its box, as large as fits."""
    size = min(most, (box.width - 6) / max(1.0, len(text) * 0.62))
    x, y = box.x + box.width / 2, box.y + box.height / 2 + size * 0.36
    return words(group, text, x, y, size, THEMES[room.theme].page["ink"], text_anchor="middle", **more)


def _marks_of_edits(group: Element, cell: Cell, box: Box, room: CellSize) -> None:
    """Draw a dot for a number that was changed by hand, a corner for one that followed, as on the page."""
    bad = THEMES[room.theme].page["bad"]
    if cell.edited:
        mark(group, "circle", cx=box.x + box.width - 7, cy=box.y + 7, r=3.5, fill=bad)
    if cell.was:
        corner = f"M{box.x:g} {box.y + box.height - 10:g}v10h10z"
        mark(mark(group, "path", d=corner, fill=bad), "title").text = f"{cell.was} → {cell.text}"


def draw_heat(group: Element, cells: Iterable[Placed], hue: str, room: CellSize) -> None:
    """Draw a heatmap, one path a colour. A number below 0 has a dash in its cell, so that its sign is not a matter of colour."""
    page, paths = THEMES[room.theme].page, defaultdict[str, list[str]](list)
    hatched, below = [], []
    for cell, box in cells:
        tone, strength = (cell.slope_tone or "pos", cell.slope_strength) if room.slopes else (cell.tone, cell.strength)
        colour = cell_colour(room.theme, HUE if room.slopes else hue, tone, strength)
        paths[colour].append(f"M{box.x:g} {box.y:g}h{box.width:g}v{box.height:g}h-{box.width:g}z")
        if tone == "hidden":
            hatched.append(hatching(box.x, box.y, box.width, box.height))
        if tone == "neg":
            below.append(f"M{box.x + box.width * 0.3:g} {box.y + box.height / 2:g}h{box.width * 0.4:g}")
    for colour, boxes in paths.items():
        mark(group, "path", d="".join(boxes), fill=colour)
    for lines, colour in ((hatched, page["hatch"]), (below, page["ink-soft"])):
        if lines:
            mark(group, "path", d="".join(lines), stroke=colour, stroke_width=1.0)
