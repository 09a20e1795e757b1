"""Matrices as they are typed and pasted, and matrices by name."""

import numpy as np
import pytest

from tests.support.asking import ATTENTION, Api, good, values, write, wrong

SAME = "1,2,3;4,-5,6.5"
WRITTEN = [
    "1 2 3;4 -5 6.5",
    "1\t2\t3\n4\t-5\t6.5",
    "1, 2, 3\r\n4, -5, 6.5\r\n",
    "[[1, 2, 3], [4, -5, 6.5]]",
    "[[ 1.   2.   3. ]\n [ 4.  -5.   6.5]]",
    "１，２，３；４，−５，６．５",
    "[1 2 3; 4 -5 6.5]",
    "[1, 2, 3; 4, -5, 6.5;]",
    "1\t2\t3\r\n4\t-5\t6,5\r\n",
    " 1,2,3 ; 4,-5,6.5 ;",
]


@pytest.mark.parametrize("written", WRITTEN)
def test_a_matrix_is_understood_as_people_write_it(api: Api, written: str) -> None:
    asked = api.sheet(x=written, n_heads=1)
    assert asked["query"].startswith(f"n_heads=1&x={SAME}") or f"x={SAME}" in asked["query"]
    assert values(asked, "x").tolist() == [[1, 2, 3], [4, -5, 6.5]]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("identity", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("zero", np.zeros((3, 3)).tolist()),
        ("permutation", [[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    ],
)
def test_a_matrix_can_be_called_by_its_name(api: Api, name: str, expected: list[list[float]]) -> None:
    for body in (
        api.sheet(text="a b", d_model=3, n_heads=1, w_k=name),
        api.body({"text": "a b", "d_model": 3, "n_heads": 1, "w_k": name}),
    ):
        assert values(body, "w_k").tolist() == expected
        assert f"w_k={name}" in body["query"]


def test_random_matrices_are_the_same_for_the_same_number(api: Api) -> None:
    one, again, two = (values(api.sheet(text="a", w_q=name), "w_q").tolist() for name in ("random:7", "random:7", "random:8"))
    assert one == again != two
    layer = values(api.sheet(text="a", w_q="identity", n_layers=1), "layer.0.w_q").tolist()
    assert layer == np.eye(4).tolist()


@pytest.mark.parametrize("bad", ["unit", "random:x", "[[1, 2], [3]]", "[1, [2]", "1,,2", "[]"])
def test_what_is_no_matrix_and_no_name_is_refused(api: Api, bad: str) -> None:
    wrong(api.get(ATTENTION, f"text=a&w_q={bad}"), "w_q")
    assert good(api.get(ATTENTION, "text=a&w_q="))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("1,5\t2,5\n3,5\t4,5", [[1.5, 2.5], [3.5, 4.5]]),
        ("−0,125\t,5", [[-0.125, 0.5]]),
        ("1,5e3\t0,234", [[1500, 0.234]]),
        ("1.5\t2", [[1.5, 2]]),
    ],
)
def test_between_tabs_a_comma_is_a_decimal_comma(api: Api, typed: str, expected: list[list[float]]) -> None:
    assert values(api.sheet(x=typed, n_heads=1), "x").tolist() == expected


@pytest.mark.parametrize("typed", ["1,234.5\t2", "1,234\t2", "1.234,5\t2", "1,5,2\t2", "10⁶,2", "x²,1", "①,2", "½,1", "1\t\t2"])
def test_a_number_that_could_mean_two_things_is_refused_and_never_guessed(api: Api, typed: str) -> None:
    wrong(api.get(ATTENTION, write({"x": typed, "n_heads": 1})), "x")
