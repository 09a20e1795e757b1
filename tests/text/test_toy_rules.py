"""The two rules of toy numbers: each stands for ever, and the newest lets weights be shared at every width."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.run.run import Run, compute
from app.scenario.opening import opening
from app.scenario.table import Scenario
from app.text.vectors import NEWEST, RULES, named_matrix, toy_matrix, toy_vector
from tests.support.toy_spread import SIZES, measure, sentences

STANDING = {
    ("犬", 1): [-1.5, -0.8, 0.6, -2.0, 1.4, 1.1, 1.7, 0.9],
    ("犬", 2): [0.0, -1.5, 0.9, 0.3, 1.7, 1.6, 1.2, 0.6],
    ("dog", 1): [0.6, -1.1, 0.9, -0.2, -1.8, 0.0, 1.0, 1.6],
    ("dog", 2): [0.8, 1.6, -0.6, 0.3, 0.1, -0.7, 0.2, -1.5],
}
MATRICES = {
    1: [[-0.2, -1.0, 0.3, -0.9], [-0.5, -0.5, -0.1, 0.5], [-0.1, -0.9, -0.3, 0.5], [-0.7, 0.7, -0.7, -0.6]],
    2: [[0.75, 0.18, -0.11, -0.72], [-0.4, 0.16, -0.64, -0.51], [-0.15, -0.65, -0.52, -0.86], [-0.07, -0.42, -0.42, -0.69]],
}
WEIGHTS = [
    [[0.632967, 0.081473, 0.28556], [0.485095, 0.163241, 0.351664], [0.247797, 0.452451, 0.299752]],
    [[0.220862, 0.293275, 0.485863], [0.15247, 0.787751, 0.059779], [0.334969, 0.142025, 0.523006]],
]


def computed(**fields: str) -> Run:
    return compute(Scenario.from_query(fields.items()))


@pytest.mark.parametrize(("word", "rule"), STANDING)
def test_a_words_vector_stands_for_ever(word: str, rule: int) -> None:
    assert toy_vector(word, 8, 0, rule).tolist() == STANDING[word, rule]


@pytest.mark.parametrize("rule", RULES)
def test_a_matrix_stands_for_ever(rule: int) -> None:
    assert toy_matrix("w_q", 4, 4, 0, rule).tolist() == MATRICES[rule]


def test_weights_by_the_newest_rule_stand_for_ever() -> None:
    weights = computed(text="the dog runs", toy="2").trace.weights.value
    assert np.abs(weights - WEIGHTS).max() < 1e-6


def test_without_the_field_the_oldest_rule_draws() -> None:
    old, first, new = (computed(text="the dog runs", **fields) for fields in ({}, {"toy": "1"}, {"toy": "2"}))
    assert (old.trace.out.value == first.trace.out.value).all()
    assert (old.trace.x.value != new.trace.x.value).any()
    assert dict(first.query) == {"text": "the dog runs"}
    assert dict(new.query) == {"text": "the dog runs", "toy": "2"}


@pytest.mark.parametrize(("width", "heads"), SIZES)
def test_weights_are_shared_at_every_width(width: int, heads: int) -> None:
    found = measure(list(sentences(8)), width, heads, NEWEST)
    assert 0.25 <= found.middle <= 0.6
    assert found.nothing < 0.05
    assert 0.8 < found.scaled < 1.25


def test_by_the_oldest_rule_a_wide_model_gives_all_to_one_word() -> None:
    found = measure(list(sentences(8)), 64, 4, RULES[0])
    assert found.middle > 0.99
    assert found.nothing > 0.5


@given(st.integers(1, 64), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_numbers_are_short(rows: int, columns: int, seed: int) -> None:
    vector, matrix = toy_vector("犬", rows, seed, 2), toy_matrix("layer.0.w_1", rows, columns, seed, 2)
    assert (vector == np.round(vector, 1)).all()
    assert (matrix == np.round(matrix, 2)).all()
    assert np.abs(vector).max() <= 1.7
    assert np.abs(matrix).max() <= (3 / rows) ** 0.5 + 0.005


@pytest.mark.parametrize("rows", [4, 16, 64])
def test_a_vector_has_a_spread_of_1_and_a_matrix_of_1_by_the_root_of_its_rows(rows: int) -> None:
    assert toy_vector("犬", 20000, 0, 2).std() == pytest.approx(1, rel=0.03)
    assert toy_matrix("w_v", rows, 5000, 0, 2).std() * rows**0.5 == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize("name", ["pos", "rel_k", "rel_table", "sink", "b"])
def test_what_is_looked_up_or_added_is_the_same_by_both_rules(name: str) -> None:
    assert (toy_matrix(name, 64, 4, 0, 1) == toy_matrix(name, 64, 4, 0, 2)).all()


def test_every_matrix_that_multiplies_follows_the_rule() -> None:
    everything = {"text": "the dog runs", "n_layers": "1", "n_experts": "2", "activation": "swiglu", "d_model": "16"}
    old, new = (computed(**everything, toy=str(rule)).trace for rule in RULES)
    learned = [name for name in new if name.rpartition(".")[2].startswith("w_") and new[name].kind == "parameter"]
    assert len(learned) >= 8
    for name in learned:
        largest = np.abs(new[name].value).max()
        assert largest <= (3 / new[name].value.shape[-2]) ** 0.5 + 0.005 < np.abs(old[name].value).max()


def test_a_matrix_asked_for_by_name_follows_the_rule() -> None:
    for rule in RULES:
        assert (named_matrix("w_q", "random:7", 4, 4, rule) == toy_matrix("w_q", 4, 4, 7, rule)).all()
    run = computed(text="the dog runs", w_q="random:7", toy="2")
    assert (run.trace.w_q.value == toy_matrix("w_q", 4, 4, 7, 2)).all()


@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_opening_example_is_the_same_by_both_rules(lang: str) -> None:
    fields = dict(opening(lang))
    assert fields["toy"] == str(NEWEST)
    new, old = computed(**fields), computed(**{**fields, "toy": "1"})
    assert all((new.trace[name].value == old.trace[name].value).all() for name in old.trace)
