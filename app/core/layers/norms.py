"""Norms: bring every token's numbers to the same size before, or after, the next step."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.core.layers.parameters import Parameters, Shapes, learned
from app.core.record.array import Array
from app.core.record.finite import finite
from app.core.record.trace import Trace

EPS = 1e-5


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what overflows is refused, and a deviation edited to 0
def layer_norm(t: Trace, x: Array, parameters: Parameters, eps: float = EPS) -> Array:
    """Each token's numbers, moved to mean 0 and brought to variance 1, then stretched by γ and moved by β.

    The variance divides by the width itself (biased); eps stands inside the root, so that a constant row gives zeros.
    Shapes: x (n, d_model), gamma, beta (d_model) -> mean, variance, deviation (n, 1), centered, normed, scaled_norm (n, d_model).
    Errors: NotFinite where a square is too large, or a row is divided by 0.
    Source: Ba et al. 2016, section 3, equations 3 and 4.
    """
    t.mean = x.row("mean")
    t.centered = x - t.mean
    t.variance = finite((t.centered * t.centered).row("mean"))
    t.deviation = (t.variance + eps).function("sqrt")
    t.normed = finite(t.centered / t.deviation)
    if "gamma" not in parameters:
        return t.normed
    learned(t, parameters, "gamma", "beta")
    t.scaled_norm = t.normed * t.gamma + t.beta
    return t.scaled_norm


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def rms_norm(t: Trace, x: Array, parameters: Parameters, eps: float = EPS) -> Array:
    """Each token's numbers divided by their root mean square, then stretched by γ; the mean is left where it is.

    Shapes: x (n, d_model), gamma (d_model) -> mean_square, rms (n, 1), normed, scaled_norm (n, d_model).
    Errors: NotFinite where a square is too large, or a row is divided by 0.
    Source: Zhang & Sennrich 2019, section 4, equation 4; eps inside the root as in the code of Touvron et al. 2023.
    """
    t.mean_square = finite((x * x).row("mean"))
    t.rms = (t.mean_square + eps).function("sqrt")
    t.normed = finite(x / t.rms)
    if "gamma" not in parameters:
        return t.normed
    learned(t, parameters, "gamma")
    t.scaled_norm = t.normed * t.gamma
    return t.scaled_norm


@dataclass(frozen=True, slots=True)
class Norm:
    """A kind of norm, and what it learns: one number of each name for each number of a token."""

    apply: Callable[[Trace, Array, Parameters], Array]
    learns: tuple[str, ...] = ("gamma",)


NORMS: dict[str, Norm] = {"layer_norm": Norm(layer_norm, ("gamma", "beta")), "rms_norm": Norm(rms_norm)}


def norm_shapes(norm: str, d_model: int) -> Shapes:
    """The shape of each learned array of a norm, by its name."""
    return dict.fromkeys(NORMS[norm].learns, (d_model,))
