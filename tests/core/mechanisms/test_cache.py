"""The key/value cache: one token at a time, the same numbers as all at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.attention import attend, project
from app.core.masks import causal
from app.core.mechanisms import cache
from app.core.positions import BETWEEN, PositionOptions, act_between, tables_of
from app.core.record.array import given as array_given
from app.core.record.array import parameter
from app.core.record.trace import Edits, Trace
from app.core.variants import PLAIN, Form
from tests.core.build import Numbers, Values
from tests.core.long import assert_explained, assert_no_nan, case, draw, seeds
from tests.core.oracle import head
from tests.core.reference import same
from tests.support.examples import examples

Settings = cache.Settings


def generated(
    x: Values, mask: Numbers | None = None, plan: Settings | None = None, seed: int = 9, edits: Edits | None = None
) -> Trace:
    """A sentence fed token by token; heads are 3 wide, values 2."""
    plan = plan or Settings(4, 2)
    n, d_model = x.shape
    t = Trace(edits)
    t.x = array_given(x)
    widths = {"w_q": plan.n_heads * 3, "w_k": plan.n_kv_heads * 3, "w_v": plan.n_kv_heads * 2}
    for number, (name, width) in enumerate(widths.items()):
        setattr(t, name, parameter(draw(seed + number, d_model, width).astype(x.dtype)))
    cache.generate(t, t.x, array_given(causal(n, n) if mask is None else np.asarray(mask, bool)), plan)
    t.finish()
    return t


def positioned(x: Values, position: str, options: PositionOptions, seed: int, mask: Numbers | None = None) -> Trace:
    """As ``generated``, with a position that acts between queries and keys; heads are 4 wide here, values 2."""
    plan, n = Settings(4, 2, position=position, position_options=options), len(x)
    t = Trace()
    t.x = array_given(x)
    for number, (name, width) in enumerate({"w_q": 16, "w_k": 8, "w_v": 4}.items()):
        setattr(t, name, parameter(draw(seed + number, x.shape[1], width)))
    for name, shape in tables_of(position, 4, 4, 2, options).items():
        setattr(t, name, parameter(draw(seed + 7, *shape)))
    cache.generate(t, t.x, array_given(causal(n, n) if mask is None else np.asarray(mask, bool)), plan)
    t.finish()
    return t


@examples(60)
@given(
    seeds,
    st.sampled_from(sorted(BETWEEN)),
    st.integers(1, 7),
    st.integers(1, 6),
    st.integers(0, 50),
    st.booleans(),
)
def test_with_every_position_each_cached_step_equals_its_row_of_the_whole_pass(
    seed: int, position: str, n: int, width: int, start: int, back: bool
) -> None:
    """The whole pass is made here from the core's own line, not by the function that the page uses."""
    options = PositionOptions(start=start, causal=back, max_distance=5, n_buckets=4)
    x, mask = draw(seed, n, 5), window(n, width)
    t = positioned(x, position, options, seed, mask)
    whole = Trace()
    for name in ("w_q", "w_k", "w_v", *tables_of(position, 4, 4, 2, options)):
        setattr(whole, name, array_given(t[name].value))
    project(whole, array_given(x), 4, 2)
    act_between(whole, position, options)
    attend(whole, array_given(mask), PLAIN)
    assert np.abs(whole.z.value - t.z.value).max() < 1e-12
    for token in range(n):
        seen, one = mask[token, : token + 1], whole.masked.value[:, token, : token + 1]
        assert same(t[f"token.{token}.masked"].value[:, 0, seen], one[:, seen], 1e-12)
    settings = Settings(4, 2, position=position, position_options=options)
    assert max(cache.difference_from_whole(t, t.x, settings)) < 1e-12
    assert max(cache.change_of_the_past(t, t.x, settings), default=0.0) == 0
    assert_no_nan(t)


@pytest.mark.parametrize("position", sorted(BETWEEN))
def test_every_cell_of_generation_with_a_position_is_explained(position: str) -> None:
    assert_explained(positioned(draw(3, 3, 5).round(), position, PositionOptions(max_distance=5), 3))


