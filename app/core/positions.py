"""Position encodings: what tells the first word from the last."""

from collections.abc import Callable

from app.core import ops
from app.core.array import Array, apply


def sinusoidal(n: int, d_model: int) -> Array:
    """Give each position a fingerprint of waves, from fast to slow.

    Shapes: (n, d_model). Even columns are sines, odd columns cosines; position 0 comes first.
    Source: Vaswani et al. 2017, section 3.5.
    """
    return apply(ops.Sinusoid(n, d_model))


POSITIONS: dict[str, Callable[[int, int], Array]] = {"sinusoidal": sinusoidal}
