"""The figure of the meaning space: points before and after, arrows between them, words beside them; a plain dict for Plotly.

Three components are drawn in the plane of the screen as well, seen by a camera: that needs no graphics processor,
keeps words and arrows sharp, and every direction is an address.
"""

from app.drawing.space.backdrop import backdrop
from app.drawing.space.context import Drawn, Figure
from app.drawing.space.layout import layout, stretch
from app.drawing.space.lines import arrows, axis_names, backdrop_lines, way_lines
from app.drawing.space.points import labels_of, points_of
from app.drawing.space.space import Space, Turn
from app.language.words import Words

ROOM = (760.0, 440.0)
"""The room for the points on a laptop, in pixels."""
_PAPERS = (ROOM, (290.0, 330.0))
"""Width and height of the plot on a desk and on a phone: words are placed so that they stand clear on both."""


def make_space_figure(space: Space, words: Words, theme: str = "light", chosen: int = 0, turn: Turn | None = None) -> Figure:
    """Every word before and after, the chosen one stronger; the numbers of a point are in its hover."""
    drawn = Drawn(space, chosen, turn or Turn(), words, theme)
    ways = [drawn.way(row) for row in range(len(space.names))]
    behind = backdrop(space, drawn.turn) if space.width == 3 else []
    across, upward = stretch(drawn, ways)
    scales = [min(wide / (across[1] - across[0]), high / (upward[1] - upward[0])) for wide, high in _PAPERS]
    names = axis_names(drawn, behind)
    labels = labels_of(drawn, ways, names, scales)
    points = [points_of(drawn, stage, labels) for stage in space.stages]
    return {
        "data": [*backdrop_lines(drawn, behind), *way_lines(drawn, ways), *points],
        "layout": layout(drawn, across, upward, [*arrows(drawn, ways), *names]),
    }