def test_a_key_is_turned_once_and_kept_turned() -> None:
    t = positioned(draw(1, 4, 5), "rope", PositionOptions(), 1)
    assert t.explain("token.3.k", (0, 3, 0)).terms[0].step == "token.3.new_k_rot"
    assert t.explain("token.3.k", (0, 1, 0)).terms[0].step == "token.2.k"
    assert t["token.1.k"].value.tolist() == t["token.3.k"].value[:, :2].tolist()
    assert t.explain("token.2.new_k_rot", (0, 0, 0)).terms[1].index == (2, 0), "the angle of its own place"


def test_distances_in_the_cache_are_counted_from_the_newest_token() -> None:
    t = positioned(draw(1, 4, 5), "alibi", PositionOptions(), 1)
    assert t["token.3.bias"].value[1, 0].tolist() == [-3 / 16, -2 / 16, -1 / 16, 0]
    assert list(t).count("slopes") == 1
    assert not any(name.endswith(".slopes") for name in t)


def window(n: int, width: int) -> Values:
    """Itself and the tokens just before it."""
    return np.asarray(np.tri(n, dtype=bool) & ~np.tri(n, k=-width, dtype=bool))


def by_hand() -> Trace:
    """Three tokens 1, 2, 3; key = token, value = 2·token, and a query of 0, so that all weights are equal."""
    t = Trace()
    t.x = array_given([[1], [2], [3]])
    t.w_q, t.w_k, t.w_v = parameter([[0]]), parameter([[1]]), parameter([[2]])
    cache.generate(t, t.x, array_given(causal(3, 3)), Settings(1, 1))
    return t


def test_the_cache_grows_by_one_row_a_token() -> None:
    t = by_hand()
    assert t["token.0.k"].value.tolist() == [[[1]]]
    assert t["token.1.new_k"].value.tolist() == [[[2]]]
    assert t["token.2.k"].value.tolist() == [[[1], [2], [3]]]
    assert t["token.2.v"].value.tolist() == [[[2], [4], [6]]]
    assert t["token.1.weights"].value.tolist() == [[[1 / 2, 1 / 2]]]
    assert t.z.value.tolist() == [[[2], [3], [4]]]


def test_what_is_kept_is_read_and_only_the_newest_row_is_computed() -> None:
    t = by_hand()
    assert t.explain("token.2.k", (0, 0, 0)).terms[0].step == "token.1.k"
    assert t.explain("token.2.k", (0, 2, 0)).terms[0].step == "token.2.new_k"
    assert t.explain("token.2.new_v", (0, 0, 0)).expression == "3×2 = 6"
    assert t.inputs("token.2.k") == ["token.1.k", "token.2.new_k"]


@examples(60)
@given(seeds, st.integers(1, 6), st.integers(1, 6))
def test_every_cached_step_equals_its_row_of_the_whole_pass(seed: int, n: int, width: int) -> None:
    t = generated(draw(seed, n, 5), window(n, width), seed=seed)
    differences = cache.difference_from_whole(t, t.x, Settings(4, 2))
    assert len(differences) == n
    assert max(differences) < 1e-12
    assert_no_nan(t)


@examples(40)
@given(seeds, st.sampled_from(["softmax", "division"]))
def test_the_cached_step_agrees_with_plain_loops(seed: int, normalizer: str) -> None:
    x = np.abs(draw(seed, 4, 5))
    t = generated(x, plan=Settings(2, 2, Form(0.5, normalizer)), seed=seed)
    for number in range(2):
        q, k, v = (x @ t[name].value[:, number * w : (number + 1) * w] for name, w in (("w_q", 3), ("w_k", 3), ("w_v", 2)))
        z = head(q.tolist(), k.tolist(), v.tolist(), causal(4, 4).tolist(), 0.5, normalizer)["z"]
        if np.abs(z).max() < 1e3:
            assert same(t.z.value[number], z, 1e-9)


@examples(40)
@given(seeds, st.integers(1, 5))
def test_rows_already_computed_never_change(seed: int, now: int) -> None:
    """Exactly: a sentence that goes on, or goes on otherwise, leaves every number of its beginning as it was."""
    x = draw(seed, 6, 5)
    short, long, other = generated(x[:now]), generated(x), generated(np.vstack([x[:now], x[now:] + 1]))
    for name in short:
        if name.startswith("token."):
            assert np.array_equal(short[name].value, long[name].value)
            assert np.array_equal(short[name].value, other[name].value)
    assert np.array_equal(short.z.value, long.z.value[:, :now])


