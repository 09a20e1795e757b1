"""Nearness: distances and cosines by hand, and the nearest pair against a plain search."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.measures.nearness import between_all, closest_pair, cosines, distances, mean_distance, twins

SQUARE = np.array([[0.0, 0], [3, 0], [3, 4], [0, 4]])


def test_distances_by_hand() -> None:
    assert distances(SQUARE, SQUARE + np.array([3, 4])).tolist() == [5, 5, 5, 5]
    assert between_all(SQUARE)[0].tolist() == [0, 3, 5, 4]
    assert mean_distance(SQUARE) == pytest.approx((3 + 4 + 3 + 4 + 5 + 5) / 6)


def test_cosines_by_hand() -> None:
    first = np.array([[1.0, 0], [1, 0], [1, 0], [1, 1], [0, 0]])
    second = np.array([[7.0, 0], [0, 2], [-3, 0], [1, 0], [1, 1]])
    assert cosines(first, second) == [1, 0, -1, pytest.approx(np.sqrt(0.5)), None]


@pytest.mark.parametrize("size", [1e-200, 1e-9, 1e99])
def test_the_cosine_does_not_depend_on_lengths(size: float) -> None:
    assert cosines(np.array([[3.0, 4]]) * size, np.array([[4.0, 3]])) == [pytest.approx(24 / 25)]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=6))
def test_the_closest_pair_is_what_a_search_finds(found: list[tuple[str, int, int]]) -> None:
    names, points = [name for name, *_ in found], np.array([place for _, *place in found], dtype=float)
    best: Any = None
    for a in range(len(points)):
        for b in range(a + 1, len(points)):
            apart = sum((points[a] - points[b]) ** 2) ** 0.5
            if names[a] != names[b] and (best is None or apart < best[2] - 1e-9):
                best = (a, b, apart)
    got: Any = closest_pair(points, names)
    assert got == (best and (*best[:2], pytest.approx(best[2])))


def test_one_point_has_no_pair_and_no_distance() -> None:
    assert closest_pair(SQUARE[:1], "a") is None
    assert mean_distance(SQUARE[:1]) is None
    assert closest_pair(SQUARE[:3], "aaa") is None


def test_twins_are_the_first_two_of_one_name() -> None:
    assert twins(["a", "b", "c"]) is None
    assert twins(["a", "b", "c", "b", "a", "b"]) == (1, 3)
