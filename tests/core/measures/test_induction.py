"""Induction heads: the target is one past the earlier copy (case IND-01)."""

import numpy as np
import pytest

from app.core.measures.induction import induction_scores, targets

WORDS = ["A", "B", "C", "A", "B", "C"]


def pattern(keys: dict[int, int], n: int = 6) -> np.ndarray:
    weights = np.zeros((1, n, n))
    for query, key in keys.items():
        weights[0, query, key] = 1
    return weights


def test_the_target_is_one_past_the_last_earlier_copy() -> None:
    assert targets(WORDS) == {3: 1, 4: 2, 5: 3}
    assert targets(["a", "a", "b", "a"]) == {1: 1, 3: 2}


@pytest.mark.parametrize(
    ("keys", "score"),
    [({3: 1, 4: 2, 5: 3}, 1.0), ({3: 0, 4: 1, 5: 2}, 0.0), ({3: 2, 4: 3, 5: 4}, 0.0), ({3: 1, 4: 1, 5: 1}, 1 / 3)],
    ids=["induction", "duplicate token", "previous token", "one of three"],
)
def test_only_the_ideal_pattern_scores_one(keys: dict[int, int], score: float) -> None:
    assert induction_scores(pattern(keys), WORDS) == pytest.approx([score], abs=1e-12)


def test_a_text_without_repeats_has_no_score() -> None:
    assert targets(["a", "b", "c"]) == {}
    assert induction_scores(np.ones((2, 3, 3)), ["a", "b", "c"]) is None
