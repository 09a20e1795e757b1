"""B − A: by hand, and whatever the numbers are."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from app.core.measures.difference import difference
from app.core.operations.numbers import show_size

HIDDEN = -math.inf
CELLS = st.one_of(st.just(HIDDEN), st.floats(-1e6, 1e6), st.integers(-3, 3).map(float))
MATRICES = arrays(float, (2, 3), elements=CELLS)


def test_a_difference_by_hand() -> None:
    found = difference(np.array([[1.0, 2.0], [5.0, 0.5]]), np.array([[1.0, 4.0], [2.0, 0.5]]))
    assert found.values.tolist() == [[0, 2], [-3, 0]]
    assert (found.largest, found.at, found.hidden) == (3, (1, 0), 0)
    assert not found.is_none
    assert not found.is_rounding


def test_two_hidden_cells_are_the_same_and_one_hidden_cell_has_no_number() -> None:
    found = difference(np.array([HIDDEN, HIDDEN, 3.0, 1.0]), np.array([HIDDEN, 2.0, HIDDEN, 1.5]))
    assert found.values.tolist() == [0, math.inf, -math.inf, 0.5]
    assert (found.hidden_in_a, found.hidden_in_b) == (1, 1)
    assert (found.largest, found.at) == (0.5, (3,))


def test_a_mask_is_subtracted_as_ones_and_zeros() -> None:
    found = difference(np.array([[True, True]]), np.array([[True, False]]))
    assert found.values.tolist() == [[0, -1]]


def test_where_only_hidden_cells_differ_there_is_no_largest_cell() -> None:
    found = difference(np.array([HIDDEN, 1.0]), np.array([4.0, 1.0]))
    assert (found.largest, found.at, found.is_none) == (0, None, False)


def test_the_last_digits_are_told_from_a_change() -> None:
    assert difference(np.array([0.3, 1.0]), np.array([0.1 + 0.2, 1.0])).is_rounding
    assert not difference(np.array([0.3]), np.array([0.3 + 1e-9])).is_rounding
    assert not difference(np.array([0.3]), np.array([0.3])).is_rounding
    assert not difference(np.array([0.3, HIDDEN]), np.array([0.1 + 0.2, 1.0])).is_rounding


def test_shapes_that_differ_have_no_difference() -> None:
    with pytest.raises(ValueError, match="no difference"):
        difference(np.zeros((2, 1)), np.zeros((1, 2)))


@given(a=MATRICES, b=MATRICES)
def test_a_difference_is_never_nan_and_the_other_way_round_is_its_negative(a: np.ndarray, b: np.ndarray) -> None:
    there, back = difference(a, b), difference(b, a)
    assert not np.isnan(there.values).any()
    assert (there.values == -back.values).all()
    assert (there.largest, there.at) == (back.largest, back.at)
    assert (there.hidden_in_a, there.hidden_in_b) == (back.hidden_in_b, back.hidden_in_a)


@given(a=MATRICES)
def test_what_is_taken_from_itself_leaves_nothing(a: np.ndarray) -> None:
    assert difference(a, a.copy()).is_none
    assert difference(a, a.copy()).at is None


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (0.25, "0.25"), (0.0005, "0.001"), (0.0004, "4×10⁻⁴"), (6e-17, "6×10⁻¹⁷")])
def test_how_large_something_is_never_prints_as_nothing_unless_it_is_nothing(value: float, text: str) -> None:
    assert show_size(value) == text
