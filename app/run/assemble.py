"""Put a scenario together: vectors, positions, then attention alone, in layers, from a cache, or a state space."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app import limits
from app.core import positions
from app.core.attention import combine, project
from app.core.heads import merge_heads, split_heads
from app.core.layers.block import stack
from app.core.layers.layer import LayerForm, layer, layer_shapes
from app.core.masks import Mask
from app.core.measures.ablation import without_heads
from app.core.mechanisms import cache, state_space
from app.core.positions import Added, LookedUp, TooLong
from app.core.record.array import Array, given, parameter
from app.core.record.trace import Edits, Trace
from app.core.variants import Form
from app.errors import refuse
from app.run.inputs import (
    check_components,
    check_shape,
    cut,
    learned_matrix,
    looked_up,
    names_of,
    tokens_of,
    toy,
    toy_parameters,
    vectors_in,
    vectors_of,
)
from app.run.mechanisms import attend_by_mechanism, check_position, mask_of, name_tables, position_options, positions_refused
from app.run.options import pick
from app.scenario.sizes import Sizes, Vectors, sizes_from_sentence, sizes_from_vectors
from app.scenario.table import LAYER, Scenario
from app.text.tokens import Token


@dataclass(frozen=True, slots=True)
class Assembled:
    """What the mathematics was put together from."""

    sizes: Sizes
    mask: Mask
    names_q: tuple[str, ...]
    names_k: tuple[str, ...]
    tokens: tuple[Token, ...] = field(default=())
    tokens_k: tuple[Token, ...] = field(default=())


def assemble(scenario: Scenario) -> tuple[Assembled, Trace]:
    """The trace of a scenario. Errors: Refusal that names the field; BadEdit; NotFinite; TooManySteps."""
    vectors = vectors_in(scenario)
    return _from_vectors(scenario, vectors) if vectors else _from_sentence(scenario)


def _from_vectors(scenario: Scenario, vectors: Vectors) -> tuple[Assembled, Trace]:
    sizes = sizes_from_vectors(scenario, vectors)
    check_shape("k", vectors.k, (sizes.n_k, sizes.n_kv_heads * sizes.d_head))
    check_shape("v", vectors.v, (sizes.n_k, sizes.n_kv_heads * sizes.d_v))
    names_q = names_of("labels_q", scenario.labels_q, sizes.n_q)
    names_k = names_of("labels_k", scenario.labels_k, sizes.n_k)
    check_components(scenario, sizes)
    assembled = Assembled(sizes, mask_of(scenario, sizes), names_q, names_k)
    t = Trace(_edits(scenario, sizes), limits.STEPS)
    for name, heads in (("q", sizes.n_heads), ("k", sizes.n_kv_heads), ("v", sizes.n_kv_heads)):
        setattr(t, name, given(split_heads(given(getattr(vectors, name)), heads).value))
    attend_by_mechanism(t, scenario, sizes, assembled.mask)
    combine(t, learned_matrix(scenario, sizes, "w_o") if scenario.w_o else None)
    return assembled, t


def _from_sentence(scenario: Scenario) -> tuple[Assembled, Trace]:
    tokens = tokens_of(scenario)
    n = len(tokens) or len(scenario.x or ())
    tokens_k = cut(scenario, "text_k") if scenario.text_k else ()
    sizes = sizes_from_sentence(scenario, n, len(tokens_k) or n)
    names = tuple(token.text for token in tokens) or names_of("labels_q", scenario.labels_q, n)
    check_components(scenario, sizes)
    names_k = tuple(token.text for token in tokens_k) or names
    assembled = Assembled(sizes, mask_of(scenario, sizes), names, names_k, tokens, tokens_k)
    t = Trace(_edits(scenario, sizes), limits.STEPS)
    t.x = given(vectors_of(scenario, tokens, sizes))
    x = _with_positions(scenario, t, t.x, "")
    x_k = None
    if tokens_k:
        t.x_k = given(looked_up(scenario, tokens_k, sizes))
        x_k = _with_positions(scenario, t, t.x_k, "_k")
    _compute(scenario)(t, x, x_k, scenario, assembled)
    return assembled, t


def _edits(scenario: Scenario, sizes: Sizes) -> Edits:
    """The edits, and zeros for what heads that are switched off hand on."""
    edits: Edits = scenario.edits or {}
    off = scenario.heads_off or ()
    if off and max(off) >= sizes.n_heads:
        raise refuse("heads_off", "head_unknown", given=max(off), count=sizes.n_heads)
    places = [f"layer.{number}.z" for number in range(scenario.n_layers)] or ["z"]
    for place in places:
        edits = without_heads(edits, off, sizes.n_q, sizes.d_v, place)
    return edits


def _with_positions(scenario: Scenario, t: Trace, x: Array, ending: str) -> Array:
    """The vectors with their positions added, where the chosen position is added to vectors."""
    n, d_model = x.shape
    match positions.POSITIONS.get(scenario.position):
        case Added(make):
            setattr(t, f"pos{ending}", make(n, d_model))
        case LookedUp(take):
            table = toy(scenario, "pos", scenario.max_positions, d_model)
            setattr(t, f"pos_table{ending}", table)
            setattr(t, f"pos{ending}", _looked_up_position(take, t[f"pos_table{ending}"], n))
        case _:
            return x
    setattr(t, f"x_pos{ending}", x + t[f"pos{ending}"])
    return t[f"x_pos{ending}"]


def _looked_up_position(take: Callable[[Array, int], Array], table: Array, n: int) -> Array:
    try:
        return take(table, n)
    except TooLong as error:
        limit = error.max_positions
        raise refuse("max_positions", "positions_short", offer=("max_positions", n), count=n, limit=limit) from None


def _alone(t: Trace, x: Array, x_k: Array | None, scenario: Scenario, assembled: Assembled) -> None:
    """Attention by itself."""
    for name in ("w_q", "w_k", "w_v"):
        setattr(t, name, learned_matrix(scenario, assembled.sizes, name))
    project(t, x, assembled.sizes.n_heads, assembled.sizes.n_kv_heads, x_k)
    attend_by_mechanism(t, scenario, assembled.sizes, assembled.mask)
    combine(t, learned_matrix(scenario, assembled.sizes, "w_o"))


def _layers(t: Trace, x: Array, x_k: Array | None, scenario: Scenario, assembled: Assembled) -> None:
    """Whole layers, one after the other."""
    sizes = assembled.sizes
    if scenario.n_experts and top_k_of(scenario) > scenario.n_experts:
        raise refuse(
            "top_k", "top_k_large", offer=("top_k", scenario.n_experts), top_k=top_k_of(scenario), n_experts=scenario.n_experts
        )
    form = layer_form(scenario, sizes)
    shapes = layer_shapes(form, sizes.d_model, sizes.d_head, d_ff_of(scenario, sizes), sizes.d_v)

    def one(number: int) -> Callable[[Trace, Array], Array]:
        learned = toy_parameters(scenario, shapes, f"layer.{number}")
        return lambda t, x: layer(t, x, learned, form, lambda t: attend_by_mechanism(t, scenario, sizes, assembled.mask), x_k)

    stack(t, x, [one(number) for number in range(scenario.n_layers)])


def layer_form(scenario: Scenario, sizes: Sizes) -> LayerForm:
    """The kind of layer that was chosen."""
    return pick(LayerForm, sizes, scenario, top_k=top_k_of(scenario))


def top_k_of(scenario: Scenario) -> int:
    """How many experts a token asks: as given, or two, or the only one."""
    return scenario.top_k or min(LAYER.top_k, scenario.n_experts) or LAYER.top_k


def d_ff_of(scenario: Scenario, sizes: Sizes) -> int:
    """The width of the network: as given, or twice the model's width, so that it fits on a page."""
    return scenario.d_ff or 2 * sizes.d_model


