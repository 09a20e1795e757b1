"""The layout of the figure: axes, their stretch, legend and colours of the page."""

import html

import numpy as np

from app.core.measures.camera import seen
from app.core.operations.ops import Values
from app.drawing.space.backdrop import corners_of
from app.drawing.space.context import CHARACTERS, Drawn, Figure
from app.drawing.space.space import Space, Turn
from app.drawing.space.titles import axis_titles
from app.drawing.theme import THEMES
from app.text.tokens import shorten

Range = list[float]


def stretch(context: Drawn, ways: list[list[Values]]) -> tuple[Range, Range]:
    """The ranges of both axes."""
    if context.space.width == 3:
        return _round(context.space, context.turn)
    return _ranges(np.vstack([np.vstack(way) for way in ways]))


def _ranges(points: Values) -> tuple[Range, Range]:
    """The ranges of both axes: all points and room around them for words."""
    low, high = points.min(axis=0), points.max(axis=0)
    room = max(float((high - low).max()) * 0.1, 0.5 if (high == low).all() else 0.0)
    return [float(low[0] - room * 1.4), float(high[0] + room * 1.4)], [float(low[1] - room), float(high[1] + room)]


def _round(space: Space, turn: Turn) -> tuple[Range, Range]:
    """The ranges of both axes that hold three components however they are turned around: nothing grows or shrinks then."""
    low, high = corners_of(space)
    [[x, y]] = seen((low + high)[None] / 2, turn.azimuth, turn.elevation)
    wide, above = float(np.linalg.norm(high[:2] - low[:2])) / 2, np.radians(abs(turn.elevation))
    tall = 1.1 * (wide * np.sin(above) + (high[2] - low[2]) / 2 * np.cos(above))
    return [float(x - wide), float(x + wide)], [float(y - tall), float(y + tall)]


def layout(context: Drawn, across: Range, upward: Range, annotations: list[Figure]) -> Figure:
    page, space = THEMES[context.theme].page, context.space
    titles = axis_titles(space, context.words)
    plain = {
        "zerolinecolor": page["line-strong"],
        "gridcolor": page["line"],
        "zerolinewidth": 1.5,
        "ticks": "",
        "fixedrange": True,
    }
    right: Figure = {**plain, "title": {"text": html.escape(titles[0], quote=False)}, "range": across}
    up: Figure = {**plain, "range": upward}
    if space.width == 1:
        rows = [html.escape(shorten(name, CHARACTERS), quote=False) for name in space.names]
        up |= {"tickvals": [-row for row in range(len(rows))], "ticktext": rows, "automargin": True, "zeroline": False}
    else:
        up |= {"scaleanchor": "x", "title": {"text": html.escape(titles[1], quote=False)}}
    if space.width == 3:
        right, up = {"visible": False, **right, "title": None}, {"visible": False, **up, "title": None}
    return {
        "paper_bgcolor": page["paper"],
        "plot_bgcolor": page["paper"],
        "font": {"color": page["ink"], "family": "system-ui, sans-serif", "size": 13},
        "margin": {"l": 56 if space.width != 3 else 16, "r": 20, "t": 16, "b": 48 if space.width != 3 else 16},
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {"align": "left"},
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.02,
            "yanchor": "bottom",
            "itemclick": False,
            "itemdoubleclick": False,
            "bgcolor": "rgba(0,0,0,0)",
        },
        "showlegend": True,
        "annotations": annotations,
        "xaxis": right,
        "yaxis": up,
    }
