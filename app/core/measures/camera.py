"""The camera: where points in space stand in a picture taken from far away."""

import numpy as np

from app.core.operations.ops import Values


def seen(points: Values, azimuth: float, elevation: float) -> Values:
    """Look at the origin from a direction: how far to the right and how far up each point is seen.

    ``azimuth`` turns around the third axis, from the first towards the second; ``elevation`` lifts the camera; degrees.
    From far away parallels stay parallel and equal lengths on a wall that faces the camera stay equal.

    Shapes: points (n, 3) -> (n, 2).
    """
    around, above = np.radians(azimuth), np.radians(elevation)
    right = [-np.sin(around), np.cos(around), 0.0]
    up = [-np.sin(above) * np.cos(around), -np.sin(above) * np.sin(around), np.cos(above)]
    return np.asarray(points @ np.array([right, up]).T)
