"""The principal plane: of all flat pictures of points with many numbers, the one that loses least of their spread."""

from dataclasses import dataclass

import numpy as np

from app.core.operations.ops import Values

_NOISE = 1e-12
"""Spread below this share of the largest number is rounding, not spread."""


@dataclass(frozen=True, slots=True)
class Plane:
    """Where the plane lies and along which axes it is measured; ``shares`` is how much of the variance each axis keeps.

    Shapes: centre (d,), axes (k, d).
    """

    centre: Values
    axes: Values
    shares: tuple[float, ...]

    @property
    def kept(self) -> float:
        """The share of the variance that the plane keeps; 0 where all points are one."""
        return min(1.0, sum(self.shares))


def principal_plane(points: Values, count: int = 2) -> Plane:
    """Find the directions along which points spread most, at right angles to each other.

    The sign of an axis is free: here its largest component is positive, the first of them where several are as large.
    Where all points are one there is no spread and every share is 0.

    Shapes: points (n, d) with d at least count -> axes (count, d).
    Source: Pearson 1901; by singular values: Jolliffe 2002 (section not checked).
    """
    size = float(np.abs(points).max(initial=0)) or 1.0
    centre = (points / size).mean(axis=0)
    rows = np.vstack([points / size - centre, np.zeros((count, points.shape[1]))])  # a single point has axes as well
    _, lengths, axes = np.linalg.svd(rows, full_matrices=False)
    variances = np.where(lengths > _NOISE, lengths, 0.0) ** 2
    shares = variances[:count] / (variances.sum() or 1.0)
    return Plane(centre * size, _signed(axes[:count]), tuple(map(float, shares)))


def _signed(axes: Values) -> Values:
    """Turn each axis so that its largest component is positive; components as large but for rounding count as one size."""
    largest = np.abs(axes).round(9).argmax(axis=1)
    return axes * np.where(axes[np.arange(len(axes)), largest] < 0, -1.0, 1.0)[:, None]


def on_plane(plane: Plane, points: Values) -> Values:
    """The shadow of points on a plane: each axis times the way from the centre.

    Shapes: points (n, d) -> (n, k).
    """
    return np.asarray((points - plane.centre) @ plane.axes.T)
