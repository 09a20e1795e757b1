"""How numbers are printed for people."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.operations.numbers import is_rounded, scientific, show, signed, write
from tests.core.evaluate import calculate

PRINTED = [
    (4, "4"),
    (-4, "−4"),
    (0, "0"),
    (-0.0, "0"),
    (1, "1"),
    (0.5, "0.5"),
    (0.25, "0.25"),
    (-0.125, "−0.125"),
    (0.1 + 0.2, "0.3"),
    (0.1 + 0.2 - 0.3, "0"),
    (1 - 1e-16, "1"),
    (4 / 7, "0.571"),
    (2 / 3, "0.667"),
    (-2 / 3, "−0.667"),
    (0.0004, "0.000"),
    (-0.0004, "−0.000"),
    (0.9996646, "1.000"),
    (0.5996, "0.600"),
    (1.5004, "1.500"),
    (999999.25, "999999.25"),
    (123456789012345, "123456789012345"),
    (math.inf, "∞"),
    (-math.inf, "−∞"),
    (999999999, "999999999"),
    (1e9, "1×10⁹"),
    (-1e9, "−1×10⁹"),
    (1234567890, "1234567890"),
    (1e15, "1×10¹⁵"),
    (1234567890123456, "1.235×10¹⁵"),
    (-2.5e20, "−2.5×10²⁰"),
    (-3.4e38, "−3.4×10³⁸"),
    (1 / 3 * 1e30, "3.333×10²⁹"),
    (1e200, "1×10²⁰⁰"),
]


@pytest.mark.parametrize(("value", "text"), PRINTED)
def test_a_number_is_printed(value: float, text: str) -> None:
    assert show(value) == text


@pytest.mark.parametrize("value", [0, 1, -4, 0.5, -0.125, 0.1 + 0.2, 1e14, math.inf, -math.inf])
def test_an_exact_number_is_not_rounded(value: float) -> None:
    assert not is_rounded(value)


@pytest.mark.parametrize("value", [1 / 3, 0.0004, -0.0004, 0.9996646, 1.0005, math.pi * 1e6, math.pi * 1e15])
def test_a_number_with_more_digits_is_rounded(value: float) -> None:
    assert is_rounded(value)


def test_more_places_show_more() -> None:
    assert show(2 / 3, 5) == "0.66667"
    assert show(0.0004, 4) == "0.0004"
    assert not is_rounded(0.0004, 4)


def test_nearly_one_and_one_look_different() -> None:
    assert show(1.0) == "1"
    assert show(0.99999) == "1.000"
    assert show(0.0) == "0"
    assert show(0.00001) == "0.000"


@given(st.floats(-1e14, 1e14))
def test_what_is_printed_is_within_half_of_the_last_place(value: float) -> None:
    assert abs(calculate(show(value)) - value) <= 0.0005 * (1 + 1e-9) + 1e-12 * abs(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_there_is_never_a_hyphen(value: float) -> None:
    assert "-" not in show(value) + write(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_is_written_in_full_can_be_read_back(value: float) -> None:
    assert math.isclose(calculate(write(value)), value, rel_tol=1e-13, abs_tol=1e-300)


@pytest.mark.parametrize(("value", "text"), [(2.2e-16, "2×10⁻¹⁶"), (-3e20, "−3×10²⁰"), (0, "0×10⁰"), (1.0, "1×10⁰")])
def test_a_power_of_ten_is_raised(value: float, text: str) -> None:
    assert scientific(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(2, "2"), (-2.5, "−2.5"), (1 / 3, "0.3333333333333333"), (1e-7, "1×10⁻⁷"), (1.5e300, "1.5×10³⁰⁰")]
)
def test_a_factor_is_written_with_every_digit(value: float, text: str) -> None:
    assert write(value) == text


@pytest.mark.parametrize(
    ("value", "short", "fine"),
    [
        (0.125, "+0.125", "+0.125"),
        (-2, "−2", "−2"),
        (2 / 3, "+0.667", "+0.667"),
        (0, "0", "0"),
        (-0.0, "0", "0"),
        (0.00042, "+0.000", "+4.2×10⁻⁴"),
        (-0.00042, "−0.000", "−4.2×10⁻⁴"),
        (-1e-17, "0", "−1.0×10⁻¹⁷"),
    ],
)
def test_a_change_carries_its_sign(value: float, short: str, fine: str) -> None:
    assert (signed(value), signed(value, fine=True)) == (short, fine)
