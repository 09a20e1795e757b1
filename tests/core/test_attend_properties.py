"""What must hold in every form of attention, at every position."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from app.core.attention import attend
from app.core.masks import allowed
from app.core.operations.ops import NotFinite
from app.core.positions import BETWEEN, PositionOptions, act_between
from app.core.record import checks
from app.core.record.array import given as array_given
from app.core.record.array import parameter
from app.core.record.trace import Trace
from app.core.variants import first_named
from tests.core import attend_oracle
from tests.core.attend_build import EVERYTHING, INSIDE, FormScene, draw, form_scenes, seeds, tables_for
from tests.core.evaluate import evaluate
from tests.core.reference import same
from tests.support.examples import examples


@examples(300)
@given(form_scenes())
def test_every_form_agrees_with_plain_loops(scene: FormScene) -> None:
    t = scene.run()
    assume(np.abs(t.weights.value).max() < 1e4)
    used = first_named(t, "weights_cut", "weights")
    for a in range(len(scene.q)):
        expected = attend_oracle.head(scene, a)
        assert same(used.value[a], expected["weights"])
        assert same(t.z.value[a], expected["z"])
    assert all(not np.isnan(t[name].value).any() for name in t)


@examples(200)
@given(form_scenes(edited=True))
def test_every_explanation_of_every_form_evaluates_to_its_value(scene: FormScene) -> None:
    try:
        t = scene.run()
    except NotFinite:
        reject()
    assume(np.abs(t.weights.value).max() < 1e4)
    for name in t:
        for index in np.ndindex(t[name].shape):
            explanation = t.explain(name, index)
            assert all(term.step in t.inputs(name) for term in explanation.terms)
            assert all(term.value == t[term.step].value[term.index] for term in explanation.terms)
            if explanation.parts:
                got = evaluate(explanation.tree)
                assert got == explanation.value or math.isclose(got, explanation.value, rel_tol=1e-9, abs_tol=1e-9), (name, index)
            else:
                assert t[name].kind != "computed" or index in t.edited(name)


@examples(100)
@given(form_scenes())
def test_a_second_way_gives_the_same_numbers_in_every_form(scene: FormScene) -> None:
    t = scene.run()
    assume(np.abs(t.weights.value).max() < 1e4)
    found = {name: checks.second_way(t, name) for name in t}
    assert all(difference is None or difference < 1e-9 for difference in found.values())
    if scene.position.startswith("rope"):
        assert found["q_rot"] is not None
    if scene.form.get("sink") is not None and not scene.form["inside"]:
        assert found["weights"] is not None


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("position", ["none", *BETWEEN])
@examples(20)
@given(seeds, st.integers(0, 5))
def test_the_future_cannot_change_the_past_in_any_form(position: str, inside: bool, seed: int, now: int) -> None:
    """Exactly, not nearly."""
    tables = tables_for(position, np.random.default_rng(seed), 2, 4, 3)
    options = PositionOptions(max_distance=5)
    form = {**EVERYTHING, "inside": inside}
    traces = []
    for other in (False, True):
        q, k, v = (draw(seed + n, *shape) for n, shape in enumerate([(2, 6, 4), (1, 6, 4), (1, 6, 3)]))
        if other:
            for array in (q, k, v):
                array[:, now + 1 :] += draw(seed + 9, *array[:, now + 1 :].shape)
        traces.append(FormScene(q, k, v, allowed("causal", 6, 6), position, options, tables, True, form=form).run())
    for name in ("weights", "z"):
        assert np.array_equal(traces[0][name].value[:, : now + 1], traces[1][name].value[:, : now + 1])


@examples(40)
@given(seeds, st.permutations(range(5)))
def test_without_positions_the_order_of_words_does_not_matter_in_any_form(seed: int, order: list[int]) -> None:
    """Whole numbers: every score is exactly the same, only its place changes."""
    rng = np.random.default_rng(seed)
    q, k, v = (rng.integers(-4, 5, (heads, 5, 4)).astype(float) for heads in (2, 1, 1))
    one, two = (FormScene(a, b, c, form=EVERYTHING).run() for a, b, c in ((q, k, v), (q[:, order], k[:, order], v[:, order])))
    for name in ("scores", "scaled", "tempered", "capped", "masked"):
        assert np.array_equal(two[name].value, one[name].value[:, order][:, :, order])
    assert same(two.z.value, one.z.value[:, order], 1e-13)


@pytest.mark.parametrize("position", BETWEEN)
def test_with_positions_the_order_of_words_matters(position: str) -> None:
    q, k, v, order = draw(1, 2, 5, 4), draw(2, 1, 5, 4), draw(3, 1, 5, 3), [1, 0, 2, 3, 4]
    tables = tables_for(position, np.random.default_rng(4), 2, 4, 3)
    options = PositionOptions(max_distance=5)
    one, two = (
        FormScene(a, b, c, position=position, options=options, tables=tables).run()
        for a, b, c in ((q, k, v), (q[:, order], k[:, order], v[:, order]))
    )
    assert not np.allclose(two.z.value, one.z.value[:, order])


@pytest.mark.parametrize("position", ["none", *BETWEEN])
@given(seeds)
def test_shared_heads_equal_heads_written_out_at_every_position(position: str, seed: int) -> None:
    q, k, v = draw(seed, 4, 3, 4), draw(seed + 1, 2, 7, 4), draw(seed + 2, 2, 7, 5)
    tables = tables_for(position, np.random.default_rng(seed), 4, 4, 5)
    options = PositionOptions(max_distance=5)
    shared, written = (
        FormScene(q, a, b, position=position, options=options, tables=tables, norm=True).run()
        for a, b in ((k, v), (np.repeat(k, 2, axis=0), np.repeat(v, 2, axis=0)))
    )
    assert same(shared.z.value, written.z.value, 1e-14)


@pytest.mark.parametrize("position", ["none", *BETWEEN])
@pytest.mark.parametrize("form", [{}, {**EVERYTHING, "inside": True}, EVERYTHING, {"mask_place": "after"}])
def test_the_kind_of_number_is_kept_in_every_form(position: str, form: dict[str, Any]) -> None:
    q, k, v = (draw(1, 2, 3, 4).astype("f"), draw(2, 1, 7, 4).astype("f"), draw(3, 1, 7, 5).astype("f"))
    tables = {name: table.astype("f") for name, table in tables_for(position, np.random.default_rng(4), 2, 4, 5).items()}
    if "sink" in form:
        form = {**form, "sink": np.array(form["sink"], "f")}
    t = FormScene(q, k, v, None, position, PositionOptions(max_distance=5), tables, True, form=form).run()
    whole = {"mask": bool, "angles": np.float64, "rel_index": np.float64, "buckets": np.float64}
    for name in t:
        assert t[name].value.dtype == whole.get(name, np.float32), name


EDITABLE = [
    "q_norm",
    "q_rot",
    "bias",
    "tempered",
    "capped",
    "biased",
    "masked",
    "sink",
    "exponentials",
    "row_sum",
    "weights",
]


@pytest.mark.parametrize("name", EDITABLE)
def test_an_edit_of_any_step_of_a_form_reaches_the_output(name: str) -> None:
    position = "rope" if name == "q_rot" else "alibi"
    form = {**EVERYTHING, "inside": name in INSIDE}
    scene = FormScene(draw(1, 2, 3, 4), draw(2, 1, 7, 4), draw(3, 1, 7, 5), None, position, norm=True, form=form)
    before = scene.run()
    index = tuple(size - 1 for size in before[name].shape)
    scene.edits = {name: {index: float(before[name].value[index]) + 0.5}}
    after = scene.run()
    assert not np.allclose(before.z.value, after.z.value)
    assert np.isfinite(after.z.value).all()


@pytest.mark.parametrize("position", BETWEEN)
def test_a_form_inside_a_part_of_a_trace_finds_its_own_steps(position: str) -> None:
    """A layer must not take the rotated queries of the trace around it, nor of another layer."""
    t = Trace()
    q, k, v = draw(1, 2, 3, 4), draw(2, 2, 3, 4), draw(3, 2, 3, 4)
    for number in range(2):
        inner = t.part(f"layer.{number}")
        inner.q, inner.k, inner.v = array_given(q), array_given(k), array_given(v)
        if number == 0:
            for name, table in tables_for(position, np.random.default_rng(4), 2, 4, 4).items():
                setattr(inner, name, parameter(table))
            act_between(inner, position, PositionOptions(max_distance=5))
        attend(inner, array_given(np.ones((3, 3), dtype=bool)))
    plain = FormScene(q, k, v).run()
    assert np.array_equal(t["layer.1.z"].value, plain.z.value)
    assert not np.allclose(t["layer.0.z"].value, plain.z.value)
