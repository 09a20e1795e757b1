"""The principal plane: by hand, against the eigenvectors of the covariance, and what must hold of any plane."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.core.measures.plane import _signed, on_plane, principal_plane

POINTS = arrays.arrays(
    float, st.tuples(st.integers(1, 7), st.integers(2, 6)), elements=st.integers(-50, 50).map(lambda tenths: tenths / 10)
)


def rotation(size: int, seed: int = 1) -> Any:
    turned, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(size, size)))
    return turned


def spread_out(seed: int = 2) -> Any:
    """Eleven points of five numbers whose spread differs in every direction."""
    return np.random.default_rng(seed).normal(size=(11, 5)) * [9, 5, 2, 1, 0.5]


def test_a_rectangle_by_hand() -> None:
    points = np.array([[2, 1, 0, 0], [-2, 1, 0, 0], [2, -1, 0, 0], [-2, -1, 0, 0]]) + np.array([5, 6, 7, 8])
    plane = principal_plane(points)
    assert plane.centre.tolist() == pytest.approx([5, 6, 7, 8])
    np.testing.assert_allclose(plane.axes, [[1, 0, 0, 0], [0, 1, 0, 0]], atol=1e-12)
    assert plane.shares == pytest.approx((4 / 5, 1 / 5))
    assert plane.kept == pytest.approx(1)
    np.testing.assert_allclose(on_plane(plane, points), [[2, 1], [-2, 1], [2, -1], [-2, -1]], atol=1e-12)


def test_points_on_a_line_are_kept_whole_by_the_first_axis() -> None:
    line = np.array([3.0, 0, 4, 0]) / 5
    points = np.arange(6)[:, None] * line + [1, 2, 3, 4]
    plane = principal_plane(points)
    assert plane.shares == pytest.approx((1, 0), abs=1e-15)
    np.testing.assert_allclose(plane.axes[0], line, atol=1e-12)
    np.testing.assert_allclose(on_plane(plane, points), [[place - 2.5, 0] for place in range(6)], atol=1e-12)


@given(POINTS)
def test_it_is_what_the_eigenvectors_of_the_covariance_say(points: Any) -> None:
    plane = principal_plane(points)
    values, vectors = np.linalg.eigh(np.cov(points.T, bias=True))
    largest = values[::-1]
    if values.sum() < 1e-12:
        assert set(plane.shares) == {0}
        return
    assert plane.shares == pytest.approx(tuple(np.maximum(largest[:2], 0) / values.sum()), abs=1e-9)
    if largest[0] - largest[1] > 1e-3:  # else the first direction is one of many
        assert abs(plane.axes[0] @ vectors[:, -1]) == pytest.approx(1, abs=1e-6)


@given(POINTS)
def test_axes_are_of_length_one_at_right_angles_with_the_largest_component_positive(points: Any) -> None:
    axes = principal_plane(points).axes
    np.testing.assert_allclose(axes @ axes.T, np.eye(2), atol=1e-9)
    for axis in axes:
        assert axis[np.abs(axis).round(9).argmax()] > 0
    assert np.isfinite(axes).all()


def test_a_tie_of_two_components_is_given_to_the_first() -> None:
    points = np.array([[1.0, -1, 0], [-1, 1, 0]])
    for some in (points, -points, points[::-1]):
        np.testing.assert_allclose(principal_plane(some).axes[0], np.array([1, -1, 0]) / np.sqrt(2), atol=1e-12)
    nearly = np.array([[0.5, -0.5 - 1e-13]])  # rounding must not turn the picture around
    assert _signed(nearly).tolist() == _signed(-nearly).tolist() == nearly.tolist()


def test_moving_all_points_moves_nothing_in_the_picture() -> None:
    points = spread_out()
    moved = points + np.array([1, -20, 300, 4, 5])
    here, there = principal_plane(points), principal_plane(moved)
    np.testing.assert_allclose(on_plane(here, points), on_plane(there, moved), atol=1e-9)
    assert here.shares == pytest.approx(there.shares)


def test_turning_all_points_changes_signs_at_most() -> None:
    points, turn = spread_out(), rotation(5)
    here, there = principal_plane(points), principal_plane(points @ turn)
    np.testing.assert_allclose(np.abs(on_plane(here, points)), np.abs(on_plane(there, points @ turn)), atol=1e-9)
    assert here.shares == pytest.approx(there.shares)


def test_no_other_plane_keeps_more() -> None:
    points = spread_out()
    plane, centred = principal_plane(points), points - points.mean(axis=0)
    whole = (centred**2).sum()
    assert plane.kept == pytest.approx((on_plane(plane, points) ** 2).sum() / whole)
    for seed in range(40):
        assert ((centred @ rotation(5, seed)[:, :2]) ** 2).sum() / whole < plane.kept


@pytest.mark.parametrize("points", [np.zeros((4, 5)), np.full((6, 4), 0.1), np.full((3, 4), 1e90), np.ones((1, 4))])
def test_where_all_points_are_one_nothing_is_kept_and_nothing_is_lost(points: Any) -> None:
    plane = principal_plane(points)
    assert set(plane.shares) == {0}
    assert plane.kept == 0
    np.testing.assert_allclose(on_plane(plane, points) / np.abs(points).max(initial=1), 0, atol=1e-12)
    np.testing.assert_allclose(plane.axes @ plane.axes.T, np.eye(2), atol=1e-12)


@pytest.mark.parametrize("size", [1e-150, 1e-9, 1e9, 1e100])
def test_the_size_of_the_numbers_does_not_matter(size: float) -> None:
    points = spread_out()
    plane, other = principal_plane(points), principal_plane(points * size)
    assert other.shares == pytest.approx(plane.shares)
    np.testing.assert_allclose(on_plane(other, points * size) / size, on_plane(plane, points), atol=1e-9)
