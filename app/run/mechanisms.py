"""From queries, keys and values to what each query takes: the mechanism, mask, positions and form that were chosen."""

from collections.abc import Callable

import numpy as np

from app.core import masks, positions
from app.core.attention import attend
from app.core.masks import Mask, MaskOptions
from app.core.mechanisms import linear
from app.core.mechanisms.tiled import tiled_attention
from app.core.positions import PositionOptions
from app.core.record.array import given
from app.core.record.trace import Trace
from app.core.variants import Form, qk_norm
from app.errors import refuse
from app.limits import TILES
from app.run.inputs import check_shape, toy
from app.scenario.sizes import Sizes
from app.scenario.table import Scenario


def mask_of(scenario: Scenario, sizes: Sizes) -> Mask:
    """Who may see whom: the chosen mask, and what is padding is hidden as well. Shape: (n_q, n_k)."""
    real = _real(scenario, sizes)
    if scenario.mask == "custom":
        assert scenario.allow
        check_shape("allow", scenario.allow, (sizes.n_q, sizes.n_k))
        chosen = np.array(scenario.allow, dtype=bool)
    else:
        chosen = masks.MASKS[scenario.mask or "none"](sizes.n_q, sizes.n_k, _mask_options(scenario, real))
    return chosen & masks.padding(sizes.n_q, sizes.n_k, MaskOptions(real=real))


def _real(scenario: Scenario, sizes: Sizes) -> list[bool] | None:
    if scenario.padding is None:
        if scenario.mask == "padding":
            raise refuse("padding", "padding_missing", offer=("padding", "1" * (sizes.n_k - 1) + "0"), count=sizes.n_k)
        return None
    check_shape("padding", scenario.padding, (1, sizes.n_k))
    return [bool(bit) for bit in scenario.padding[0]]


def _mask_options(scenario: Scenario, real: list[bool] | None) -> MaskOptions:
    return MaskOptions(
        window=scenario.window,
        two_sided=scenario.two_sided == "yes",
        real=real,
        prefix=scenario.prefix,
        dilation=scenario.dilation,
        n_global=scenario.n_global,
        block=scenario.block,
    )


def is_causal(mask: Mask) -> bool:
    """True where no query sees a key after itself."""
    n_q, n_k = mask.shape
    return bool((mask <= masks.causal(n_q, n_k)).all())


def apply_positions(t: Trace, scenario: Scenario, sizes: Sizes, mask: Mask) -> None:
    """What happens to queries and keys before they meet: QK-norm, rotation, distances."""
    if scenario.qk_norm == "yes":
        qk_norm(t)
    if scenario.position in ("rope", "rope_interleaved") and sizes.d_head % 2:
        raise refuse("position", "rope_odd", offer=("d_head", sizes.d_head + 1), d_head=sizes.d_head, nearest=sizes.d_head + 1)
    if scenario.position == "relative":
        rows = 2 * scenario.max_distance + 1
        t.rel_k = toy(scenario, "rel_k", rows, sizes.d_head)
        t.rel_v = toy(scenario, "rel_v", rows, sizes.d_v)
    if scenario.position == "t5":
        t.rel_table = toy(scenario, "rel_table", scenario.n_buckets, sizes.n_heads)
    if scenario.position in positions.BETWEEN:
        _place(t, scenario, is_causal(mask))


def _place(t: Trace, scenario: Scenario, causal: bool) -> None:
    options = PositionOptions(causal=causal, max_distance=scenario.max_distance)
    try:
        positions.BETWEEN[scenario.position](t, options)
    except ValueError:
        if scenario.n_buckets % 2 and not causal:
            raise refuse("n_buckets", "buckets_odd", n_buckets=scenario.n_buckets, nearest=scenario.n_buckets - 1) from None
        least = scenario.n_buckets // (1 if causal else 2) // 2 + 1
        raise refuse("max_distance", "buckets", n_buckets=scenario.n_buckets, least=least) from None


def _attention(t: Trace, scenario: Scenario, sizes: Sizes, mask: Mask) -> None:
    apply_positions(t, scenario, sizes, mask)
    form = Form(
        temperature=scenario.temperature,
        softcap=scenario.softcap,
        sink=toy(scenario, "sink", sizes.n_heads, 1) if scenario.sink == "yes" else None,
        inside=scenario.inside == "yes",
        mask_place=scenario.mask_place,
    )
    attend(t, given(mask), scenario.scale, scenario.normalizer, form)


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


MECHANISMS: dict[str, Callable[[Trace, Scenario, Sizes, Mask], None]] = {
    "attention": _attention,
    "tiled": _tiled,
    "linear": _linear,
}
"""The mechanisms that go from q, k and v to z."""


def attend_by_mechanism(t: Trace, scenario: Scenario, sizes: Sizes, mask: Mask) -> None:
    """From q, k and v to z by the chosen mechanism. Errors: Refusal where a position does not go with it."""
    if scenario.position in positions.BETWEEN and scenario.mechanism != "attention":
        raise refuse("position", "position_mechanism", offer=("position", "sinusoidal"))
    MECHANISMS[scenario.mechanism](t, scenario, sizes, mask)
