"""Ablation: switch a head off and see what it did."""

from collections.abc import Iterable

import numpy as np

from app.core.operations.explain import Index
from app.core.operations.ops import Values
from app.core.record.array import Array
from app.core.record.trace import Edits


def without_heads(edits: Edits, heads: Iterable[int], n_q: int, d_v: int, step: str = "z") -> Edits:
    """The edits, and besides them zeros in all that these heads hand on; ``out`` then lacks what they brought.

    The weights stay, so that one still sees where the head was looking. ``step`` is the head's answer: ``layer.0.z``.
    Shapes: zeros at z (head, n_q, d_v).
    Source: Michel et al. 2019, section 2.3 (a head's mask set to 0).
    """
    off: dict[Index, float] = {(head, row, column): 0.0 for head in heads for row in range(n_q) for column in range(d_v)}
    return {**edits, step: {**edits.get(step, {}), **off}} if off else edits


def brought(z: Array, w_o: Array, head: int) -> Values:
    """What one head brings to ``out``: its answer times its own rows of w_o. All heads together are ``out``.

    Shapes: z (n_heads, n_q, d_v), w_o (n_heads · d_v, d_model) -> (n_q, d_model).
    Source: Elhage et al. 2021, "Attention heads are independent and additive".
    """
    d_v = z.shape[-1]
    return np.asarray(z.value[head] @ w_o.value[head * d_v : (head + 1) * d_v])
