"""Gradients of whole scenarios: every form, against the same scenario computed again with one cell a little larger."""

from typing import Any

import numpy as np
import pytest

from app.core.record.gradients import gradients, pushed
from app.core.record.trace import Trace
from app.glossary import base_of
from app.run.assemble import assemble
from app.scenario.presets import PRESETS, fields_of
from app.scenario.table import Scenario

Index = tuple[int, ...]
Edits = dict[str, dict[Index, float]]
STEP = 1e-5
SWITCHES = {"mask", "chosen", "rel_index", "buckets"}
"""What only chooses: it jumps, and a small step of it says nothing."""
SENTENCE = {"text": "the dog runs and sleeps", "d_model": "4", "n_heads": "2"}
MORE: dict[str, dict[str, str]] = {
    "sink and inside": {**SENTENCE, "sink": "yes", "inside": "yes", "mask": "causal"},
    "sharp": {**SENTENCE, "temperature": "0.1", "softcap": "3", "sink": "yes"},
    "own widths": {"q": "1,0.3;2,1;0,1", "k": "0.5,1;1,1;2,-1;0,3", "v": "1,2,3;4,5,6;0,1,0;1,1,2", "mask": "causal"},
    "edits": {**SENTENCE, "edits": "scores[0,1,0]=2;weights[1,2,1]=0.5;x[0,1]=3;masked[0,2,1]=1;mask[0,3]=0", "mask": "causal"},
    "sliding division": {**SENTENCE, "normalizer": "division", "mask": "sliding_window"},
    "tiled behind a mask": {**SENTENCE, "mechanism": "tiled", "tile_q": "2", "tile_k": "2", "mask": "causal"},
    "simplified rule": {"text": "a b c", "mechanism": "state_space", "ssm_rule": "simplified"},
    "gates not renormalised": {**SENTENCE, "n_layers": "1", "n_experts": "3", "top_k": "1", "renormalise": "no"},
    **{f"layer with {name}": {**SENTENCE, "n_layers": "1", "activation": name} for name in ("relu", "gelu_tanh", "silu")},
    "layers after another": {**SENTENCE, "n_layers": "2", "norm_place": "post", "norm": "rms_norm", "qk_norm": "yes"},
}
SCENARIOS: dict[str, dict[str, str]] = {
    **{preset.name: dict(fields_of(preset, "en")) for group in PRESETS.values() for preset in group},
    **MORE,
}
SCENARIOS["division"]["seed"] = "3"  # with seed 0 a row's sum is nearly 0, and no step is small enough


def computed(fields: dict[str, str]) -> tuple[Scenario, Trace]:
    scenario = Scenario.from_query(list(fields.items()))
    return scenario, assemble(scenario)[1]


def again(scenario: Scenario, edits: Edits) -> Trace:
    """The same scenario, with more cells replaced."""
    every = {name: dict(cells) for name, cells in (scenario.edits or {}).items()}
    for name, cells in edits.items():
        every[name] = {**every.get(name, {}), **cells}
    return assemble(scenario.model_copy(update={"edits": every}))[1]


def moved(scenario: Scenario, trace: Trace, name: str, cell: Index, pinned: Edits | None = None) -> tuple[Trace, Trace, float]:
    """The scenario with one cell a little smaller and a little larger; all of ``pinned`` stays what it is."""
    value = float(trace[name].value[cell])
    width = STEP * max(1.0, abs(value))
    low, high = (again(scenario, {**(pinned or {}), name: {cell: value + by}}) for by in (-width, width))
    return low, high, 2 * width


def a_few(rng: np.random.Generator, shape: tuple[int, ...], most: int) -> list[Index]:
    every = list(np.ndindex(shape))
    return [every[place] for place in rng.permutation(len(every))[:most]]


def can_step(trace: Trace, name: str, cell: Index) -> bool:
    """False for what is hidden, and for a gate of 0: a little more, and the token goes to one expert more."""
    value = trace[name].value[cell]
    return bool(np.isfinite(value)) and not (base_of(name) in ("gates", "kept_probs") and value == 0)


@pytest.mark.parametrize("name", SCENARIOS)
def test_one_number_a_little_larger_moves_the_others_as_the_gradients_say(name: str) -> None:
    scenario, trace = computed(SCENARIOS[name])
    rng = np.random.default_rng(3)
    last = list(trace)[-1]
    near = next((step for step in reversed(list(trace)) if base_of(step) in ("weights", "h", "phi_k", "router_probs")), last)
    ends = [(step, cell) for step in dict.fromkeys((last, near)) for cell in a_few(rng, trace[step].shape, 3)]
    found = {end: gradients(trace, *end) for end in ends}
    tried = 0
    for step in chosen_steps(rng, trace):
        for cell in a_few(rng, trace[step].shape, 3):
            if not can_step(trace, step, cell):
                assert all(cell_of(slopes, step, cell) == 0 for slopes in found.values() if step == "masked")
                continue
            low, high, width = moved(scenario, trace, step, cell)
            for (end, place), slopes in found.items():
                slope = float(high[end].value[place] - low[end].value[place]) / width
                assert cell_of(slopes, step, cell) == pytest.approx(slope, rel=1e-5, abs=1e-6), (step, cell, end, place)
                tried += slope != 0
    assert tried > 10


def chosen_steps(rng: np.random.Generator, trace: Trace) -> list[str]:
    steps = [name for name in trace if base_of(name) not in SWITCHES]
    return [steps[place] for place in rng.permutation(len(steps))[:24]]


def cell_of(slopes: dict[str, Any], step: str, cell: Index) -> float:
    return float(slopes[step][cell]) if step in slopes else 0.0


@pytest.mark.parametrize("name", ["causal", "modern", "relative", "grouped", "experts", "edits", "recurrent", "tiled"])
def test_forwards_a_number_moves_the_next_steps_as_small_steps_do_when_all_others_are_held(name: str) -> None:
    scenario, trace = computed(SCENARIOS[name])
    rng = np.random.default_rng(5)
    for step in chosen_steps(rng, trace)[:8]:
        users = [user for user in trace if step in trace.inputs(user)]
        (cell,) = a_few(rng, trace[step].shape, 1)
        if not users or not can_step(trace, step, cell):
            continue
        others = [other for other in trace if other != step and other not in users]
        held = {other: dict(np.ndenumerate(trace[other].value)) for other in others}
        low, high, width = moved(scenario, trace, step, cell, held)
        for user in users:
            grown = pushed(trace[user], trace[step], cell)
            if grown is None:
                assert base_of(user) in ("chosen", "routed")
            elif set(trace.inputs(user)) <= {step, *others}:
                slopes = (high[user].value - low[user].value) / width if np.isfinite(high[user].value).all() else None
                assert slopes is None or np.allclose(grown, slopes, rtol=1e-5, atol=1e-6), (step, cell, user)


def test_the_gradient_of_a_hidden_score_is_nothing_and_raises_no_warning() -> None:
    _, trace = computed({"text": "the dog runs", "mask": "causal"})
    for cell in np.ndindex(trace.out.shape):
        slopes = gradients(trace, "out", cell)
        hidden = ~np.broadcast_to(trace.mask.value, trace.scores.shape)
        assert (slopes["masked"][hidden] == 0).all()
        assert (slopes["scores"][hidden] == 0).all()
        assert np.isfinite(slopes["x"]).all()
