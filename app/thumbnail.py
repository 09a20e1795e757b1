"""Thumbnails: a step as a tiny heatmap, a few SVG paths that the style sheet colours."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from app.picture import reach, tone_of
from app.run import Run

_LEVELS = 6
_MOST = 16
_CELL = "h.88v.88h-.88z"


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """Width and height in cells, and the drawing: an SVG path for each tone and level."""

    width: int
    height: int
    drawing: Markup


def make_thumbnail(run: Run, step: str, head: int = 0, most: int = _MOST) -> Thumbnail:
    """The chosen head of a step, thinned out where it is larger than 16 by 16."""
    values = run.trace[step].value
    values = values[None] if values.ndim == 1 else values
    matrix = _thin(values if values.ndim == 2 else values[min(head, len(values) - 1)], most)
    strongest = reach(run, step)
    paths: dict[str, list[str]] = {}
    for row, numbers in enumerate(matrix.tolist()):
        for column, value in enumerate(numbers):
            tone, strength = tone_of(value, strongest)
            level = "" if tone == "hidden" else f" l{round(strength * _LEVELS)}"
            paths.setdefault(tone + level, []).append(f"M{column} {row}{_CELL}")
    drawing = "".join(f'<path class="{name}" d="{"".join(cells)}"/>' for name, cells in paths.items())
    return Thumbnail(matrix.shape[1], matrix.shape[0], Markup(drawing))


def _thin(matrix: Any, most: int) -> Any:
    rows, columns = (-(-size // most) for size in matrix.shape)
    return np.asarray(matrix, dtype=float)[::rows, ::columns]
