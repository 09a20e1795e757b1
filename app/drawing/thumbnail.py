"""Thumbnails: a step as a tiny heatmap, a few SVG paths that the style sheet colours."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from markupsafe import Markup

from app.drawing.picture import level_of, reach
from app.run.run import Run
from app.sheet.slopes import Influence

_MOST = 16


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """Width and height in cells, and the drawing: an SVG path for each tone and level."""

    width: int
    height: int
    drawing: Markup

    def svg(self, classes: str) -> Markup:
        """The drawing by itself; it only repeats what is said elsewhere."""
        size = f'viewBox="0 0 {self.width} {self.height}" style="--cols:{self.width};--rows:{self.height}"'
        return Markup(f'<svg class="{classes}" {size} aria-hidden="true">{self.drawing}</svg>')


def make_thumbnail(run: Run, step: str, head: int = 0, influence: Influence | None = None, most: int = _MOST) -> Thumbnail:
    """Draw the chosen head of a step, thinned out where it is larger than 16 by 16; its slopes where those are asked for."""
    if influence:
        return _draw(_strongest(_slopes(influence.of_step(step), head)), influence.reach(step))
    return _draw(_thin(_head(run.values(step), head), most), reach(run, step))


def _head(values: Any, head: int) -> Any:
    values = values[None] if values.ndim == 1 else values
    return values if values.ndim == 2 else values[min(head, len(values) - 1)]


def _slopes(values: Any, head: int) -> Any:
    """The slopes of the chosen head, or where that one has none, of the head that has the largest."""
    if _head(values, head).any() or values.ndim < 3:
        return _head(values, head)
    return values[np.abs(values).max(axis=(1, 2)).argmax()]


def _draw(matrix: Any, most: float) -> Thumbnail:
    """Draw a matrix as one path for each tone and level."""
    paths: dict[str, list[str]] = {}
    for row, numbers in enumerate(matrix.tolist()):
        for value, box in zip(numbers, _boxes(row, len(numbers)), strict=True):
            paths.setdefault(level_of(value, most), []).append(box)
    drawing = "".join([f'<path class="{name}" d="{"".join(boxes)}"/>' for name, boxes in paths.items()])
    return Thumbnail(matrix.shape[1], matrix.shape[0], Markup(drawing))


@cache
def _boxes(row: int, columns: int) -> tuple[str, ...]:
    """The cells of a row, as pieces of a path."""
    return tuple(f"M{column} {row}h.88v.88h-.88z" for column in range(columns))


def _thin(matrix: Any, most: int) -> Any:
    rows, columns = (-(-size // most) for size in matrix.shape)
    return np.asarray(matrix, dtype=float)[::rows, ::columns]


def _strongest(matrix: Any) -> Any:
    """Shrink a matrix of slopes, most of which may be 0: of the cells that become one, the strongest stays."""
    height, width = (-(-size // _MOST) for size in matrix.shape)
    padded = np.pad(matrix, [(0, -matrix.shape[0] % height), (0, -matrix.shape[1] % width)])
    blocks = padded.reshape(-1, height, padded.shape[1] // width, width).swapaxes(1, 2)
    cells = blocks.reshape(*blocks.shape[:2], -1)
    return np.take_along_axis(cells, np.abs(cells).argmax(axis=-1)[..., None], axis=-1)[..., 0]
