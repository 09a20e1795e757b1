"""The camera: known directions by hand, and what must hold from any direction."""

import numpy as np
import pytest

from app.core.measures.camera import seen

CORNERS = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("azimuth", "elevation", "places"),
    [
        (0, 0, [[0, 0], [1, 0], [0, 1]]),  # along the first axis: the second to the right, the third up
        (90, 0, [[-1, 0], [0, 0], [0, 1]]),
        (0, 90, [[0, -1], [1, 0], [0, 0]]),  # from above: the first comes towards the reader
        (180, 0, [[0, 0], [-1, 0], [0, 1]]),
        (0, -90, [[0, 1], [1, 0], [0, 0]]),
    ],
)
def test_where_the_axes_are_seen(azimuth: float, elevation: float, places: list[list[float]]) -> None:
    np.testing.assert_allclose(seen(CORNERS, azimuth, elevation), places, atol=1e-12)


@pytest.mark.parametrize(("azimuth", "elevation"), [(25, 20), (200, -35), (359, 90)])
def test_a_sphere_is_seen_as_a_disc(azimuth: float, elevation: float) -> None:
    around = np.random.default_rng(3).normal(size=(500, 3))
    around /= np.linalg.norm(around, axis=1)[:, None]
    lengths = np.linalg.norm(seen(around, azimuth, elevation), axis=1)
    assert 0.98 < lengths.max() <= 1 + 1e-12
    assert (seen(CORNERS, azimuth, elevation) ** 2).sum() == pytest.approx(2)  # two of three directions are left


def test_the_origin_stays_and_parallels_stay_parallel() -> None:
    assert seen(np.zeros((1, 3)), 25, 20).tolist() == [[0, 0]]
    first, second = np.array([[1.0, 2, 3]]), np.array([[-4.0, 0, 2]])
    np.testing.assert_allclose(seen(first + 2 * second, 25, 20), seen(first, 25, 20) + 2 * seen(second, 25, 20))
