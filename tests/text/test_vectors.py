"""Toy vectors: random-looking, and the same for everybody."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.text.vectors import toy_matrix, toy_vector

words, seeds = st.text(min_size=1, max_size=8).filter(lambda word: word.isprintable()), st.integers(0, 2**32 - 1)


@given(words, st.integers(1, 9), seeds)
def test_the_same_word_has_the_same_vector(word: str, d_model: int, seed: int) -> None:
    assert (toy_vector(word, d_model, seed) == toy_vector(word, d_model, seed)).all()


@given(words, st.integers(1, 9), seeds)
def test_a_vector_has_one_decimal_and_lies_between_minus_two_and_two(word: str, d_model: int, seed: int) -> None:
    vector = toy_vector(word, d_model, seed)
    assert vector.shape == (d_model,)
    assert vector.dtype == np.float64
    assert np.abs(vector).max() <= 2
    assert (vector == np.round(vector, 1)).all()


@given(words, seeds)
def test_a_wider_vector_begins_as_the_narrower_one(word: str, seed: int) -> None:
    assert (toy_vector(word, 20, seed)[:7] == toy_vector(word, 7, seed)).all()


@pytest.mark.parametrize(("one", "two"), [("stop", "pots"), ("いか", "かい"), ("a", "A"), ("が", "か"), ("1 a", "a 1")])
def test_anagrams_and_lookalikes_differ(one: str, two: str) -> None:
    assert (toy_vector(one, 6, 0) != toy_vector(two, 6, 0)).any()


def test_the_seed_matters() -> None:
    assert (toy_vector("犬", 6, 0) != toy_vector("犬", 6, 1)).any()
    assert (toy_matrix("w_q", 3, 4, 0) != toy_matrix("w_q", 3, 4, 1)).any()


def test_seed_and_word_cannot_be_confused() -> None:
    assert (toy_vector("1 犬", 6, 1) != toy_vector("犬", 6, 11)).any()


@given(st.integers(1, 6), st.integers(1, 6), seeds)
def test_a_matrix_has_one_decimal_and_lies_between_minus_one_and_one(rows: int, columns: int, seed: int) -> None:
    matrix = toy_matrix("w_k", rows, columns, seed)
    assert matrix.shape == (rows, columns)
    assert np.abs(matrix).max() <= 1
    assert (matrix == np.round(matrix, 1)).all()


def test_matrices_differ_by_name() -> None:
    matrices = [toy_matrix(name, 3, 4, 0).tobytes() for name in ("w_q", "w_k", "w_v", "w_o")]
    assert len(set(matrices)) == 4


def test_every_value_can_come_up() -> None:
    assert len(np.unique(toy_vector("犬", 5000, 0))) == 41
    assert len(np.unique(toy_matrix("w_q", 50, 50, 0))) == 21
    assert abs(toy_vector("犬", 5000, 0).mean()) < 0.1
