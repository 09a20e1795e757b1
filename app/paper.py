"""Paper: how large a picture is in print, in millimetres, and in which of the sizes and layouts it fits."""

from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import east_asian_width

from app.picture import Grid, Picture

PAPERS = {"a4": (186.0, 240.0), "letter": (192.0, 222.0)}
"""What may be printed on, and the width and height that a picture may take there."""
_POINT = 0.3528
_LONGEST_NAME = 16
"""Letters of a word at the edge of a matrix; the whole word stands in the sentence above."""


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
)
"""From roomy to dense. A blank is never smaller than 10 mm by 8 mm, which a pencil needs."""
_COMPACT = SIZES[1:]


@dataclass(frozen=True, slots=True)
class Fit:
    """A picture that fits: ``cross`` (left, above, result where they cross) or ``rows`` (one below the other), and its size."""

    layout: str
    size: Size

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
    width, height = PAPERS[paper]
    if picture.left and picture.above:
        for size in SIZES:
            if _cross_width(picture, size) <= width and _cross_height(picture, size) <= height:
                return Fit("cross", size)
    operands = [grid for grid in (picture.left, picture.above, *picture.parts) if grid]
    for size in SIZES:
        if _fits(picture.result, size, True, paper) and all(_fits(grid, size, False, paper) for grid in operands):
            return Fit("rows", size)
    return None


def fit_grid(grid: Grid, paper: str) -> Fit | None:
    """The same for a single matrix without blanks, which may be printed small."""
    return next((Fit("rows", size) for size in _COMPACT if _fits(grid, size, False, paper)), None)


def _fits(grid: Grid, size: Size, blanks: bool, paper: str) -> bool:
    width, height = PAPERS[paper]
    return _width(grid, size, blanks) <= width and _height(grid, size, blanks) <= height


def _cross_width(picture: Picture, size: Size) -> float:
    assert picture.left and picture.above
    right = (picture.result, picture.above)
    column = max(_column(picture.result, size, True), _column(picture.above, size, True))
    return _width(picture.left, size, False) + 6 + max(_names(grid, size) for grid in right) + column * len(right[0].columns)


def _cross_height(picture: Picture, size: Size) -> float:
    assert picture.above
    return _height(picture.above, size, False) + _height(picture.result, size, True)


def _width(grid: Grid, size: Size, blanks: bool) -> float:
    return _names(grid, size) + _column(grid, size, blanks) * len(grid.columns)


def _height(grid: Grid, size: Size, blanks: bool) -> float:
    """Rows, the names on top, and the matrix's own name."""
    row = max(size.blank_row if blanks else size.row, 2 * size.type * _POINT)
    return row * len(grid.rows) + 5.5 * size.type * _POINT


def _column(grid: Grid, size: Size, blanks: bool) -> float:
    """The width of a column: its longest number, and its word up to the widest one."""
    longest = max((letters(cell.text) for row in grid.cells for cell in row), default=1.0)
    word = min(size.word, max((letters(name) for name in grid.columns), default=0.0) * size.type * _POINT + 1.2)
    return max(size.blank_column if blanks else size.column, longest * size.type * _POINT + 1.6, word)


def _names(grid: Grid, size: Size) -> float:
    longest = max((letters(name) for name in grid.rows), default=0.0)
    return min(longest * size.type * _POINT + 1.5, 2 * size.word) if longest else 1.0


def letters(text: str) -> float:
    """The width of a text in letters: a kana or kanji counts one, a Latin letter or a digit less."""
    return sum(1.0 if east_asian_width(char) in "WF" or ord(char) > 0xFFFF else 0.6 for char in shorten(text))


def shorten(name: str) -> str:
    """A word for the edge of a matrix."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
