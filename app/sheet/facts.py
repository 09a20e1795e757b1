"""Facts: what can be said of the chosen form in numbers, such as a difference from another way or a size."""

from collections.abc import Callable, Iterator

import numpy as np

from app.core import masks
from app.core.layers.experts import sent
from app.core.measures.ablation import brought
from app.core.measures.cost import cache_numbers, expert_parameters, in_bytes, readers
from app.core.measures.induction import evenly_shared, induction_scores
from app.core.measures.traffic import plain_traffic, tiled_traffic
from app.core.mechanisms import cache, linear, state_space
from app.core.mechanisms.tiled import difference_from_plain
from app.core.operations.numbers import scientific, show
from app.core.operations.ops import NotFinite, Values
from app.core.positions import BETWEEN
from app.core.record.array import given
from app.core.rotary import difference_when_moved
from app.errors import Detail
from app.glossary import base_of
from app.run.assemble import cache_settings
from app.run.mechanisms import is_causal
from app.run.run import Notice, Run
from app.text.spelling import same_words


def facts(run: Run) -> list[Notice]:
    """All that holds of this run, in the order of the computation."""
    about = (_mask, _positions, _sharing, _heads_off, *_BY_MECHANISM.get(run.scenario.mechanism, ()), _experts, _induction)
    return [fact for one in about for fact in _told(one, run)]


def _told(about: Callable[[Run], Iterator[Notice]], run: Run) -> list[Notice]:
    """What one of them says; nothing where hand edits make the other way of computing overflow."""
    try:
        return list(about(run))
    except NotFinite:
        return []


def _size(difference: float) -> str:
    return scientific(difference) if difference else "0"


def _is_noise(difference: float, beside: Values) -> bool:
    """True for a difference that rounding makes, beside numbers of this size."""
    return difference <= 1e-9 * max(1.0, float(np.abs(beside).max(initial=0)))


def _mask(run: Run) -> Iterator[Notice]:
    """How many cells are hidden; and what the classic mistake does to the sums of the rows."""
    masks_here = run.masks
    same = len({mask.tobytes() for mask in masks_here.values()}) == 1
    for place, mask in list(masks_here.items())[: 1 if same else None]:
        counts: dict[str, Detail] = {"allowed": int(mask.sum()), "hidden": int((~mask).sum())}
        if not mask.all():
            yield Notice("mask_cells", counts) if same else Notice("mask_cells_layer", {"layer": place + 1, **counts})
    cut = [name for name in run.trace if base_of(name) == "weights_cut"]
    for name in cut:
        for head, row in enumerate(run.trace[name].value.sum(axis=-1)):
            yield Notice("cut_sums", {"head": head + 1, "sums": ", ".join(show(value) for value in row)})
    if cut and not run.scenario.sink:
        yield Notice("cut_right")


def _positions(run: Run) -> Iterator[Notice]:
    """Where queries stand among the keys; T5: for whom the buckets are; rotary: the scores stay when all positions move alike."""
    sizes, scenario = run.sizes, run.scenario
    if sizes.n_q != sizes.n_k and (scenario.position in BETWEEN or masks.counts_places(scenario.mask or "none")):
        yield Notice("places_end", {"queries": sizes.n_q, "keys": sizes.n_k})
    if scenario.position == "t5":
        yield Notice("buckets_back" if is_causal(scenario) else "buckets_both")
    difference = difference_when_moved(run.trace, _MOVE)
    if difference is not None:
        yield Notice("rope_distance", {"move": _MOVE, "difference": _size(difference)})


_MOVE = 7


def _sharing(run: Run) -> Iterator[Notice]:
    """Which query heads read which key/value head, and how large the cache is for each choice."""
    sizes = run.sizes
    if sizes.n_kv_heads == sizes.n_heads and run.scenario.mechanism != "cached":
        return
    if sizes.n_kv_heads < sizes.n_heads:
        for head, asking in enumerate(readers(sizes.n_heads, sizes.n_kv_heads)):
            yield Notice("readers", {"kv": head + 1, "heads": ", ".join(str(query + 1) for query in asking)})
    layers = max(1, run.scenario.n_layers)
    for count in sorted({sizes.n_heads, sizes.n_kv_heads, 1}, reverse=True):
        size = cache_numbers(layers, count, sizes.d_head, sizes.n_k, sizes.d_v)
        code = "cache_size" if sizes.d_v == sizes.d_head else "cache_size_wide"
        yield Notice(code, {"kv": count, "written": size.written, "bytes": in_bytes(size, _BYTES).value, "each": _BYTES})


_BYTES = 2
"""The size of a number of 16 bits, in which the keys and values of current models are mostly kept."""


