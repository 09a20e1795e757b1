"""Beside: on which side of its point each word is written, so that it stands clear of arrows, points and other words."""

from collections.abc import Sequence

import numpy as np

from app.core.operations.ops import Values
from app.text.widths import counted

SIDES = (
    "top center", "bottom center", "middle right", "middle left", "top right", "top left", "bottom right", "bottom left",
)  # fmt: skip
"""Plotly's names of the sides, the ones that are liked best first."""
_GAP = 8.0
_STANDING = 15.0
_FIRST = 3
"""How much more the first paper counts than the others."""
_STEPS = np.linspace(0.0, 1.0, 25)[:, None]
Box = tuple[float, float, float, float]


def sides(
    points: Values,
    labels: Sequence[str],
    lines: Sequence[tuple[Values, Values]],
    sizes: Sequence[float],
    scales: Sequence[float],
    standing: Sequence[tuple[Values, str]] = (),
) -> list[str]:
    """Choose a side for each label, the largest first: the side with the least in its way on all papers together.

    ``lines``: from where to where arrows go; ``sizes``: of the letters, in pixels; ``scales``: pixels a unit on each paper;
    ``standing``: words that stand already, and where.

    Shapes: points (n, 2), a label and a size for each; an empty label is not written.
    """
    papers = [_Paper(points * scale, [(start * scale, end * scale) for start, end in lines]) for scale in scales]
    for paper, scale in zip(papers, scales, strict=True):
        paper.taken += [_box(point * scale, "middle center", word, _STANDING) for point, word in standing]
    worth = [_FIRST, *(1 for _ in papers[1:])]
    chosen = [SIDES[0]] * len(labels)
    for place in sorted(range(len(labels)), key=lambda place: -sizes[place]):
        if labels[place]:
            costs = [
                sum(w * paper.cost(place, side, labels[place], sizes[place]) for w, paper in zip(worth, papers, strict=True))
                for side in SIDES
            ]
            chosen[place] = SIDES[int(np.argmin(costs))]
            for paper in papers:
                paper.taken.append(_box(paper.points[place], chosen[place], labels[place], sizes[place]))
    return chosen


class _Paper:
    """A paper of one size: points, what lies in the way of words, and the room that words have taken."""

    def __init__(self, points: Values, lines: Sequence[tuple[Values, Values]]) -> None:
        self.points = points
        self.taken: list[Box] = []
        self._things = np.vstack([points, *(start + (end - start) * _STEPS for start, end in lines)])
        self._weights = np.concatenate([np.full(len(points), 3.0), np.ones(len(self._things) - len(points))])

    def cost(self, place: int, side: str, label: str, size: float) -> float:
        box = _box(self.points[place], side, label, size)
        return float(_inside(self._things, box) @ self._weights) + 10 * sum(_overlap(box, other) for other in self.taken)


def width_of(label: str, size: float) -> float:
    """The width of a word in the figure: a kana or kanji takes a square, other letters less."""
    return size * counted(label, 0.58)


def _box(point: Values, side: str, label: str, size: float) -> Box:
    """The box of a label on a side of its point: left, right, bottom, top."""
    vertical, horizontal = side.split()
    width, height = width_of(label, size), 1.25 * size
    left = {"left": -_GAP - width, "right": _GAP, "center": -width / 2}[horizontal]
    bottom = {"top": _GAP, "bottom": -_GAP - height, "middle": -height / 2}[vertical]
    x, y = map(float, point)
    return x + left, x + left + width, y + bottom, y + bottom + height


def _inside(points: Values, box: Box) -> Values:
    left, right, bottom, top = box
    x, y = points.T
    return np.asarray((x > left) & (x < right) & (y > bottom) & (y < top), dtype=float)


def _overlap(one: Box, other: Box) -> float:
    """The share of a box that another one covers."""
    wide = max(0.0, min(one[1], other[1]) - max(one[0], other[0]))
    high = max(0.0, min(one[3], other[3]) - max(one[2], other[2]))
    return wide * high / (((one[1] - one[0]) * (one[3] - one[2])) or 1.0)
