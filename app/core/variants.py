"""What current models add to attention between scores and weights: each a choice, each off by default."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.core.operations.lookup import PickColumns, PoolColumns
from app.core.operations.normalize import DivideBy, Softcap
from app.core.record.array import Array, apply
from app.core.record.finite import finite
from app.core.record.trace import Trace

Normalizer = Callable[[Array], Array]
MASK_PLACES = ("before", "after")


@dataclass(frozen=True, slots=True)
class Form:
    """The choices of one attention, and what holds where nothing is said.

    Errors: ValueError for a temperature or a cap that is not above 0.
    """

    scale: str | float = "sqrt"
    """``sqrt``: scores are divided by √d_head; ``none``: they stay; a number: times it."""
    normalizer: str = "softmax"
    """How a row of scores becomes shares."""
    temperature: float = 1.0
    """Scores are divided by it: above 1 evens the weights out, below 1 sharpens them."""
    softcap: float | None = None
    """No score passes this."""
    sink: Array | None = None
    """One learned score for each head that takes part in softmax and has no value. Shape: (n_heads, 1)."""
    inside: bool = False
    """True: softmax one step at a time."""
    mask_place: str = "before"
    """After: the classic mistake, weights set to 0 when they have been shared out already."""

    def __post_init__(self) -> None:
        if self.mask_place not in MASK_PLACES:
            raise ValueError(f"mask_place must be one of {', '.join(MASK_PLACES)}, not {self.mask_place}")
        for name, number in (("temperature", self.temperature), ("softcap", self.softcap)):
            if number is not None and not 0 < number < np.inf:
                raise ValueError(f"{name} must be a number above 0, not {number}")


PLAIN = Form()


def first_named(t: Trace, *names: str) -> Array:
    """The first of these quantities that this trace has: ``first_named(t, "q_rot", "q_norm", "q")``."""
    known: dict[str, Array] = vars(t)
    for name in names:
        if name in known:
            return known[name]
    raise AttributeError(f"none of {', '.join(names)} has a value yet")


@np.errstate(all="ignore")  # what is no number is refused
def qk_norm(t: Trace, eps: float = 1e-6, gamma_q: Array | None = None, gamma_k: Array | None = None) -> None:
    """Bring each head's queries and keys to one length before they meet, so that scores cannot grow.

    Shapes: q (n_heads, n_q, d_head), k (n_kv_heads, n_k, d_head), gamma_q, gamma_k (d_head) where they are given
    -> q_mean_square, q_rms (n_heads, n_q, 1), q_norm as q, and the same of k (n_kv_heads, n_k, ...).
    Errors: NotFinite where a square is too large, or a root mean square was edited to 0.
    Source: Qwen Team 2025 (Qwen3), section 2, after Dehghani et al. 2023 (LayerNorm of queries and keys, section not checked).
    Henry et al. 2020 differs: it divides by the L2 norm and has a learned factor in the place of the scale.
    """
    for name, gamma in (("q", gamma_q), ("k", gamma_k)):
        x = getattr(t, name)
        setattr(t, f"{name}_mean_square", finite((x * x).row("mean")))
        setattr(t, f"{name}_rms", (getattr(t, f"{name}_mean_square") + eps).function("sqrt"))
        normed = finite(x / getattr(t, f"{name}_rms"))
        if gamma is not None:
            setattr(t, f"gamma_{name}", gamma)
            normed = normed * getattr(t, f"gamma_{name}")
        setattr(t, f"{name}_norm", normed)


def with_distances(t: Trace, q: Array) -> Array:
    """The scores, and where distances have rows of their own, what the query makes of the row of each key's distance.

    Shapes: scores (n_heads, n_q, n_k); rel_k (m, d_head), rel_index (n_q, n_k) -> rel_scores (n_heads, n_q, n_k).
    Source: Shaw et al. 2018, section 3.3, equation 5.
    """
    if "rel_index" not in vars(t):
        return t.scores
    t.rel_scores = apply(PickColumns(), q @ t.rel_k.T, t.rel_index)
    return t.scores + t.rel_scores


def shape_scores(t: Trace, form: Form) -> Array:
    """The scaled scores after temperature, softcap and position bias, in this order; each only where it is asked for.

    Shapes: scaled (n_heads, n_q, n_k), bias (n_heads, n_q, n_k) -> tempered, capped, biased (n_heads, n_q, n_k).
    """
    shaped = t.scaled
    if form.temperature != 1:
        t.tempered = apply(DivideBy(form.temperature), shaped)
        shaped = t.tempered
    if form.softcap is not None:
        t.capped = apply(Softcap(form.softcap), shaped)
        shaped = t.capped
    if "bias" in vars(t):
        t.biased = shaped + t.bias
        shaped = t.biased
    return shaped


def share_out(t: Trace, scores: Array, normalizer: Normalizer, form: Form) -> Array:
    """Weights from scores: as the normalizer says, with a sink, or one step at a time.

    Errors: ValueError where a sink or the inside is asked of a normalizer that is not softmax.
    """
    if form.sink is None and not form.inside:
        return normalizer(scores)
    if normalizer is not Array.softmax:
        raise ValueError("a sink and the steps inside belong to softmax")
    sink = None
    if form.sink is not None:
        t.sink = form.sink
        sink = t.sink.per_head()
    if form.inside:
        return softmax_inside(t, scores, sink)
    assert sink is not None
    return scores.sink_softmax(sink)


def softmax_inside(t: Trace, scores: Array, sink: Array | None = None) -> Array:
    """Softmax one step at a time: largest score, shifted scores, powers of e, their sum, shares.

    Shapes: scores (n_heads, n_q, n_k), sink (n_heads, 1, 1) -> row_max, row_sum, logsumexp (n_heads, n_q, 1), shifted,
    exponentials and what is returned (n_heads, n_q, n_k); with a sink also sink_exponential (n_heads, n_q, 1).
    Errors: NotFinite where a visible score is infinite or not a number, or an edit makes a sum too large.
    Source: Vaswani et al. 2017, section 3.2.1; the shift: Goodfellow et al. 2016, section 4.1.
    """
    t.row_max = scores.visible_max(*([] if sink is None else [sink]))
    t.shifted = scores - t.row_max
    t.exponentials = t.shifted.function("exp")
    total = t.exponentials.row("sum")
    if sink is not None:
        t.sink_exponential = (sink - t.row_max).function("exp")
        total = total + t.sink_exponential
    t.row_sum = finite(total)
    t.logsumexp = t.row_max.log_sum_exp(t.row_sum)
    return t.exponentials.ratio(t.row_sum)


def mix(t: Trace, weights: Array, v: Array) -> None:
    """Take that much of each value, and of the row of its distance where distances have values too.

    Shapes: weights (n_heads, n_q, n_k), v (n_heads, n_k, d_v) -> z (n_heads, n_q, d_v); with distances also z_content,
    weights_rel (n_heads, n_q, m) and z_rel, whose sum is z.
    Source: Shaw et al. 2018, section 3.1, equation 3.
    """
    if "rel_index" not in vars(t):
        t.z = weights @ v
        return
    t.z_content = weights @ v
    t.weights_rel = apply(PoolColumns(t.rel_v.shape[0]), weights, t.rel_index)
    t.z_rel = t.weights_rel @ t.rel_v
    t.z = t.z_content + t.z_rel