def _heads_off(run: Run) -> Iterator[Notice]:
    """How much the output changes by the heads that are off."""
    off = run.scenario.heads_off or ()
    if not off or "out" not in run.trace or run.trace.z.operation is None:
        return
    before = run.trace.z.inputs[0]
    for head in off:
        change = brought(before, run.trace.w_o, head)
        yield Notice("head_off", {"head": head + 1, "change": show(float(np.abs(change).max()))})


def _tiled(run: Run) -> Iterator[Notice]:
    if "z" not in run.trace:
        return
    sizes = run.sizes
    yield Notice("tiled_difference", {"difference": _size(difference_from_plain(run.trace, run.scenario.scale))})
    plain = plain_traffic(sizes.n_heads, sizes.n_q, sizes.n_k, sizes.d_head, sizes.d_v)
    tile_q = run.shape("tile.0.0.scores")[-2]
    tiled = tiled_traffic(sizes.n_heads, sizes.n_q, sizes.n_k, sizes.d_head, sizes.d_v, tile_q)
    yield Notice("traffic_plain", {"read": plain.read, "written": plain.written, "total": plain.total})
    yield Notice("traffic_tiled", {"read": tiled.read, "written": tiled.written, "total": tiled.total})
    if tiled.total > plain.total:
        yield Notice("tiles_small", {"times": -(-sizes.n_q // tile_q)})


def _linear(run: Run) -> Iterator[Notice]:
    if "z" not in run.trace:
        return
    mask = run.trace.mask.value if "mask" in run.trace else run.assembled.mask
    difference = linear.difference_of_forms(run.trace, given(mask))
    yield Notice("no_other_form") if difference is None else Notice("linear_difference", {"difference": _size(difference)})


def _states(run: Run) -> Iterator[Notice]:
    difference = state_space.difference_of_forms(run.trace)
    yield Notice("no_convolution") if difference is None else Notice("ssm_difference", {"difference": _size(difference)})
    if any(base_of(name) == "token.h" for name in run.trace):
        left = state_space.difference_from_the_state(run.trace)
        code = "ssm_left" if _is_noise(left, run.trace.contributions.value) else "ssm_left_edited"
        yield Notice(code, {"difference": _size(left)})


def _cached(run: Run) -> Iterator[Notice]:
    x = run.trace.x_pos if "x_pos" in run.trace else run.trace.x
    settings = cache_settings(run.scenario, run.sizes)
    difference = max(cache.difference_from_whole(run.trace, x, settings))
    code = "cache_difference" if _is_noise(difference, run.trace.z.value) else "cache_difference_edited"
    yield Notice(code, {"difference": _size(difference)})
    change = max(cache.change_of_the_past(run.trace, x, settings), default=0.0)
    yield Notice("cache_past" if _is_noise(change, run.trace.z.value) else "cache_past_edited", {"change": _size(change)})
    kept, again = cache.projected_rows(run.sizes.n_q)
    yield Notice("cache_rows", {"kept": kept, "again": again})


_BY_MECHANISM: dict[str, tuple[Callable[[Run], Iterator[Notice]], ...]] = {
    "tiled": (_tiled,),
    "linear": (_linear,),
    "state_space": (_states,),
    "cached": (_cached,),
}


def _experts(run: Run) -> Iterator[Notice]:
    """How many learned numbers work for a token, and experts that nobody chose."""
    mixtures = [layer for layer in range(run.scenario.n_layers) if f"layer.{layer}.chosen" in run.trace]
    if not mixtures:
        return
    chosen = run.trace[f"layer.{mixtures[0]}.chosen"].value
    d_model, d_ff = next(run.shape(name) for name in run.trace if ".expert." in name and name.endswith(".w_1"))
    n_experts, top_k = chosen.shape[-1], int(chosen[0].sum())
    active, total = (
        expert_parameters(run.scenario.activation, d_model, d_ff, experts, n_experts) for experts in (top_k, n_experts)
    )
    yield Notice("expert_numbers", {"active": active.value, "total": total.value})
    for layer in mixtures:
        busy = sent(run.trace[f"layer.{layer}.chosen"], run.trace[f"layer.{layer}.gates"])
        for expert, tokens in enumerate(busy):
            if not tokens:
                yield Notice("expert_idle", {"layer": layer + 1, "expert": expert + 1})


def _induction(run: Run) -> Iterator[Notice]:
    """Where a word comes twice in a causal stack: how much each head looks at what came after the earlier copy.

    An induction head needs a layer before it, so the first layer is not spoken of.
    """
    names, shown = same_words(run.names_q), run.masks
    if run.assembled.tokens_k or not run.tokens or any(np.triu(mask, 1).any() for mask in shown.values()):
        return
    for layer in range(1, run.scenario.n_layers):
        weights = run.weights_that_mix(layer)
        seen = shown[layer] & run.real[:, None]
        scores = None if weights is None else induction_scores(weights, names, seen)
        if scores:
            even = show(evenly_shared(names, seen))
            yield Notice("induction", {"layer": layer + 1, "scores": ", ".join(map(show, scores)), "even": even})
