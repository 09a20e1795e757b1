"""A step as a picture that stands alone: the picture of the page, drawn in SVG, for slides, papers and blackboards."""

from collections.abc import Callable

from app import limits
from app.changes import find_changes
from app.exports.asked import Asked
from app.exports.svg_grid import Room
from app.exports.svg_head import Heading, heading
from app.exports.svg_layout import Block, flow, lay_out, matrix
from app.exports.svg_marks import mark, root, written
from app.exports.svg_tokens import tokens_block
from app.glossary import TOKENS
from app.labels import place_of
from app.painter import Painter
from app.picture import Grid, Picture, fits
from app.presentation import Place
from app.sheet import make_step
from app.sides import shape_of
from app.stepmap import part_title
from app.text.room import ems
from app.text.tokens import script_language
from app.theme import THEMES
from app.view import legend_of
from app.words import Words

_MARGIN = 28.0
_NARROWEST, _WIDEST = 48.0, 112.0
_LARGE = 32
"""Rows or columns above which the cells of a heatmap are smaller."""


def make(asked: Asked) -> bytes:
    """The picture of the step that is looked at; ``cell=`` outlines that cell and what it is made from."""
    theme = "dark" if asked.shown.theme == "dark" else "light"
    said, description = _said(asked, asked.place)
    head, body = heading(said, theme), _body(asked, asked.place, theme)
    width, height = max(head.width, body.width) + 2 * _MARGIN, head.height + body.height + 3 * _MARGIN
    names = "".join((*asked.run.names_q, *asked.run.names_k))
    picture = root(width, height, script_language(names) or asked.words.lang, said.title, description)
    mark(picture, "rect", width=width, height=height, fill=THEMES[theme].page["paper"])
    head.draw(picture, _MARGIN, _MARGIN)
    body.draw(picture, (width - body.width) / 2, head.height + 2 * _MARGIN)
    return written(picture)


def _said(asked: Asked, place: Place) -> tuple[Heading, str]:
    """What stands above the picture, and what it says to who does not see it."""
    run, words = asked.run, asked.words
    if place.step == TOKENS:
        caption = words("step.tokens.caption", split=words(f"choice.{run.scenario.split}"))
        return Heading("", words("step.tokens.title"), "", "", None, ""), caption
    step = make_step(run, place.step, words)
    part = part_title(run, place_of(place.step), words)
    legend, shape = legend_of(run, place.step), shape_of(run, place.step, words)
    return Heading(part, step.title, step.name, step.formula, legend, shape), step.caption


def _body(asked: Asked, place: Place, theme: str) -> Block:
    if place.step == TOKENS:
        return tokens_block([token.text for token in asked.run.tokens], theme)
    painter = Painter(asked.run, place.step, place.index, asked.words, find_changes(asked.run))
    says, lit, small = _says(asked.words), bool(asked.shown.cell) and not place.all_heads, fits(asked.run, place.step)
    if small and not place.all_heads:
        picture = painter.picture()
        return lay_out(picture, _room([*_grids(picture)], theme, lit), says)
    grids = painter.heads() if place.all_heads else [painter.own_grid(place.step)]
    room = _room(grids, theme, lit) if _has_numbers(grids) else _heat(grids, theme)
    return flow(matrix(grid, room, says) for grid in grids)


def _says(words: Words) -> Callable[[Grid], str]:
    return lambda grid: words("grid.axes", rows=grid.row_axis, columns=grid.column_axis)


def _grids(picture: Picture) -> list[Grid]:
    return [grid for grid in (picture.left, picture.above, *picture.parts, picture.result) if grid]


def _has_numbers(grids: list[Grid]) -> bool:
    return max(max(len(grid.rows), len(grid.columns)) for grid in grids) <= limits.NUMBERS_IN_CELLS


def _room(grids: list[Grid], theme: str, lit: bool) -> Room:
    """Cells with room for the longest number, and for the names above them as far as that is possible."""
    number = max(len(cell.text) for grid in grids for row in grid.cells for cell in row)
    name = max(ems(name) for grid in grids for name in grid.columns)
    width = min(_WIDEST, max(_NARROWEST, number * 11.2 + 12, name * 15 + 8))
    return Room(width=width, height=max(38.0, width * 0.62), gap=4.0, letters=15.0, numbers=True, theme=theme, lit=lit)


def _heat(grids: list[Grid], theme: str) -> Room:
    large = max(max(len(grid.rows), len(grid.columns)) for grid in grids) > _LARGE
    side, letters = (15.0, 11.0) if large else (22.0, 13.0)
    return Room(width=side, height=side, gap=1.0, letters=letters, numbers=False, theme=theme, lit=False)
