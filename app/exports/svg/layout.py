"""Where the matrices of a picture stand: a product crosses, everything else runs along a line and wraps."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from app.drawing.picture import Grid, Picture
from app.drawing.theme import THEMES
from app.exports.svg.cells import CellSize
from app.exports.svg.grid import MatrixBlock
from app.exports.svg.marks import words
from app.text.widths import ems

_BETWEEN = 34.0
_WIDEST = 1500.0
_SIGN = 19.0
Says = Callable[[Grid], str]


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a picture: its size, and what draws it with its upper left corner at a point."""

    width: float
    height: float
    draw: Callable[[Element, float, float], None]


def lay_out(picture: Picture, room: CellSize, says: Says) -> Block:
    """Lay out a step as its operation is written on paper."""
    if picture.left and picture.above:
        return _product(picture.left, picture.above, picture.result, room, says)
    result = matrix(picture.result, room, says)
    items: list[Block] = []
    for number, part in enumerate(picture.parts):
        items += [sign(picture.between, room)] if number and picture.between else []
        items.append(matrix(part, room, says))
    if items:
        items.append(sign(f"{picture.sign} →".strip(), room))
    return flow([*items, result])


def matrix(grid: Grid, room: CellSize, says: Says) -> Block:
    """Make a block of one matrix."""
    made = MatrixBlock(grid, room)
    return Block(made.width, made.height, lambda parent, x, y: made.draw(parent, x, y, says(grid)))


def sign(text: str, room: CellSize) -> Block:
    """Make a block of the sign between two matrices, at the height of their middle."""
    width = _SIGN * ems(text)
    colour = THEMES[room.theme].page["ink-soft"]

    def draw(parent: Element, x: float, y: float) -> None:
        words(parent, text, x + width / 2, y + _SIGN * 1.8, _SIGN, colour, text_anchor="middle")

    return Block(width, _SIGN, draw)


def _product(left: Grid, above: Grid, result: Grid, room: CellSize, says: Says) -> Block:
    """Lay out a product: left operand left, right operand above, result where they cross."""
    one, two, three = MatrixBlock(left, room), MatrixBlock(above, room), MatrixBlock(result, room)
    names = max(two.names, three.names)
    two, three = MatrixBlock(above, room, names), MatrixBlock(result, room, names)
    x, y = one.width + _BETWEEN, two.height + _BETWEEN * 0.6
    head = max(one.head, three.head)

    def draw(parent: Element, x0: float, y0: float) -> None:
        two.draw(parent, x0 + x, y0, says(above))
        one.draw(parent, x0, y0 + y + head - one.head, says(left))
        three.draw(parent, x0 + x, y0 + y + head - three.head, says(result))

    return Block(x + max(two.width, three.width), y + head + max(one.down, three.down), draw)


def flow(items: Iterable[Block]) -> Block:
    """Lay out parts side by side, each row centred on one line, as many rows as are needed."""
    rows: list[list[Block]] = [[]]
    for item in items:
        if rows[-1] and _across([*rows[-1], item]) > _WIDEST:
            rows.append([])
        rows[-1].append(item)
    heights = [max(item.height for item in row) for row in rows]

    def draw(parent: Element, x0: float, y0: float) -> None:
        y = y0
        for row, height in zip(rows, heights, strict=True):
            x = x0
            for item in row:
                item.draw(parent, x, y + (height - item.height) / 2)
                x += item.width + _BETWEEN
            y += height + _BETWEEN

    return Block(max(map(_across, rows)), sum(heights) + _BETWEEN * (len(rows) - 1), draw)


def stack(blocks: Iterable[Block]) -> Block:
    """Lay out parts one below the other."""
    made = list(blocks)

    def draw(parent: Element, x: float, y: float) -> None:
        for block in made:
            block.draw(parent, x, y)
            y += block.height + _BETWEEN

    return Block(max(block.width for block in made), sum(block.height for block in made) + _BETWEEN * (len(made) - 1), draw)


def _across(row: list[Block]) -> float:
    return sum(item.width for item in row) + _BETWEEN * (len(row) - 1)
