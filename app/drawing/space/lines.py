"""Lines: arrows from before to after, the ways through layers, and the backdrop of three components."""

import html
from itertools import pairwise
from typing import Any

import numpy as np

from app.core.operations.numbers import show
from app.core.operations.ops import Values
from app.drawing.space.backdrop import Stroke
from app.drawing.space.context import Drawn, Figure
from app.drawing.space.titles import axis_titles
from app.drawing.theme import THEMES


def way_lines(context: Drawn, ways: list[list[Values]]) -> list[Figure]:
    """The ways of the words from stage to stage, but for the last stretch, which is an arrow."""
    stretches = [point for way in ways for pair in pairwise(way[:-1]) for point in (*pair, None)]
    if not stretches:
        return []
    return [_line(stretches, THEMES[context.theme].page["line-strong"], 1.5, "dot")]


def _line(points: list[Any], colour: str, width: float, dash: str = "solid") -> Figure:
    """Stretches of a line, None where it breaks off."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [None if point is None else float(point[0]) for point in points],
        "y": [None if point is None else float(point[1]) for point in points],
        "line": {"color": colour, "width": width, "dash": dash},
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
    }


def backdrop_lines(context: Drawn, lines: list[Stroke]) -> list[Figure]:
    page = THEMES[context.theme].page
    made = []
    for kind, colour, width in (
        ("floor", page["line"], 1.0),
        ("drop", page["line-strong"], 1.0),
        ("axis", page["ink-soft"], 1.6),
    ):
        points = [point for line in lines if line.kind == kind for point in (*line.points, None)]
        if points:
            made.append(_line(points, colour, width, "dot" if kind == "drop" else "solid"))
    ticks = [line for line in lines if line.kind == "tick"]
    return [*made, _numbers(context, ticks)] if ticks else made


def _numbers(context: Drawn, ticks: list[Stroke]) -> Figure:
    """The numbers along the three axes."""
    return {
        "type": "scatter",
        "mode": "text",
        "x": [float(tick.points[0][0]) for tick in ticks],
        "y": [float(tick.points[0][1]) for tick in ticks],
        "hoverinfo": "skip",
        "showlegend": False,
        "cliponaxis": False,
        "text": [show(tick.number) for tick in ticks],
        "textposition": ["middle left" if tick.axis == 2 else "bottom center" for tick in ticks],
        "textfont": {"color": THEMES[context.theme].page["ink-soft"], "size": 11},
    }


def axis_names(context: Drawn, lines: list[Stroke]) -> list[Figure]:
    """The names of the three axes at their ends."""
    titles, page = axis_titles(context.space, context.words), THEMES[context.theme].page
    return [
        {
            "text": html.escape(titles[line.axis], quote=False),
            "x": float(line.points[-1][0]),
            "y": float(line.points[-1][1]),
            "showarrow": False,
            "yshift": 12 if line.axis == 2 else -12,
            "font": {"color": page["ink-soft"], "size": 12},
        }
        for line in lines
        if line.kind == "axis"
    ]


def arrows(context: Drawn, ways: list[list[Values]]) -> list[Figure]:
    """The last stretch of each word's way as an arrow; a word that stays where it is has none."""
    if context.space.after is None:
        return []
    colour = THEMES[context.theme].positive["weights"]
    return [
        {
            "text": "",
            "x": float(way[-1][0]),
            "y": float(way[-1][1]),
            "ax": float(way[-2][0]),
            "ay": float(way[-2][1]),
            "xref": "x",
            "yref": "y",
            "axref": "x",
            "ayref": "y",
            "showarrow": True,
            "arrowhead": 2,
            "arrowsize": 1,
            "arrowwidth": 3 if row == context.chosen else 1.6,
            "arrowcolor": colour,
            "standoff": 8,
            "startstandoff": 8,
        }
        for row, way in sorted(enumerate(ways), key=lambda one: one[0] == context.chosen)  # the chosen one on top
        if not np.array_equal(way[-1], way[-2])
    ]
