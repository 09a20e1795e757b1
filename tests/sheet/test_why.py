"""Why: the sum as it is written out."""

import pytest

from app.language.words import words_of
from app.sheet.why import make_why
from tests.support.computing import computed

NEGATIVE = "x=1,-2;-3,0&n_heads=1&w_q=2,1;-3,1&w_k=identity&w_v=identity&scale=-0.5&normalizer=division"


@pytest.mark.parametrize(
    ("step", "index", "sum_"),
    [
        ("q", (0, 0, 0), "1×2 + (−2)×(−3) = 8"),
        ("q", (0, 1, 0), "−3×2 + 0×(−3) = −6"),
        ("scores", (0, 0, 0), "8×1 + (−1)×(−2) = 10"),
        ("scaled", (0, 0, 0), "10×(−0.5) = −5"),
        ("weights", (0, 0, 0), "−5 ÷ (−5 + 12) ≈ −0.714"),
    ],
)
def test_a_negative_number_after_a_sign_stands_in_brackets(step: str, index: tuple[int, ...], sum_: str) -> None:
    assert make_why(computed(NEGATIVE), step, index, words_of("en")).expression == sum_
