"""Rotary positions: by hand, against the reference numbers, and what turning keeps."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.masks import allowed
from app.core.positions import PositionOptions
from app.core.record.array import apply
from app.core.record.array import given as array_given
from app.core.record.trace import Trace
from app.core.rotary import PAIRINGS, Angles, Rotate, rotate
from tests.core.attend_build import FormScene, case, draw, heads_of, reference, seeds
from tests.core.build import Values
from tests.core.reference import same


def turned(x: Any, place: int, pairing: str, base: float = 10000.0) -> Values:
    """Rows of x, all at one position, turned."""
    rows = np.asarray(x, dtype=float)
    return Rotate(pairing).forward(rows, Angles(1, rows.shape[-1], base, place).forward())


def test_a_quarter_turn_by_hand() -> None:
    quarter = array_given([[math.pi / 2, 0.0]])
    for pairing, expected in (("half_split", [-3, 2, 1, 4]), ("interleaved", [-2, 1, 3, 4])):
        assert same(apply(Rotate(pairing), array_given([[[1, 2, 3, 4]]]), quarter).value, [[expected]], 1e-15)


def test_a_rotation_reads_as_it_is_taught() -> None:
    t = FormScene([[[1, 2]]], [[[1, -2], [3, 4]]], [[[1], [1]]], position="rope").run()
    assert t.explain("angles", (1, 0)).expression == "1 ÷ 10000^(0/2) = 1"
    assert t.explain("k_rot", (0, 0, 0)).expression == "1×cos(0) − (−2)×sin(0) = 1"
    assert t.explain("k_rot", (0, 1, 1)).expression == "3×sin(1) + 4×cos(1) ≈ 4.686"
    assert [(term.step, term.index) for term in t.explain("q_rot", (0, 0, 1)).terms] == [
        ("q", (0, 0, 0)),
        ("angles", (1, 0)),
        ("q", (0, 0, 1)),
        ("angles", (1, 0)),
    ]


def test_rotary_vectors_agree() -> None:
    entries = reference()["positions"]["rope"]
    assert len(entries) == 8
    for entry in entries:
        for pairing in PAIRINGS:
            got = [
                turned([row], place, pairing, entry["base"])[0] for row, place in zip(entry["x"], entry["positions"], strict=True)
            ]
            assert same(got, entry[pairing])


@pytest.mark.parametrize("number", range(4))
def test_rotary_attention_agrees(number: int) -> None:
    entry = reference()["positions"]["rope_attention"][number]
    heads = entry["n_heads"]
    position = {"half_split": "rope", "interleaved": "rope_interleaved"}[entry["convention"]]
    q, k, v = (heads_of(entry, name, heads) for name in ("W_q", "W_k", "W_v"))
    t = FormScene(q, k, v, allowed("causal", entry["n"], entry["n"]), position).run()
    assert same(t.weights.value, entry["weights"])
    assert same(t.concat.value @ entry["W_o"], entry["output"])
    assert (t.v.value == v).all()


def test_the_two_pairings_give_different_vectors() -> None:
    given_input, expected, _ = case("POS-03")
    for pairing in PAIRINGS:
        assert same(turned(given_input["x"], 1, pairing), expected[pairing])
        assert turned(given_input["x"], 0, pairing).tolist() == given_input["x"]
    given_input, expected, faults = case("POS-04")
    got = turned(given_input["x"], 1, given_input["pairing"])
    assert same(got, expected["rotated"])
    assert math.isclose((got**2).sum(), expected["squared_norm"])
    assert not any(same(got, fault) for fault in faults.values())


def test_rotary_scores_depend_on_the_distance_only() -> None:
    given_input, expected, _ = case("POS-05")
    for pairing, name in (("interleaved", "interleaved"), ("half_split", "half")):
        for shift in (0, given_input["shift_both_by"]):
            q = turned(given_input["q"], given_input["q_position"] + shift, pairing)
            k = turned(given_input["k"], given_input["k_position"] + shift, pairing)
            assert same((q @ k.T).item(), expected["dot_product"][name])


@pytest.mark.parametrize("pairing", ["rope", "rope_interleaved"])
@given(seeds, st.integers(1, 500))
def test_rotating_keeps_lengths_and_a_later_start_keeps_scores(pairing: str, seed: int, start: int) -> None:
    q, k, v = draw(seed, 2, 3, 10), draw(seed + 1, 1, 7, 10), draw(seed + 2, 1, 7, 4)
    early, late = (FormScene(q, k, v, position=pairing, options=PositionOptions(start=first)).run() for first in (0, start))
    for name, before in (("q_rot", q), ("k_rot", k)):
        assert same(np.linalg.norm(late[name].value, axis=-1), np.linalg.norm(before, axis=-1), 1e-12)
    assert same(early.scores.value, late.scores.value, 1e-11)
    assert late.angles.value[0, 0] == start


@pytest.mark.parametrize("pairing", ["rope", "rope_interleaved"])
def test_equal_words_get_scores_that_are_equal_along_each_diagonal(pairing: str) -> None:
    q, k = (np.tile(draw(seed, 1, 1, 6), (1, 5, 1)) for seed in (1, 2))
    scores = FormScene(q, k, k, position=pairing).run().scores.value[0]
    assert same(scores[1:, 1:], scores[:-1, :-1], 1e-12)
    assert not np.allclose(scores[0, 0], scores[0, 1])


def test_the_last_query_stands_where_the_last_key_stands() -> None:
    whole = FormScene(draw(1, 2, 7, 4), draw(2, 2, 7, 4), draw(3, 2, 7, 3), position="rope").run()
    last = FormScene(draw(1, 2, 7, 4)[:, 4:], draw(2, 2, 7, 4), draw(3, 2, 7, 3), position="rope").run()
    assert same(last.z.value, whole.z.value[:, 4:], 1e-14)
    more_queries = FormScene(draw(1, 2, 7, 4), draw(2, 2, 3, 4), draw(3, 2, 3, 3), position="rope").run()
    assert more_queries.explain("k_rot", (0, 0, 0)).terms[1].index == (4, 0)


@pytest.mark.parametrize("number", range(3))
def test_an_odd_head_width_is_refused(number: int) -> None:
    sizes = case("POS-06")[0]["try_each"][number]
    d_head = sizes["d_model"] // sizes["n_heads"]
    q = draw(1, sizes["n_heads"], 3, d_head)
    with pytest.raises(ValueError, match=f"d_head must be even, not {d_head}"):
        FormScene(q, q, q, position="rope").run()
    FormScene(q, q, q).run()


def test_an_unknown_pairing_is_refused() -> None:
    t = Trace()
    t.q = t.k = array_given(draw(1, 1, 3, 4))
    with pytest.raises(ValueError, match="half_split, interleaved, not both"):
        rotate(t, "both", 10000, 0)


def test_frequencies_use_the_head_width() -> None:
    given_input, expected, faults = case("POS-07")
    d_head = given_input["d_model"] // given_input["n_heads"]
    assert same(Angles(2, d_head, 10000).forward()[1], expected["inverse_frequencies"])
    assert not any(same(expected["inverse_frequencies"], fault) for fault in faults.values())
