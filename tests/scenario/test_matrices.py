"""Matrices as they are typed and pasted, and matrices by name."""

import numpy as np
import pytest

from tests.support.asking import ATTENTION, Api, good, values, wrong

SAME = "1,2,3;4,-5,6.5"
WRITTEN = [
    "1 2 3;4 -5 6.5",
    "1\t2\t3\n4\t-5\t6.5",
    "1, 2, 3\r\n4, -5, 6.5\r\n",
    "[[1, 2, 3], [4, -5, 6.5]]",
    "[[ 1.   2.   3. ]\n [ 4.  -5.   6.5]]",
    "１，２，３；４，−５，６．５",
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
