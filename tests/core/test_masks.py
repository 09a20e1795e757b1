"""Masks: each by hand, each against its rule cell by cell, and how they combine."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.masks import MASKS, MaskOptions, allowed, causal, looks_back
from tests.core.attend_build import case
from tests.core.build import attention
from tests.core.reference import bits, same, vectors, wanted


def drawn(name: str, n_q: int, n_k: int, **options: object) -> list[str]:
    """A mask as rows of 0 and 1."""
    mask = allowed(name, n_q, n_k, MaskOptions(**options))  # type: ignore[arg-type]
    return ["".join("01"[int(bit)] for bit in row) for row in mask]


@pytest.mark.parametrize(
    ("name", "options", "rows"),
    [
        ("sliding_window", {"window": 3}, ["10000", "11000", "11100", "01110", "00111"]),
        ("sliding_window", {"window": 1}, ["10000", "01000", "00100", "00010", "00001"]),
        ("sliding_window", {"window": 1, "two_sided": True}, ["11000", "11100", "01110", "00111", "00011"]),
        ("padding", {"real": (1, 1, 0, 1, 0)}, ["11010"] * 5),
        ("prefix", {"prefix": 3}, ["11100", "11100", "11100", "11110", "11111"]),
        ("prefix", {"prefix": 0}, ["10000", "11000", "11100", "11110", "11111"]),
        ("dilated", {"window": 2, "dilation": 3}, ["10000", "01000", "00100", "10010", "01001"]),
        ("dilated", {"window": 3, "dilation": 2}, ["10000", "01000", "10100", "01010", "10101"]),
        ("global", {"window": 1, "n_global": 1}, ["11111", "11100", "11110", "10111", "10011"]),
        ("global", {"window": 1, "n_global": 0}, ["11000", "11100", "01110", "00111", "00011"]),
        ("block", {"block": 2}, ["11000", "11000", "00110", "00110", "00001"]),
    ],
)
def test_masks_by_hand(name: str, options: dict[str, object], rows: list[str]) -> None:
    assert drawn(name, 5, 5, **options) == rows


@pytest.mark.parametrize(
    ("name", "options", "rows"),
    [
        ("sliding_window", {"window": 2}, ["00110", "00011"]),
        ("sliding_window", {"window": 1, "two_sided": True}, ["00111", "00011"]),
        ("prefix", {"prefix": 1}, ["11110", "11111"]),
        ("dilated", {"window": 2, "dilation": 2}, ["01010", "00101"]),
        ("global", {"window": 1, "n_global": 4}, ["11111", "11111"]),
        ("block", {"block": 3}, ["00011", "00011"]),
    ],
)
def test_with_more_keys_than_queries_the_last_query_is_the_last_key(
    name: str, options: dict[str, object], rows: list[str]
) -> None:
    assert drawn(name, 2, 5, **options) == rows


Seen = Callable[[int, int, MaskOptions], bool]
RULES: dict[str, Seen] = {
    "none": lambda i, j, o: True,
    "causal": lambda i, j, o: j <= i,
    "sliding_window": lambda i, j, o: i - o.window <= j <= i + o.window if o.two_sided else i - o.window < j <= i,
    "padding": lambda i, j, o: o.real is None or bool(o.real[j]),
    "prefix": lambda i, j, o: j < o.prefix or j <= i,
    "dilated": lambda i, j, o: any(j == i - step * o.dilation for step in range(o.window)),
    "global": lambda i, j, o: j < o.n_global or i < o.n_global or abs(i - j) <= o.window,
    "block": lambda i, j, o: any(at <= i < at + o.block and at <= j < at + o.block for at in range(-o.block * 9, 99, o.block)),
}


@st.composite
def masked_sizes(draw: st.DrawFn) -> tuple[int, int, MaskOptions]:
    n_q, n_k, window, prefix, dilation, n_global, block = (draw(st.integers(1, 7)) for _ in range(7))
    real = draw(st.none() | st.lists(st.booleans(), min_size=n_k, max_size=n_k))
    return n_q, n_k, MaskOptions(window, draw(st.booleans()), real, prefix - 1, dilation, n_global - 1, block)


@given(st.sampled_from(sorted(MASKS)), masked_sizes())
def test_every_mask_is_its_rule_cell_by_cell(name: str, sizes: tuple[int, int, MaskOptions]) -> None:
    n_q, n_k, options = sizes
    expected = [[RULES[name](i + n_k - n_q, j, options) for j in range(n_k)] for i in range(n_q)]
    mask = allowed(name, n_q, n_k, options)
    assert mask.dtype == bool
    assert mask.tolist() == expected


def test_every_mask_has_a_rule_here() -> None:
    assert RULES.keys() == MASKS.keys()


@given(st.integers(1, 7), st.integers(0, 5))
def test_a_window_as_long_as_the_text_is_causal(n: int, more: int) -> None:
    assert (allowed("sliding_window", n, n, MaskOptions(window=n + more)) == allowed("causal", n, n)).all()


@given(st.integers(1, 7), st.integers(1, 7))
def test_masks_that_are_one_another(n: int, window: int) -> None:
    causal, one = allowed("causal", n, n), MaskOptions(window=window, dilation=1)
    assert (allowed("dilated", n, n, one) == allowed("sliding_window", n, n, one)).all()
    assert (allowed("prefix", n, n, MaskOptions(prefix=0)) == causal).all()
    assert allowed("prefix", n, n, MaskOptions(prefix=n)).all()
    assert allowed("block", n, n, MaskOptions(block=n)).all()
    assert allowed("global", n, n, MaskOptions(n_global=n)).all()
    two_sided = allowed("sliding_window", n, n, MaskOptions(window=window, two_sided=True))
    assert (allowed("global", n, n, MaskOptions(window=window, n_global=0)) == two_sided).all()
    assert (two_sided == two_sided.T).all()


def test_masks_combine_by_hiding_what_either_hides() -> None:
    both = allowed("causal", 4, 4) & allowed("padding", 4, 4, MaskOptions(real=(False, False, True, True)))
    assert both.tolist() == bits(["0000", "0000", "0010", "0011"]).tolist()


@pytest.mark.parametrize("name", ["ATT-18", "ATT-19", "ATT-20"])
def test_padding_hides_key_columns_alone_and_with_causal(name: str) -> None:
    given_input, expected = wanted(name)
    real = MaskOptions(real=given_input["padding_is_real"])
    mask = allowed("padding", 4, 4, real) & allowed(given_input.get("mask", "none"), 4, 4)
    x = given_input["X"]
    t = attention(x, x, x, mask)
    assert same(t.weights.value, expected["weights"])
    assert same(t.z.value[0], expected["output"])


def test_padding_must_name_every_key() -> None:
    with pytest.raises(ValueError, match="each of the 5 keys, not 3"):
        allowed("padding", 2, 5, MaskOptions(real=(True, True, False)))


@pytest.mark.parametrize("name", ["window", "dilation", "block"])
@pytest.mark.parametrize("count", [0, -1])
def test_a_count_below_one_is_refused_by_name(name: str, count: int) -> None:
    with pytest.raises(ValueError, match=f"{name} must be 1 or more, not {count}"):
        MaskOptions(**{name: count})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["prefix", "n_global"])
def test_a_count_below_zero_is_refused_by_name(name: str) -> None:
    assert MaskOptions(**{name: 0})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=f"{name} must be 0 or more"):
        MaskOptions(**{name: -1})  # type: ignore[arg-type]


def test_a_causal_window_of_three_shows_three_keys_itself_included() -> None:
    given_input, expected, faults = case("WIN-01")
    mask = allowed("sliding_window", 6, 6, MaskOptions(window=3))
    assert mask.tolist() == expected["allow"]
    assert mask.sum(axis=1).tolist() == expected["visible_keys_per_row"] != faults["visible keys, off by one"]
    t = attention(given_input["q"], given_input["k"], given_input["v"], mask)
    assert same(t.weights.value[0], expected["weights"])
    assert same(t.z.value[0], expected["output"])


def test_a_window_of_one_sees_itself_and_none_is_refused() -> None:
    given_input, expected, _ = case("WIN-02")
    t = attention(given_input["q"], given_input["k"], given_input["v"], allowed("sliding_window", 6, 6, MaskOptions(window=1)))
    assert t.weights.value[0].tolist() == expected["window_1_weights"]
    assert t.z.value[0].tolist() == expected["window_1_output"]
    for window in given_input["windows_to_try"][1:]:
        with pytest.raises(ValueError, match="window"):
            MaskOptions(window=window)


def test_a_window_longer_than_the_text_changes_nothing() -> None:
    given_input, expected, _ = case("WIN-03")
    for window in given_input["windows_to_try"]:
        mask = allowed("sliding_window", 6, 6, MaskOptions(window=window))
        assert same(attention(given_input["q"], given_input["k"], given_input["v"], mask).weights.value[0], expected["weights"])


def test_a_two_sided_window_looks_both_ways() -> None:
    given_input, expected, _ = case("WIN-04")
    mask = allowed("sliding_window", 5, 5, MaskOptions(window=given_input["left"], two_sided=True))
    assert mask.sum(axis=1).tolist() == expected["visible_keys_per_row"]
    assert same(attention(given_input["q"], given_input["k"], given_input["v"], mask).weights.value[0], expected["weights"])


def test_the_golden_window_of_two_agrees() -> None:
    for entry in vectors()["mha"]:
        expected, n = entry["cases"]["window2_causal"], entry["n"]
        mask = allowed("sliding_window", n, n, MaskOptions(window=2))
        assert (mask == bits(expected["allow"])).all()
        q, k, v = (np.array(entry["X"]) @ entry[name] for name in ("W_q", "W_k", "W_v"))
        t = attention(q, k, v, mask, heads=entry["n_heads"])
        assert same(t.weights.value, expected["weights"])
        assert same(t.concat.value @ entry["W_o"], expected["output"])


@pytest.mark.parametrize("name", MASKS)
def test_a_mask_looks_back_by_its_name_and_its_rule_keeps_to_it(name: str) -> None:
    """A new mask must say on which side it stands."""
    sizes = [(n_q, n_k) for n_q in range(1, 7) for n_k in range(n_q, 7)]
    for two_sided in (False, True):
        options = MaskOptions(two_sided=two_sided, prefix=3)
        shows = [(allowed(name, *size, options) > causal(*size)).any() for size in sizes]
        assert looks_back(name, two_sided=two_sided) == (not any(shows))
