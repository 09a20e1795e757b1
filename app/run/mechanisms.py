"""From queries, keys and values to what each query takes: the mechanism, mask, positions and form that were chosen."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from app.core import masks, positions
from app.core.attention import attend
from app.core.distances import BadBuckets
from app.core.masks import Mask, MaskOptions
from app.core.mechanisms import linear
from app.core.mechanisms.kinds import MECHANISMS
from app.core.mechanisms.tiled import tiled_attention
from app.core.positions import PositionOptions
from app.core.record.array import given
from app.core.record.trace import Trace
from app.core.rotary import OddWidth
from app.core.variants import Form, qk_norm
from app.errors import refuse
from app.limits import TILES
from app.run.inputs import check_shape, toy
from app.run.options import pick
from app.scenario.sizes import Sizes
from app.scenario.table import Scenario


def mask_of(scenario: Scenario, sizes: Sizes) -> Mask:
    """Who may see whom: the chosen mask, and what is padding is hidden as well. Shape: (n_q, n_k)."""
    real = _real(scenario, sizes)
    if scenario.mask == "custom":
        allow = scenario.allow or ()  # a custom mask without rows was refused before
        check_shape("allow", allow, (sizes.n_q, sizes.n_k))
        chosen = np.array(allow, dtype=bool)
    else:
        chosen = masks.allowed(scenario.mask or "none", sizes.n_q, sizes.n_k, pick(MaskOptions, scenario, real=real))
    return chosen & masks.padding(sizes.n_q, sizes.n_k, real=real)


def _real(scenario: Scenario, sizes: Sizes) -> list[bool] | None:
    if scenario.padding is None:
        if scenario.mask == "padding":
            raise refuse("padding", "padding_missing", offer=("padding", "1" * (sizes.n_k - 1) + "0"), count=sizes.n_k)
        return None
    check_shape("padding", scenario.padding, (1, sizes.n_k))
    return [bool(bit) for bit in scenario.padding[0]]


def is_causal(scenario: Scenario) -> bool:
    """True where the chosen mask is one for text that is still being written, whatever else is hidden."""
    return masks.looks_back(scenario.mask or "none", two_sided=scenario.two_sided)


def apply_positions(t: Trace, scenario: Scenario, sizes: Sizes) -> None:
    """What happens to queries and keys before they meet: QK-norm, then the position that acts between."""
    if scenario.qk_norm:
        qk_norm(t)
    if scenario.position in positions.BETWEEN:
        name_tables(t, scenario, sizes)
        with positions_refused(scenario, sizes):
            positions.act_between(t, scenario.position, position_options(scenario))


def position_options(scenario: Scenario) -> PositionOptions:
    """What the positions are told by a scenario."""
    return pick(PositionOptions, scenario, causal=is_causal(scenario))


def name_tables(t: Trace, scenario: Scenario, sizes: Sizes) -> None:
    """Name the learned tables of a position that acts between, as toy numbers."""
    if scenario.position in positions.BETWEEN:
        options = position_options(scenario)
        for name, shape in positions.tables_of(scenario.position, sizes.n_heads, sizes.d_head, sizes.d_v, options).items():
            setattr(t, name, toy(scenario, name, *shape))


@contextmanager
def positions_refused(scenario: Scenario, sizes: Sizes) -> Iterator[None]:
    """Where a position cannot act with these sizes, say so of the field. Errors: Refusal."""
    options = position_options(scenario)
    try:
        yield
    except OddWidth:
        nearest = sizes.d_head + 1
        raise refuse("position", "rope_odd", offer=("d_head", nearest), d_head=sizes.d_head, nearest=nearest) from None
    except BadBuckets:
        if scenario.n_buckets % 2 and not options.causal:
            raise refuse("n_buckets", "buckets_odd", n_buckets=scenario.n_buckets, nearest=scenario.n_buckets - 1) from None
        least = scenario.n_buckets // (1 if options.causal else 2) // 2 + 1
        raise refuse("max_distance", "buckets", n_buckets=scenario.n_buckets, least=least) from None


def _attention(t: Trace, scenario: Scenario, sizes: Sizes, mask: Mask) -> None:
    apply_positions(t, scenario, sizes)
    sink = toy(scenario, "sink", sizes.n_heads, 1) if scenario.sink else None
    attend(t, given(mask), pick(Form, scenario, sink=sink))


def _tiled(t: Trace, scenario: Scenario, sizes: Sizes, mask: Mask) -> None:
    tiles = -(-sizes.n_q // scenario.tile_q) * -(-sizes.n_k // scenario.tile_k)
    if tiles > TILES:
        raise refuse("tile_q", "tiles_many", tiles=tiles, limit=TILES)
    tiled_attention(t, given(mask), scenario.tile_q, scenario.tile_k, scenario.scale)


def _linear(t: Trace, scenario: Scenario, sizes: Sizes, mask: Mask) -> None:
    try:
        linear.linear_attention(t, given(mask), scenario.linear_form)
    except linear.OneState:
        raise refuse("linear_form", "one_state", offer=("linear_form", "quadratic")) from None


FROM_QKV: dict[str, Callable[[Trace, Scenario, Sizes, Mask], None]] = {
    "attention": _attention,
    "tiled": _tiled,
    "linear": _linear,
}
"""The mechanisms that go from q, k and v to z."""


def attend_by_mechanism(t: Trace, scenario: Scenario, sizes: Sizes, mask: Mask) -> None:
    """From q, k and v to z by the chosen mechanism. Errors: Refusal where a position does not go with it."""
    check_position(scenario)
    FROM_QKV[scenario.mechanism](t, scenario, sizes, mask)


def check_position(scenario: Scenario) -> None:
    """See that the position can act in the mechanism. Errors: Refusal."""
    if scenario.position in positions.BETWEEN and not MECHANISMS[scenario.mechanism].positions_between:
        raise refuse("position", "position_mechanism", offer=("position", "sinusoidal"))
