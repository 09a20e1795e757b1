"""Backdrop: what makes three components readable in a flat picture. Axes through zero, the floor, drops from each point to it."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.core.measures.camera import seen
from app.core.operations.ops import Values
from app.drawing.space.space import Space, Turn

_MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line of the backdrop as it is seen; an axis and a number on it say which axis, and a number what it is."""

    kind: Literal["floor", "drop", "axis", "tick"]
    points: Values
    axis: int = 0
    number: float = 0.0


def backdrop(space: Space, turn: Turn) -> list[Stroke]:
    """The floor (where the third component is zero) as a grid, the axes, and for each point before and after its drop."""
    points, step = space.ends, _step(space)
    low, high = corners_of(space)
    lines = [Stroke("floor", np.array(ends)) for ends in _floor(low, high, step)]
    lines += [Stroke("drop", np.array([point, [*point[:2], 0.0]])) for point in points if point[2] != 0]
    for axis in range(3):
        lines += _axis(axis, float(low[axis]), float(high[axis]), step)
    return [Stroke(line.kind, seen(line.points, turn.azimuth, turn.elevation), line.axis, line.number) for line in lines]


def corners_of(space: Space) -> Values:
    """The lowest and the highest corner of the room: round numbers around zero and all points."""
    step = _step(space)
    low = np.minimum(0, np.floor(space.ends.min(axis=0) / step)) * step
    high = np.maximum(1, np.ceil(space.ends.max(axis=0) / step)) * step
    return np.array([low, high])


def _step(space: Space) -> float:
    reach = np.maximum(0, space.ends.max(axis=0)) - np.minimum(0, space.ends.min(axis=0))
    return step_of(float(reach.max()))


def _floor(low: Values, high: Values, step: float) -> list[list[list[float]]]:
    found = []
    for along, across in ((0, 1), (1, 0)):
        for number in range(round((high[across] - low[across]) / step) + 1):
            at = low[across] + number * step
            ends = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
            for end, value in zip(ends, (low[along], high[along]), strict=True):
                end[along], end[across] = float(value), float(at)
            found.append(ends)
    return found


def _axis(axis: int, low: float, high: float, step: float) -> list[Stroke]:
    """An axis and its numbers; zero is where the axes meet and the last place is for the name."""
    numbers = [low + step * place for place in range(round((high - low) / step)) if round(low / step) + place != 0]
    ends = np.zeros((2, 3))
    ends[:, axis] = low, high
    return [Stroke("axis", ends, axis), *(Stroke("tick", number * np.eye(3)[[axis]], axis, number) for number in numbers)]


def step_of(size: float) -> float:
    """A round length, 1, 2 or 5 times a power of ten, of which few make up the size."""
    if size == 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(size / _MOST_LINES))
    return next((times * power for times in (1, 2, 5) if times * power * _MOST_LINES >= size), 10 * power)
