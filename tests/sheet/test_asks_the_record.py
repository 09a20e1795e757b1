"""What is said of positions comes from the record: its base, its pairs, what was turned."""

import numpy as np
import pytest

from app.core.operations.ops import Sinusoid
from app.core.positions import PositionOptions, act_between
from app.core.record.array import apply, given
from app.core.record.trace import Trace
from app.core.rotary import difference_when_moved
from app.core.variants import qk_norm
from app.drawing.diagrams import make_dials
from app.errors import Refusal
from app.run.run import compute
from app.scenario.table import Scenario
from app.sheet.cells import Place
from app.sheet.facts import facts
from app.sheet.formula import formula_of
from tests.support.computing import computed

ROTARY = ["rope", "rope_interleaved"]


def turned(
    position: str, base: float, *, norm: bool = False, edits: dict[str, dict[tuple[int, ...], float]] | None = None
) -> Trace:
    rng = np.random.default_rng(3)
    t = Trace(edits)
    t.q, t.k = given(rng.normal(size=(4, 3, 6)) * 5), given(rng.normal(size=(2, 3, 6)))
    if norm:
        qk_norm(t)
    act_between(t, position, PositionOptions(rope_base=base, start=2))
    return t


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("base", [10000.0, 7.0])
@pytest.mark.parametrize("position", ROTARY)
def test_scores_stay_when_all_move_on_whatever_the_base_and_the_norm(position: str, base: float, norm: bool) -> None:
    difference = difference_when_moved(turned(position, base, norm=norm), 7)
    assert difference is not None
    assert 0 < difference < 1e-12


@pytest.mark.parametrize("step", ["angles", "q_rot", "k_rot"])
def test_nothing_is_said_of_moving_on_where_the_turn_was_edited(step: str) -> None:
    t = turned("rope", 100.0, edits={step: {(0, 0) if step == "angles" else (0, 0, 0): 3.0}})
    assert difference_when_moved(t, 7) is None


def test_the_fact_holds_of_queries_and_keys_of_one_length_too() -> None:
    run = compute(Scenario.from_query([("text", "a b c"), ("position", "rope"), ("qk_norm", "yes"), ("d_model", "8")]))
    told = next(fact for fact in facts(run) if fact.code == "rope_distance")
    assert str(told.details["difference"]).partition("×")[2] in ("10⁻¹⁶", "10⁻¹⁵") or told.details["difference"] == "0"


def test_the_formula_of_the_waves_names_their_own_base() -> None:
    assert "/500^" in formula_of("pos", apply(Sinusoid(3, 4, base=500.0)), [])
    assert "/10000^" in formula_of("pos_k", apply(Sinusoid(3, 4)), [])


@pytest.mark.parametrize(("position", "pairs"), [("rope", ["1, 3", "2, 4"]), ("rope_interleaved", ["1, 2", "3, 4"])])
def test_the_dials_name_the_columns_that_were_turned_together(position: str, pairs: list[str]) -> None:
    fields = [("text", "a b c"), ("position", position), ("d_model", "4"), ("n_heads", "1")]
    run = compute(Scenario.from_query([*fields, ("edits", "q_rot[0,1,0]=2")]))
    assert [dial.pair for dial in make_dials(run, Place("q_rot", (0, 1, 0), True))] == pairs


def test_the_dials_show_the_angles_by_which_the_chosen_word_was_turned() -> None:
    """Where there are fewer queries than keys the first query does not stand at place 0; a cached token has its own place."""
    given = computed("q=1,0&k=1,0;0,1;1,1&v=1;2;3&position=rope&n_heads=1")
    assert [dial.angle for dial in make_dials(given, Place("q_rot", (0, 0, 0), True))] == ["114.6°"]  # 2 radians
    assert [dial.angle for dial in make_dials(given, Place("k_rot", (0, 1, 0), True))] == ["57.3°"]
    assert [dial.angle for dial in make_dials(given, Place("angles", (1, 0), True))] == ["57.3°"]
    written = computed("text=a b c&d_model=2&n_heads=1&mechanism=cached&mask=causal&position=rope")
    assert [dial.angle for dial in make_dials(written, Place("token.2.new_k_rot", (0, 0, 0), True))] == ["114.6°"]


def test_an_odd_width_and_buckets_are_refused_of_the_field_in_a_cache_too() -> None:
    written = "text=a b c&mechanism=cached&mask=causal&d_model=3&n_heads=1"
    for more, code in (("&position=rope", "rope_odd"), ("&position=t5&n_buckets=32&max_distance=8", "buckets")):
        with pytest.raises(Refusal, match=code):
            computed(written + more)