@examples(30)
@given(seeds)
def test_what_is_in_the_cache_is_never_written_again(seed: int) -> None:
    t = generated(draw(seed, 5, 3))
    for token in range(1, 5):
        for name in "kv":
            assert np.array_equal(t[f"token.{token}.{name}"].value[:, :token], t[f"token.{token - 1}.{name}"].value)


@examples(30)
@given(seeds, st.integers(1, 6))
def test_the_past_of_the_whole_pass_does_not_change_either(seed: int, n: int) -> None:
    t = generated(draw(seed, n, 5))
    assert cache.change_of_the_past(t, t.x, Settings(4, 2)) == [0.0] * (n - 1)


def test_the_check_of_the_past_would_notice_a_change() -> None:
    t = generated(draw(1, 4, 5), edits={"mask": {(0, 3): 1.0}})
    assert min(cache.change_of_the_past(t, t.x, Settings(4, 2))) > 0.001


def test_a_number_typed_into_the_cache_is_read_by_every_later_token() -> None:
    x = draw(1, 4, 5)
    plain, edited = generated(x), generated(x, edits={"token.1.v": {(0, 0, 0): 5.0}})
    assert edited["token.3.v"].value[0, 0, 0] == 5
    changed = [
        float(np.abs(a - b).max()) for a, b in zip(plain.z.value.swapaxes(0, 1), edited.z.value.swapaxes(0, 1), strict=True)
    ]
    assert changed[0] == 0
    assert min(changed[1:]) > 0
    assert cache.difference_from_whole(edited, edited.x, Settings(4, 2))[1:] == pytest.approx(changed[1:])


@examples(15)
@given(seeds, st.booleans())
def test_every_cell_of_generation_is_explained(seed: int, whole: bool) -> None:
    x = draw(seed, 3, 2)
    assert_explained(generated(x.round() if whole else x, window(3, 2), Settings(2, 1), seed))


def test_the_future_is_not_in_the_cache() -> None:
    with pytest.raises(ValueError, match="future"):
        generated(draw(1, 3, 5), np.ones((3, 3)))


def test_a_token_that_may_see_nothing_gets_zeros() -> None:
    t = generated(draw(1, 3, 5), [[1, 0, 0], [0, 0, 0], [1, 0, 1]])
    assert (t.z.value[:, 1] == 0).all()
    assert_no_nan(t)


def test_the_cache_holds_key_value_heads_not_query_heads() -> None:
    given_input, expected, _ = case("KVC-03")
    n_heads, n_kv_heads = given_input["n_heads"], given_input["n_kv_heads"]
    shared, plain = (generated(draw(1, 5, 4), plan=Settings(n_heads, kv)) for kv in (n_kv_heads, n_heads))
    held, all_heads = (sum(t[f"token.4.{name}"].value.size for name in "kv") for t in (shared, plain))
    assert held / all_heads == expected["cache_ratio_to_mha"]
    for query, key in enumerate(expected["kv_head_of_query_head"]):
        term = shared.explain("token.4.scores", (query, 0, 0)).terms[1]
        assert (term.step, term.index) == ("token.4.k", (key, 0, 0))


def test_with_a_window_no_more_keys_than_the_window_are_read() -> None:
    given_input, expected, _ = case("KVC-02")
    t = generated(draw(1, 7, 5), window(7, given_input["window"]), Settings(1, 1))
    for tokens, held in zip(given_input["tokens"][:4], expected["bytes"][:4], strict=True):
        assert 2 * np.count_nonzero(t[f"token.{tokens - 1}.weights"].value) == held


def test_rows_through_the_matrices_by_hand() -> None:
    """Without a cache the third token sends 3 rows through again: 1 + 2 + 3."""
    assert cache.projected_rows(3) == (3, 6)
    assert cache.projected_rows(1) == (1, 1)
    assert cache.projected_rows(16) == (16, sum(range(17)))


def test_generation_keeps_the_kind_of_number() -> None:
    t = generated(draw(1, 3, 5).astype(np.float32))
    assert {t[name].value.dtype for name in t if not name.endswith("mask")} == {np.dtype(np.float32)}
