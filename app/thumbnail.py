"""Thumbnails: a step as a tiny heatmap, a few SVG paths that the style sheet colours."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup

from app.influence import Influence
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


def make_thumbnail(run: Run, step: str, head: int = 0, influence: Influence | None = None, most: int = _MOST) -> Thumbnail:
    """The chosen head of a step, thinned out where it is larger than 16 by 16; its slopes where those are asked for."""
    if influence:
        return _draw(_strongest(_slopes(influence.of_step(step), head)), influence.reach(step))
    return _draw(_thin(_head(run.trace[step].value, head), most), reach(run, step))


def _head(values: Any, head: int) -> Any:
    values = values[None] if values.ndim == 1 else values
    return values if values.ndim == 2 else values[min(head, len(values) - 1)]


def _slopes(values: Any, head: int) -> Any:
    """The slopes of the chosen head, or where that one has none, of the head that has the largest."""
    if _head(values, head).any() or values.ndim < 3:
        return _head(values, head)
    return values[np.abs(values).max(axis=(1, 2)).argmax()]


def _draw(matrix: Any, most: float) -> Thumbnail:
    """A path for each tone and level."""
    paths: dict[str, list[str]] = {}
    for row, numbers in enumerate(matrix.tolist()):
        for column, value in enumerate(numbers):
            tone, strength = tone_of(value, most)
            level = "" if tone == "hidden" else f" l{round(strength * _LEVELS)}"
            paths.setdefault(tone + level, []).append(f"M{column} {row}{_CELL}")
    drawing = "".join(f'<path class="{name}" d="{"".join(cells)}"/>' for name, cells in paths.items())
    return Thumbnail(matrix.shape[1], matrix.shape[0], Markup(drawing))


def _thin(matrix: Any, most: int) -> Any:
    rows, columns = (-(-size // most) for size in matrix.shape)
    return np.asarray(matrix, dtype=float)[::rows, ::columns]


def _strongest(matrix: Any) -> Any:
    """The same for slopes, most of which may be 0: of the cells that become one, the strongest stays."""
    height, width = (-(-size // _MOST) for size in matrix.shape)
    padded = np.pad(matrix, [(0, -matrix.shape[0] % height), (0, -matrix.shape[1] % width)])
    blocks = padded.reshape(-1, height, padded.shape[1] // width, width).swapaxes(1, 2)
    cells = blocks.reshape(*blocks.shape[:2], -1)
    return np.take_along_axis(cells, np.abs(cells).argmax(axis=-1)[..., None], axis=-1)[..., 0]