def _cached(t: Trace, x: Array, x_k: Array | None, scenario: Scenario, assembled: Assembled) -> None:
    """The sentence written token by token, with a key/value cache."""
    for name in ("w_q", "w_k", "w_v"):
        setattr(t, name, learned_matrix(scenario, assembled.sizes, name))
    name_tables(t, scenario, assembled.sizes)
    try:
        with positions_refused(scenario, assembled.sizes):
            cache.generate(t, x, given(assembled.mask), cache_settings(scenario, assembled.sizes))
    except cache.ShowsFuture:
        raise refuse("mask", "cache_future", offer=("mask", "causal")) from None
    combine(t, learned_matrix(scenario, assembled.sizes, "w_o"))


def cache_settings(scenario: Scenario, sizes: Sizes) -> cache.Settings:
    """What a step of the cache must know."""
    form, options = Form(scale=scenario.scale, normalizer=scenario.normalizer), position_options(scenario)
    return pick(cache.Settings, sizes, form=form, position=scenario.position, position_options=options)


def _state_space(t: Trace, x: Array, x_k: Array | None, scenario: Scenario, assembled: Assembled) -> None:
    """A state that fades and is added to, in the place of attention."""
    channels, d_model, d_state = scenario.n_channels, assembled.sizes.d_model, scenario.d_state
    t.w_u = toy(scenario, "w_u", d_model, channels)
    state_space.channels(t, x)
    t.a = parameter([[[-float(number + 1) for number in range(d_state)]]] * channels)
    if scenario.selective:
        t.w_delta, t.b_delta = toy(scenario, "w_delta", d_model, channels), parameter([0.0] * channels)
        t.w_b, t.w_c = toy(scenario, "w_b", d_model, d_state), toy(scenario, "w_c", d_model, d_state)
        state_space.select(t, x)
    else:
        t.delta = parameter([[[scenario.delta]]] * channels)
        for name in ("b", "c"):
            setattr(t, name, parameter(toy(scenario, name, channels, d_state).value[:, None]))
    state_space.discretise(t, scenario.ssm_rule)
    state_space.FORMS["scan" if scenario.selective else scenario.ssm_form](t)
    state_space.contribute(t)
    t.concat = merge_heads(t.y)
    t.w_o = toy(scenario, "w_o", channels, d_model)
    t.out = t.concat @ t.w_o


Compute = Callable[[Trace, Array, Array | None, Scenario, Assembled], None]
FROM_VECTORS: dict[str, Compute] = {"cached": _cached, "state_space": _state_space}
"""The mechanisms that go from vectors to output in their own way."""


def _compute(scenario: Scenario) -> Compute:
    if scenario.mechanism in FROM_VECTORS:
        check_position(scenario)
        return FROM_VECTORS[scenario.mechanism]
    return _layers if scenario.n_layers else _alone
