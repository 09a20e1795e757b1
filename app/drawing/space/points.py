"""Points: the words of each stage as Plotly draws them, with names beside them and numbers in their hover."""

import html
from itertools import pairwise

import numpy as np

from app.core.operations.numbers import show
from app.core.operations.ops import Values
from app.drawing.space.context import CHARACTERS, NAMED, NAMED_TWICE, Drawn, Figure
from app.drawing.space.label_sides import sides
from app.drawing.space.space import SpaceStage
from app.drawing.space.titles import stage_name
from app.text.tokens import shorten

Labels = dict[str, list[tuple[str, str]]]
"""For each named stage its words, each with the side on which it is written."""
_SIZES = {"before": 11, "position": 9, "layer": 8, "after": 11}
_NUMBERS_A_LINE = 8


def labels_of(context: Drawn, ways: list[list[Values]], names_of_axes: list[Figure], scales: list[float]) -> Labels:
    """For each named stage the words and their sides."""
    names = context.space.names
    if context.space.width == 1:
        return {}
    stages = [context.space.before]
    if context.space.after and len(names) <= NAMED_TWICE:
        stages.append(context.space.after)
    places = np.vstack([context.space.on_paper(stage, context.turn) for stage in stages])
    written = [_label(context, row) for _ in stages for row in range(len(names))]
    lines = [pair for way in ways for pair in pairwise(way)]
    standing = [(np.array([name["x"], name["y"]]), name["text"]) for name in names_of_axes]
    sizes = [_letters(row == context.chosen) for _ in stages for row in range(len(names))]
    found = list(zip(written, sides(places, written, lines, sizes, scales, standing), strict=True))
    return {stage.step: found[number * len(names) : (number + 1) * len(names)] for number, stage in enumerate(stages)}


def _letters(chosen: bool) -> int:
    return 17 if chosen else 14


def _label(context: Drawn, row: int) -> str:
    named = len(context.space.names) <= NAMED or row == context.chosen
    return shorten(context.space.names[row], CHARACTERS) if named else ""


def points_of(context: Drawn, stage: SpaceStage, labels: Labels) -> Figure:
    """The points of a stage. Each knows its word's cell, so that pressing it chooses the word."""
    rows = context.rows(stage)
    places = context.space.on_paper(stage, context.turn)[rows]
    colour = context.colour(stage)
    strong = [row == context.chosen for row in rows]
    written = labels.get(stage.step)
    named = {
        "text": [html.escape(written[row][0], quote=False) for row in rows],
        "textposition": [written[row][1] for row in rows],
        "textfont": {
            "color": colour,
            "size": [_letters(one) for one in strong],
            "weight": [700 if one else 400 for one in strong],
        },
    } if written else {}  # fmt: skip
    return {
        "type": "scatter",
        "mode": "markers+text" if written else "markers",
        "name": stage_name(stage, context.words),
        "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(),
        "marker": {
            "symbol": context.symbol(stage),
            "size": [_SIZES[stage.kind] + (4 if one else 0) for one in strong],
            "color": colour,
            "opacity": 1,
            "line": {"color": colour, "width": [3 if one else 2 for one in strong]},
        },
        "cliponaxis": False,
        "customdata": [f"x[{row},0]" for row in rows],
        "hoverinfo": "text",
        "hovertext": [_hover(context, stage, row) for row in rows],
        **named,
    }


def _hover(context: Drawn, stage: SpaceStage, row: int) -> str:
    """The word, the stage and the whole vector, a few numbers a line."""
    numbers = [show(value) for value in stage.vectors[row]]
    lines = [", ".join(numbers[start : start + _NUMBERS_A_LINE]) for start in range(0, len(numbers), _NUMBERS_A_LINE)]
    name = html.escape(context.space.names[row], quote=False)
    return f"<b>{name}</b> {stage_name(stage, context.words)}<br>({',<br>'.join(lines)})"
