"""Nearness: how far points are from each other, and how alike the directions are in which they lie."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from app.core.operations.ops import Values


def distances(first: Values, second: Values) -> Values:
    """How far each point of one list is from the same point of the other.

    Shapes: first, second (n, d) -> (n,).
    """
    return np.asarray(np.linalg.norm(second - first, axis=1))


def cosines(first: Values, second: Values) -> list[float | None]:
    """How alike two directions are: 1 the same, 0 at a right angle, −1 opposite; None where a vector is zero.

    Shapes: first, second (n, d) -> n numbers.
    """
    return [_cosine(a, b) for a, b in zip(first, second, strict=True)]


def _cosine(a: Values, b: Values) -> float | None:
    sizes = np.abs(a).max(initial=0), np.abs(b).max(initial=0)
    if not all(sizes):
        return None
    a, b = a / sizes[0], b / sizes[1]  # tiny numbers would vanish when squared
    return float(np.clip(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)), -1.0, 1.0))


def between_all(points: Values) -> Values:
    """How far every point is from every other.

    Shapes: points (n, d) -> (n, n).
    """
    return np.asarray(np.linalg.norm(points[:, None] - points[None], axis=-1))


def closest_pair(points: Values, names: Sequence[str]) -> tuple[int, int, float] | None:
    """The two points of different names that are nearest to each other and their distance, the first two of several.

    None where all points have one name.

    Shapes: points (n, d), a name for each.
    """
    apart = between_all(points)
    pairs = [(a, b, float(apart[a, b])) for a, b in combinations(range(len(points)), 2) if names[a] != names[b]]
    return min(pairs, key=lambda pair: pair[2], default=None)


def twins(names: Sequence[str]) -> tuple[int, int] | None:
    """The first two places that have one name; None where every name comes once."""
    seen: dict[str, int] = {}
    for place, name in enumerate(names):
        if name in seen:
            return seen[name], place
        seen[name] = place
    return None


def mean_distance(points: Values) -> float | None:
    """The mean distance of two points; None for one point.

    Shapes: points (n, d).
    """
    if len(points) < 2:
        return None
    first, second = np.triu_indices(len(points), 1)
    return float(between_all(points)[first, second].mean())
