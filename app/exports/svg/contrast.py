"""Two scenarios in one picture: A, B and B − A, and in words what was changed and what came of it."""

from dataclasses import replace

from app.core.operations.explain import Index
from app.drawing.comparison_grids import heads_of_side, make_contrast_picture, make_legends
from app.drawing.comparison_sides import sides_of
from app.drawing.comparison_words import differing_fields, summary
from app.drawing.picture import Grid
from app.exports.svg.head import Heading
from app.language.words import Words
from app.sheet.cells import Place
from app.sheet.comparison import Comparison
from app.sheet.slopes import Influence


def compared(heading: Heading, comparison: Comparison, place: Place, words: Words) -> Heading:
    """Extend the heading of B to that of a comparison."""
    shared, own = make_legends(comparison, place.step)
    both = f"{words('compare.a')}, {words('compare.b')}"
    legends = [(both, shared), *([(words("compare.difference"), own)] if own else [])]
    lines = [*_changed(comparison, words), *summary(comparison, comparison.steps[place.step], words)]
    return replace(heading, legends=tuple(legends), lines=tuple(lines))


def _changed(comparison: Comparison, words: Words) -> list[str]:
    """A line for each field that differs: what it is in A, and in B."""
    a, b = words("compare.a"), words("compare.b")
    shown, more = differing_fields(comparison, words)
    lines = [f"{field.label}{words('compare.of')}{a} {field.a} → {b} {field.b}" for field in shown]
    return [*lines, *([words("compare.more", count=more)] if more else [])]


def contrast_rows(comparison: Comparison, place: Place, words: Words, influence: Influence | None) -> list[list[Grid]]:
    """The matrices as they stand beside each other, a row for each head; where A has more heads or fewer, a row for each side."""
    if not place.all_heads:
        return [_row(comparison, place, place.index, words, influence)]
    sides = sides_of(comparison, place.step)
    if "difference" not in sides:
        return [heads_of_side(comparison, place.step, side, words) for side in sides]
    heads = range(comparison.b.shape(place.step)[0])
    return [_row(comparison, place, (head, *place.index[1:]), words, influence) for head in heads]


def _row(comparison: Comparison, place: Place, index: Index, words: Words, influence: Influence | None) -> list[Grid]:
    picture = make_contrast_picture(comparison, place.step, index, words, influence)
    by_side = {"a": picture.parts[:1], "b": [picture.result], "difference": picture.parts[-1:]}
    return [_in_one_line(by_side[side][0]) for side in sides_of(comparison, place.step)]


def _in_one_line(grid: Grid) -> Grid:
    """Names of A and B side by side; on the page they stand one below the other."""
    rows, columns = ([name.replace("\n", " ") for name in names] for names in (grid.rows, grid.columns))
    return replace(grid, rows=rows, columns=columns)
