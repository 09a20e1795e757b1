"""Paper: how large a picture is in print, in millimetres, and in which of the sizes and layouts it fits."""

from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import east_asian_width

from app.drawing.picture import Grid, Picture
from app.text.widths import shorten_name

PAPERS = {"a4": (190.0, 215.0), "letter": (196.0, 197.0)}
"""What may be printed on, and the width and height that a picture may take there; its title and frame need the rest."""
_POINT = 0.3528


@dataclass(frozen=True, slots=True)
class Size:
    """One size of print: type in points; the narrowest columns and the rows of numbers and of blanks; the widest word."""

    type: float
    column: float
    row: float
    blank_column: float
    blank_row: float
    word: float


SIZES = (
    Size(10, 10.0, 7.0, 14.0, 10.0, 20.0),
    Size(8.5, 8.5, 6.0, 12.0, 9.0, 16.0),
    Size(7.5, 7.5, 5.5, 10.5, 8.5, 13.0),
    Size(7, 6.5, 5.0, 10.0, 8.0, 10.5),
    Size(6, 5.5, 4.5, 10.0, 8.0, 10.0),
)
"""From roomy to dense. A blank is never smaller than 10 mm by 8 mm, which a pencil needs."""
_HEADING = 40.0
"""Millimetres that the heading of the first page takes."""
_COMPACT = SIZES[1:]
_IN_A_LINE = 3
"""Sizes that are tried for operands and result side by side, before they stand below each other in a larger size."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A picture that fits: ``cross`` (left, above, result where they cross) or ``rows`` (one below the other), and its size."""

    layout: str
    size: Size
    tall: bool = False
    """True where the frame of the sum need not stay on the same page."""

    def style(self, grid: Grid, wide: bool = False, tall: bool = False, beside: Iterable[Grid] = ()) -> str:
        """A grid's measures as custom properties: ``wide`` columns and ``tall`` rows have room for a pencil.

        Grids that stand in line (``beside``) share their columns and the room for names.
        """
        grids = (grid, *beside)
        measures = {
            "names": f"{max(_names(other, self.size) for other in grids):.2f}mm",
            "column": f"{max(_column(other, self.size, wide) for other in grids):.2f}mm",
            "row": f"{self.size.blank_row if tall else self.size.row:g}mm",
            "type": f"{self.size.type:g}pt",
        }
        return ";".join(f"--{name}:{value}" for name, value in measures.items())


def fit_picture(picture: Picture, paper: str) -> Fit | None:
    """The roomiest way to print a picture whose result has blanks; None where it is too large for the paper."""
    operands = [grid for grid in (picture.left, picture.above, *picture.parts) if grid]
    crossing = _fit_crossing(picture.left, picture.above, picture.result, paper) if picture.left and picture.above else None
    return crossing or _fit_in_a_line(picture, operands, paper) or _fit_below(operands, picture.result, paper)


def _fit_crossing(left: Grid, above: Grid, result: Grid, paper: str) -> Fit | None:
    width, height = PAPERS[paper]
    for size in SIZES:
        down = _height(above, size, False) + _height(result, size, True)
        if _cross_width(left, above, result, size) <= width and down <= height:
            return Fit("cross", size, down > height / 2)
    return None


def _fit_in_a_line(picture: Picture, operands: list[Grid], paper: str) -> Fit | None:
    sizes = (size for size in SIZES[:_IN_A_LINE] if _line_width(picture, operands, size) <= PAPERS[paper][0])
    return next((Fit("rows", size) for size in sizes), None)


def _fit_below(operands: list[Grid], result: Grid, paper: str) -> Fit | None:
    """Each matrix below the one before; all on the first page if any size can."""
    sizes = [size for size in SIZES if all(_fits(grid, size, grid is result, paper) for grid in (*operands, result))]
    width, height = PAPERS[paper]
    heights = {size: _wrapped(operands, size, width) + _height(result, size, True) for size in sizes}
    size = next((size for size in sizes if heights[size] <= height - _HEADING), sizes[-1] if sizes else None)
    return Fit("rows", size, heights[size] > height / 2) if size else None


def _wrapped(grids: list[Grid], size: Size, width: float) -> float:
    """The height of matrices side by side, as many on a line as there is room for."""
    lines, across = [0.0], 0.0
    for grid in grids:
        across += _width(grid, size, False) + 12
        if across > width:
            lines, across = [*lines, 0.0], _width(grid, size, False) + 12
        lines[-1] = max(lines[-1], _height(grid, size, False))
    return sum(lines)


def fit_grid(grid: Grid, paper: str) -> Fit | None:
    """Lay out a single matrix without blanks, which may be printed small."""
    return next((Fit("rows", size) for size in _COMPACT if _fits(grid, size, False, paper)), None)


def _fits(grid: Grid, size: Size, blanks: bool, paper: str) -> bool:
    width, height = PAPERS[paper]
    return _width(grid, size, blanks) <= width and _height(grid, size, blanks) <= height


def _cross_width(left: Grid, above: Grid, result: Grid, size: Size) -> float:
    column = max(_column(result, size, True), _column(above, size, True))
    return _width(left, size, False) + 6 + max(_names(grid, size) for grid in (above, result)) + column * len(result.columns)


def _line_width(picture: Picture, operands: list[Grid], size: Size) -> float:
    """The width of operands, signs and result side by side."""
    signs = 8.0 * len(operands) + letters(picture.sign) * 12 * _POINT
    return sum(_width(grid, size, False) for grid in operands) + signs + _width(picture.result, size, True)


def _width(grid: Grid, size: Size, blanks: bool) -> float:
    return _names(grid, size) + _column(grid, size, blanks) * len(grid.columns)


def _height(grid: Grid, size: Size, blanks: bool) -> float:
    """Rows, the names on top, and the matrix's own name."""
    row = max(size.blank_row if blanks else size.row, 2 * size.type * _POINT)
    return row * len(grid.rows) + 5.5 * size.type * _POINT


def _column(grid: Grid, size: Size, blanks: bool) -> float:
    """The width of a column: its longest number, and its word up to the widest one."""
    longest = max((letters(cell.text) for row in grid.cells for cell in row), default=1.0)
    word = min(size.word, max((letters(name) for name in grid.columns), default=0.0) * size.type * _POINT + 2.0)
    return max(size.blank_column if blanks else size.column, longest * size.type * _POINT + 1.6, word)


def _names(grid: Grid, size: Size) -> float:
    longest = max((letters(name) for name in grid.rows), default=0.0)
    return min(longest * size.type * _POINT + 2.6, 2 * size.word) if longest else 1.0


def letters(text: str) -> float:
    """The width of a text in letters: a kana or kanji counts one, a Latin letter or a digit less."""
    return sum(1.0 if east_asian_width(char) in "WF" or ord(char) > 0xFFFF else 0.62 for char in shorten_name(text))
