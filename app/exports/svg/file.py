"""A step as a picture that stands alone: the picture of the page, drawn in SVG, for slides, papers and blackboards."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from app import limits
from app.core.operations.numbers import show
from app.drawing.comparison_grids import contrast_fits
from app.drawing.painter import Painter
from app.drawing.picture import Grid, Legend, Picture, fits, legend_of
from app.drawing.space import make_space, make_space_figure, read_turn
from app.drawing.space.table import make_space_view
from app.drawing.theme import THEMES, drawn_in
from app.exports.request import ExportRequest
from app.exports.svg.cells import STRIP, CellSize
from app.exports.svg.contrast import compared, contrast_rows
from app.exports.svg.head import Heading, heading
from app.exports.svg.layout import Block, flow, lay_out, matrix, stack
from app.exports.svg.marks import mark, root, written
from app.exports.svg.space import space_block
from app.exports.svg.tokens import tokens_block
from app.glossary import SPACE, TOKENS
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import Place
from app.sheet.changes import find_changes
from app.sheet.comparison import Comparison, compare
from app.sheet.labels import part_title, place_of, shape_of
from app.sheet.slopes import HUE, Influence, find_influence, make_slope_summary
from app.sheet.steps import make_step
from app.text.languages import script_language
from app.text.widths import ems

_MARGIN = 28.0
_NARROWEST, _WIDEST = 48.0, 112.0
_LARGE = 32
"""Rows or columns above which the cells of a heatmap are smaller."""


@dataclass(frozen=True, slots=True)
class Style:
    """The appearance, and whether cells are outlined."""

    theme: str
    lit: bool


def make(request: ExportRequest) -> bytes:
    """Draw the chosen step; ``cell=`` outlines that cell and what it is made from.

    Errors: Refusal of the field ``of``, the cell whose slopes are asked for.
    """
    theme = drawn_in(request.presentation.reader.theme)
    said, description, body = _drawing(request, theme)
    head = heading(said, theme)
    width, height = max(head.width, body.width) + 2 * _MARGIN, head.height + body.height + 3 * _MARGIN
    names = "".join((*request.run.names_q, *request.run.names_k))
    picture = root(width, height, script_language(names, request.han) or request.words.lang, said.title, description)
    mark(picture, "rect", width=width, height=height, fill=THEMES[theme].page["paper"])
    head.draw(picture, _MARGIN, _MARGIN)
    body.draw(picture, (width - body.width) / 2, head.height + 2 * _MARGIN)
    return written(picture)


def _drawing(request: ExportRequest, theme: str) -> tuple[Heading, str, Block]:
    """Make the heading, the description for readers who do not see the picture, and the picture itself."""
    run, words, place = request.run, request.words, request.place
    if place.step == TOKENS:
        caption = words("step.tokens.caption", split=words(f"choice.{run.scenario.split}"))
        return _plain(TOKENS, words), caption, tokens_block([token.text for token in run.tokens], theme)
    if place.step == SPACE:
        asked = request.presentation.target.turn
        turn, lines = read_turn(asked), make_space_view(run, place, asked, words).said
        figure = make_space_figure(make_space(run), words, theme, place.index[0], turn)
        return replace(_plain(SPACE, words), lines=tuple(lines)), words("step.space.caption"), space_block(figure, theme)
    influence = find_influence(run, request.presentation.beside.of) if request.presentation.beside.of else None
    said, description = _said(request, place, influence)
    if not request.pinned:
        return said, description, _body(request, place, theme, influence)
    found = compare(request.pinned, run)
    return compared(said, found, place, words), description, _sides(request, found, theme, influence)


def _plain(name: str, words: Words) -> Heading:
    return Heading("", words(f"step.{name}.title"), "", "", (), "", "")


def _said(request: ExportRequest, place: Place, influence: Influence | None) -> tuple[Heading, str]:
    """Make the heading of a picture, and its description for readers who do not see it."""
    run, words = request.run, request.words
    step = make_step(run, place.step, words)
    slopes = _about_slopes(influence, place, words) if influence else ""
    part = part_title(run, place_of(place.step), words)
    heat_of_slopes = influence and not _prints(run, place) and influence.bond(place.step) == "moves"
    legend = _slope_legend(influence, place.step) if influence and heat_of_slopes else legend_of(run, place.step)
    shape = shape_of(run, place.step, words)
    return Heading(part, step.title, step.name, step.formula, (("", legend),), shape, slopes), step.caption


def _about_slopes(influence: Influence, place: Place, words: Words) -> str:
    """Say which cell the slopes belong to, or why there are none."""
    standing = make_slope_summary(influence, place.step, place.index, words).standing
    return standing or words("of.figure", cell=influence.ref, step=place.step)


def _slope_legend(influence: Influence, step: str) -> Legend:
    most = influence.reach(step)
    return Legend(show(-most), f"+{show(most)}", HUE, True)


def _body(request: ExportRequest, place: Place, theme: str, influence: Influence | None) -> Block:
    painter = Painter(request.run, place.step, place.index, request.words, find_changes(request.run), influence)
    says, style = _says(request.words), Style(theme, bool(request.presentation.target.cell) and not place.all_heads)
    if fits(request.run, place.step) and not place.all_heads:
        picture = painter.picture()
        return lay_out(picture, _room(_grids(picture), style), says)
    grids = painter.heads() if place.all_heads else [painter.own_grid(place.step)]
    room = _room(grids, style) if _prints(request.run, place) else _heat(grids, style)
    return flow(matrix(grid, room, says) for grid in grids)


def _sides(request: ExportRequest, comparison: Comparison, theme: str, influence: Influence | None) -> Block:
    """Lay out A, B and B − A beside each other; large ones as heatmaps, which show no slopes."""
    place, prints = request.place, contrast_fits(comparison, request.place.step)
    rows = contrast_rows(comparison, place, request.words, influence if prints else None)
    grids = [grid for row in rows for grid in row]
    style = Style(theme, bool(request.presentation.target.cell) and not place.all_heads)
    room = _room(grids, style) if prints else _heat(grids, style)
    return stack(flow(matrix(grid, room, _says(request.words)) for grid in row) for row in rows)


def _prints(run: Run, place: Place) -> bool:
    """True where a number stands in every cell of the step."""
    return max(run.shape(place.step)[-2:]) <= limits.NUMBERS_IN_CELLS


def _says(words: Words) -> Callable[[Grid], str]:
    return lambda grid: words("grid.axes", rows=grid.row_axis, columns=grid.column_axis)


def _grids(picture: Picture) -> list[Grid]:
    return [grid for grid in (picture.left, picture.above, *picture.parts, picture.result) if grid]


def _room(grids: list[Grid], style: Style) -> CellSize:
    """Cells with room for the longest number, and for the names above them as far as that is possible."""
    number = max(len(cell.text) for grid in grids for row in grid.cells for cell in row)
    name = max(ems(name) for grid in grids for name in grid.columns)
    width = min(_WIDEST, max(_NARROWEST, number * 11.2 + 12, name * 15 + 8))
    slopes = _have_slopes(grids)
    height = max(38.0, width * 0.62) + (STRIP if slopes else 0.0)
    return CellSize(width, height, 4.0, 15.0, numbers=True, theme=style.theme, lit=style.lit, slopes=slopes)


def _heat(grids: list[Grid], style: Style) -> CellSize:
    large = max(max(len(grid.rows), len(grid.columns)) for grid in grids) > _LARGE
    side, letters = (15.0, 11.0) if large else (22.0, 13.0)
    return CellSize(side, side, 1.0, letters, numbers=False, theme=style.theme, lit=False, slopes=_have_slopes(grids))


def _have_slopes(grids: list[Grid]) -> bool:
    return any(cell.slope for grid in grids for row in grid.cells for cell in row)
