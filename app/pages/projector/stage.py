"""ProjectorStage: how large matrices and arithmetic can be on a projector, in units of a screen of 1920 by 1080."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from app.drawing.picture import Grid, Picture
from app.pages.projector.measure import PanelSize, ems, number_ems

WIDTH, HEIGHT, MARGIN = 1920.0, 1080.0, 72.0
INNER = WIDTH - 2 * MARGIN
SMALLEST = 28
"""The smallest text that is read from the back row."""
_FONTS = (*range(92, 48, -4), *range(48, 27, -2))
_PANEL_FONTS = (*range(100, 58, -6), *range(58, 27, -2))
_CLOSE = 36
"""The largest numbers that may stand close together."""
_BOLD = 1.08
"""How much wider a name is that is chosen."""
_USUAL, _USUAL_PANEL = 54, 60
"""What is large enough: larger only where the reader asks for it."""


@dataclass(frozen=True, slots=True)
class MatrixBox:
    """What one matrix takes: its cells, its names (0: none are shown), its heading, and all of it."""

    cell_w: float
    cell_h: float
    gap: float
    names: float
    title: float
    head: float
    width: float
    height: float
    named: bool = True
    """False where the names of the rows stand beside the matrix on the left."""


@dataclass(frozen=True, slots=True)
class ProjectorStage:
    """Where the arithmetic stands (``right``, ``corner``, ``below``, or ``flow``: after the last matrix), and every size."""

    arrangement: str
    font: float
    small: float
    panel_font: float
    panel_columns: int
    panel_width: float
    rooms: list[MatrixBox] = field(default_factory=list)
    """Of the picture's matrices: left, above, result; or the parts and the result."""
    signs: list[float] = field(default_factory=list)
    """The width of what stands before each of them."""
    width: float = 0
    rows: int = 1
    """Rows in which the matrices of a map stand."""


@dataclass(frozen=True, slots=True)
class _Widths:
    """A matrix in ems: its longest number, names and title."""

    number: float
    column: float
    row: float
    title: float
    rows: int
    columns: int
    same: bool
    """True where its rows are those of the first part, beside which it stands."""


def arrange(picture: Picture, panel: PanelSize, height: float, zoom: float) -> ProjectorStage | None:
    """The largest arrangement that fits; None where even the smallest text is too large."""
    best, most = None, 0.0
    widths = _widths(picture)
    for font in (font for font in _FONTS if font <= _USUAL * max(zoom, 0.6)):
        for tight in (False, True) if font <= _CLOSE else (False,):
            rooms, signs = _rooms(picture, widths, font, tight)
            for stage in _placed(picture, panel, height, zoom, (font, rooms, signs)):
                worth = _worth(stage, tight)
                if worth > most:
                    best, most = stage, worth
        if best and best.font > font + 8:
            break
    return best


def _worth(stage: ProjectorStage, tight: bool) -> float:
    """How good an arrangement is: above all, that neither numbers nor arithmetic are small."""
    away = 24 if stage.arrangement == "corner" else 0  # the arithmetic is looked for at the right
    smaller = min(stage.font, stage.panel_font * 0.85)
    return 2 * smaller + 0.3 * (stage.font + stage.panel_font) - (12 if tight else 0) - 10 * (stage.rows - 1) - away


_Sized = tuple[int, list[MatrixBox], list[float]]


def _placed(picture: Picture, panel: PanelSize, height: float, zoom: float, sized: _Sized) -> Iterator[ProjectorStage]:
    """Every way in which matrices of these sizes and the arithmetic stand beside each other."""
    font, rooms, signs = sized
    for beside in (460.0, 600.0, 0.0):
        extent = _extent(picture, rooms, signs, font, INNER - beside)
        if extent.width > INNER - beside or extent.height > height:
            continue
        for name, free_width, free_height in _spots(picture, rooms, extent, height, bool(beside)):
            if found := fit_panel(panel, free_width, free_height, zoom):
                yield ProjectorStage(name, font, small(font), *found, free_width, rooms, signs, extent.width, extent.rows)


@dataclass(frozen=True, slots=True)
class _Extent:
    """What all matrices take; and of the last row of them, its width and height."""

    width: float
    height: float
    rows: int
    last_width: float
    last_height: float


def _spots(
    picture: Picture, rooms: list[MatrixBox], extent: _Extent, height: float, beside: bool
) -> list[tuple[str, float, float]]:
    if beside:
        return [("right", INNER - extent.width - 80, height)]
    if picture.layout == "product":
        return [("corner", rooms[0].width - 30, rooms[1].height)]
    flow = ("flow", INNER - extent.last_width - 80, extent.last_height)
    return [("below", INNER, height - extent.height - 24), *([flow] if extent.rows > 1 else [])]


