"""Positions that are added, and ALiBi: by hand, against the reference numbers, and what is refused."""

import re

import numpy as np
import pytest

from app.core.masks import MaskOptions, allowed
from app.core.operations.distances import Slopes
from app.core.positions import BETWEEN, TooLong, count_real, learned, sinusoidal
from app.core.record.array import given as array_given
from app.core.record.array import parameter
from app.core.record.trace import Trace
from tests.core.attend_build import FormScene, case, draw, heads_of, reference
from tests.core.build import Scene
from tests.core.reference import same


def test_slopes_by_hand() -> None:
    def slopes(heads: int) -> list[float]:
        return [float(row[0]) for row in Slopes(heads).forward()]

    assert slopes(1) == [1 / 256]
    assert slopes(2) == [1 / 16, 1 / 256]
    assert slopes(3) == [1 / 16, 1 / 256, 1 / 4]
    assert slopes(8) == [2.0**-n for n in range(1, 9)]
    for heads, expected in reference()["positions"]["alibi_slopes"].items():
        assert same(slopes(int(heads)), expected)
    _, wanted, faults = case("POS-09")
    assert slopes(8) == wanted["slopes"] != faults["heads counted from 0"]


@pytest.mark.parametrize("number", range(4))
def test_alibi_attention_agrees(number: int) -> None:
    entry = reference()["positions"]["alibi_attention"][number]
    heads = entry["n_heads"]
    q, k, v = (heads_of(entry, name, heads) for name in ("W_q", "W_k", "W_v"))
    mask = allowed(entry["mask"], entry["n"], entry["n"])
    t = FormScene(q, k, v, mask, "alibi").run()
    seen = np.broadcast_to(mask, t.bias.shape)
    assert same(t.bias.value[seen], np.array(entry["bias"])[seen])  # their bias of hidden keys is above 0: hidden, it has no part
    assert (t.bias.value <= 0).all()
    assert same(t.weights.value, entry["weights"])
    assert same(t.concat.value @ entry["W_o"], entry["output"])


def test_alibi_lowers_far_keys_and_nothing_at_distance_zero() -> None:
    given_input, expected, faults = case("POS-11")
    n, zeros = given_input["n"], np.zeros((given_input["n_heads"], given_input["n"], 2))
    mask = allowed("causal", n, n)
    t = FormScene(zeros, zeros, zeros, mask, "alibi").run()
    assert same(t.bias.value[:, mask], np.array(expected["bias"])[:, mask])
    assert same(t.weights.value, expected["weights"])
    assert not any(same(t.weights.value, fault) for fault in faults.values())
    both = FormScene(zeros, zeros, zeros, position="alibi").run().bias.value
    assert (both == both.swapaxes(1, 2)).all()
    assert (both[:, range(n), range(n)] == 0).all()
    assert both.max() == 0


def test_no_key_is_rewarded_for_its_distance_under_any_mask_and_places_count_from_the_last_query() -> None:
    """By hand, for one head whose slope is 1/256: the last of three queries is the last of five keys."""
    q, k = np.zeros((1, 3, 2)), np.zeros((1, 5, 2))
    far = [[2, 1, 0, 1, 2], [3, 2, 1, 0, 1], [4, 3, 2, 1, 0]]
    for name in ("none", "causal"):
        bias = FormScene(q, k, k, allowed(name, 3, 5), "alibi").run().bias.value
        assert bias[0].tolist() == [[-distance / 256 for distance in row] for row in far]


def test_the_formula_of_the_slopes_gives_the_slopes_for_every_number_of_heads() -> None:
    """The printed formula, worked out with a counted from 1."""
    for heads in range(1, 17):
        first, *more = re.split(r"\\;\(a[^)]*\)(?:,\\quad )?", Slopes(heads).tex)
        p = 2 ** (len(f"{heads:b}") - 1)
        assert (p == heads) == (not more)
        for head, (slope,) in enumerate(Slopes(heads).forward(), 1):
            written = (first if head <= p else more[0]).replace("a", f"*{head}" if head <= p else f"{head}")
            power = re.sub(r"(\d)\(", r"\1*(", written.partition("^")[2].strip("{}"))
            assert 2 ** eval(power) == slope


def test_alibi_reads_as_it_is_taught() -> None:
    t = FormScene(draw(1, 2, 3, 2), draw(2, 2, 3, 2), draw(3, 2, 3, 2), position="alibi").run()
    assert t.explain("slopes", (1, 0)).expression == "2^(−8×2/2) ≈ 0.004"
    assert t.explain("bias", (0, 2, 0)).expression == "−0.062×2 ≈ −0.125"
    assert t.explain("bias", (0, 0, 0)).value == 0
    assert [term.step for term in t.explain("biased", (0, 2, 0)).terms] == ["scaled", "bias"]


def test_learned_positions_are_the_first_rows_of_the_table() -> None:
    t = Trace()
    t.x, t.pos = array_given([[1, 1], [2, 2]]), parameter([[10, 20], [30, 40], [50, 60]])
    t.x_pos = t.x + learned(t.pos, 2)
    assert t.x_pos.value.tolist() == [[11, 21], [32, 42]]
    assert t.explain("x_pos", (1, 0)).expression == "2 + 30 = 32"
    assert t.explain("x_pos", (1, 0)).terms[1].index == (1, 0)


def test_a_text_longer_than_the_table_is_refused_with_both_lengths() -> None:
    given_input, _, _ = case("POS-12")
    with pytest.raises(TooLong, match=r"5 tokens.* 4 rows") as caught:
        learned(parameter(draw(1, given_input["table_rows"], 3)), given_input["tokens"])
    assert (caught.value.n, caught.value.max_positions) == (5, 4)


def test_the_sinusoidal_table_agrees() -> None:
    for entry in reference()["positions"]["sinusoidal"]:
        assert same(sinusoidal(entry["n"], entry["d_model"]).value, entry["pe"])
    given_input, expected, faults = case("POS-02")
    table = sinusoidal(given_input["n"], given_input["d_model"]).value
    assert same(table, expected["pe"])
    assert table[0].tolist() == [0, 1, 0, 1]
    assert not any(same(table, fault) for fault in faults.values())


def test_padding_on_the_left_moves_no_position() -> None:
    given_input, expected, faults = case("POS-16")
    x, real = np.array(given_input["X_real"]), [bool(bit) for bit in given_input["real_mask"]]
    assert count_real(real)[2:] == expected["position_ids_of_real_tokens"]
    table = sinusoidal(5, 4)
    table.name = "pos"
    padded = np.concatenate([np.full((2, 4), 9.0), x]) + table.take_rows(count_real(real)).value
    mask = allowed("causal", 5, 5) & allowed("padding", 5, 5, MaskOptions(real=real))
    eye = np.eye(4)
    out = Scene(padded, eye, eye, eye, eye, mask, 1, 1).run().out.value[2:]
    assert same(out, expected["output_of_real_tokens"])
    assert not any(same(out, fault) for fault in faults.values())
    plain = Scene(x, eye, eye, eye, eye, allowed("causal", 3, 3), 1, 1, position=True).run()
    assert same(out, plain.out.value, 1e-14)


@pytest.mark.parametrize("position", BETWEEN)
def test_every_position_says_what_it_is_and_where_it_comes_from(position: str) -> None:
    words = BETWEEN[position].act.__doc__ or ""
    assert "Source:" in words or "See ``rotate``" in words