def fit_panel(panel: PanelSize, width: float, height: float, zoom: float) -> tuple[int, int] | None:
    """The largest size of the arithmetic in a space, and in how many columns its terms stand."""
    sizes = [size for size in _PANEL_FONTS if size <= _USUAL_PANEL * max(zoom, 0.6)]
    found = [
        (size, columns)
        for columns in ((1, 2) if panel.kind == "sum" else (1,))
        if (size := _largest(panel, width, height, sizes, columns))
    ]
    return max(found, key=lambda pair: (pair[0], -pair[1]), default=None)


def _largest(panel: PanelSize, width: float, height: float, sizes: list[int], columns: int) -> int:
    """The first size that fits, found by halving; 0 where none does."""
    low, high = 0, len(sizes)
    while low < high:
        middle = (low + high) // 2
        if panel.fits(width, height, sizes[middle], columns):
            high = middle
        else:
            low = middle + 1
    return sizes[low] if low < len(sizes) else 0


def small(font: float) -> int:
    """The size of names beside numbers of a size."""
    return max(SMALLEST, round(font * 0.76))


def _widths(picture: Picture) -> list[_Widths]:
    grids = [picture.left, picture.above] if picture.left and picture.above else picture.parts
    first = grids[0].rows if grids and picture.parts else None
    measured = [_width(grid, picture.parts and place > 0 and grid.rows == first) for place, grid in enumerate(grids)]
    return [*measured, _width(picture.result, False)]


def _width(grid: Grid, same: object) -> _Widths:
    return _Widths(
        number=max(number_ems(text) for text in {cell.text for row in grid.cells for cell in row}),
        column=max(map(ems, grid.columns)),
        row=max(map(ems, grid.rows)),
        title=ems(grid.title) + 2.4,
        rows=len(grid.rows),
        columns=len(grid.columns),
        same=bool(same),
    )


def _rooms(picture: Picture, widths: list[_Widths], font: int, tight: bool) -> tuple[list[MatrixBox], list[float]]:
    if picture.layout != "product":
        return [_room(one, font, tight, names=0 if tight and one.same else None) for one in widths], _signs(picture, font, tight)
    left, above, result = widths
    cell_w = max(_cell_width(above, font, tight), _cell_width(result, font, tight))
    names = _names(above, font, tight) if tight else max(_names(above, font, tight), _names(result, font, tight))
    return [
        _room(left, font, tight),
        _room(above, font, tight, cell_w, names),
        replace(_room(result, font, tight, cell_w, names, titled=False), named=not tight),
    ], []


def _signs(picture: Picture, font: int, tight: bool) -> list[float]:
    """The width of the sign before each part and before the result."""
    if not picture.parts:
        return [0.0]
    space = 8 if tight else 24
    between = ems(picture.between) * font + space if picture.between else 24.0
    arrow = ems(f"{picture.sign} →") * small(font) + 44
    return [0.0, *[between] * (len(picture.parts) - 1), arrow]


def _cell_width(one: _Widths, font: int, tight: bool) -> float:
    label = min(one.column * small(font) * _BOLD + 6, 88 if tight else 190)
    return max(one.number * font + (4 if tight else font * 0.7), label, font * (1.3 if tight else 2.4))


def _names(one: _Widths, font: int, tight: bool) -> float:
    return min(one.row * small(font) * _BOLD + 16, 132 if tight else 260) if one.row else 0.0


def _room(one: _Widths, font: int, tight: bool, cell_w: float = 0, names: float | None = None, titled: bool = True) -> MatrixBox:
    cell_w = cell_w or _cell_width(one, font, tight)
    names = _names(one, font, tight) if names is None else names
    gap, letters = (2.0, small(font)) if tight else (4.0, small(font))
    inner = names + one.columns * (cell_w + gap)
    width = max(inner, min(one.title * letters, 420)) if titled else inner
    title = letters * 1.28 * -(-one.title * letters // width) if titled else 0.0
    head = letters * 1.26 if one.column else 0.0
    cell_h = font * (1.17 if tight else 1.78)
    return MatrixBox(cell_w, cell_h, gap, names, title, head, width, title + head + one.rows * (cell_h + gap))


def _extent(picture: Picture, rooms: list[MatrixBox], signs: list[float], font: int, limit: float) -> _Extent:
    """What all matrices take; parts that do not fit beside each other go below."""
    if picture.layout == "product":
        left, above, result = rooms
        width, height = left.width + font + above.width, above.height + 12 + max(left.height, result.height)
        return _Extent(width, height, 1, width, height)
    width, height, row_width, row_height, rows = 0.0, 0.0, 0.0, 0.0, 1
    for sign, room in zip(signs, rooms, strict=True):
        if row_width and row_width + sign + room.width > limit:
            height, row_width, row_height, rows = height + row_height + 12, 0.0, 0.0, rows + 1
        row_width, row_height = row_width + sign + room.width, max(row_height, room.height)
        width = max(width, row_width)
    return _Extent(width, height + row_height, rows, row_width, row_height)
