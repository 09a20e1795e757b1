"""Masks: who may attend to whom. Boolean, rows are queries, columns are keys, True = may attend.

Where there are more keys than queries, the last query is the last key. Masks combine with ``&``: what one hides is hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from app.core.operations.distances import behind, places

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MaskOptions:
    """What the masks can be told; each reads what it needs. Errors: ValueError for a count that is too small."""

    window: int = 2
    """Keys a query sees, itself counted; with ``two_sided``, keys it sees on each side of itself."""
    two_sided: bool = False
    real: Sequence[bool] | None = None
    """For each key: is it a word (1) or padding (0)? None: all are words."""
    prefix: int = 1
    dilation: int = 2
    n_global: int = 1
    block: int = 2

    def __post_init__(self) -> None:
        for name, least in (("window", 1), ("prefix", 0), ("dilation", 1), ("n_global", 0), ("block", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be {least} or more, not {getattr(self, name)}")


DEFAULT = MaskOptions()


class Rule(Protocol):
    """Every mask is a function of the two counts and the options. Shape of the result: (n_q, n_k)."""

    def __call__(self, n_q: int, n_k: int, options: MaskOptions = DEFAULT) -> Mask: ...


def none(n_q: int, n_k: int, options: MaskOptions = DEFAULT) -> Mask:
    """Every query may see every key. Shape: (n_q, n_k)."""
    return np.ones((n_q, n_k), dtype=bool)


def causal(n_q: int, n_k: int, options: MaskOptions = DEFAULT) -> Mask:
    """A query sees itself and what came before, never the future. Shape: (n_q, n_k).

    Where there are more keys than queries, the last query is the last key: j ≤ i + (n_k − n_q).
    Source: Vaswani et al. 2017, section 3.2.3.
    """
    return np.tri(n_q, n_k, n_k - n_q, dtype=bool)


def sliding_window(n_q: int, n_k: int, options: MaskOptions = DEFAULT) -> Mask:
    """A query sees only the last ``window`` keys, itself counted; two-sided: ``window`` keys on each side. Shape: (n_q, n_k).

    Source: Beltagy et al. 2020 (Longformer), section 3.1; one-sided: Jiang et al. 2023 (Mistral 7B), section 2.
    """
    steps = behind(n_q, n_k)
    seen = np.abs(steps) <= options.window if options.two_sided else (steps >= 0) & (steps < options.window)
    return np.asarray(seen)


def padding(n_q: int, n_k: int, options: MaskOptions = DEFAULT) -> Mask:
    """Keys that are only there to fill up the row are seen by nobody. Shape: (n_q, n_k).

    Errors: ValueError where ``real`` does not name every key.
    Source: Devlin et al. 2019 (BERT), appendix A.2 (its attention mask).
    """
    real = np.ones(n_k, dtype=bool) if options.real is None else np.asarray(options.real, dtype=bool)
    if real.shape != (n_k,):
        raise ValueError(f"padding needs a bit for each of the {n_k} keys, not {len(real)}")
    return np.tile(real, (n_q, 1))


def prefix(n_q: int, n_k: int, options: MaskOptions = DEFAULT) -> Mask:
    """Everybody sees the first ``prefix`` tokens; the rest is causal. Shape: (n_q, n_k).

    Source: Raffel et al. 2020 (T5), section 3.2.1, causal with prefix.
    """
    return (np.arange(n_k) < options.prefix) | causal(n_q, n_k)


def dilated(n_q: int, n_k: int, options: MaskOptions = DEFAULT) -> Mask:
    """A causal window with holes: ``window`` keys, itself counted, each ``dilation`` steps before the next. Shape: (n_q, n_k).

    Source: Beltagy et al. 2020 (Longformer), section 3.1.
    """
    steps = behind(n_q, n_k)
    return np.asarray((steps >= 0) & (steps % options.dilation == 0) & (steps < options.window * options.dilation))


def global_local(n_q: int, n_k: int, options: MaskOptions = DEFAULT) -> Mask:
    """The first ``n_global`` tokens see all and are seen by all; the others see ``window`` keys on each side. Not causal.

    Shape: (n_q, n_k).
    Source: Beltagy et al. 2020 (Longformer), section 3.1, global attention.
    """
    seen_by_all = np.arange(n_k) < options.n_global
    sees_all = places(n_q, n_k) < options.n_global
    return np.asarray((np.abs(behind(n_q, n_k)) <= options.window) | seen_by_all | sees_all[:, None])


def block(n_q: int, n_k: int, options: MaskOptions = DEFAULT) -> Mask:
    """The text is cut into blocks of ``block`` tokens, and each block sees only itself. Shape: (n_q, n_k).

    Source: Qiu et al. 2020 (Blockwise self-attention), section 3.1, identity permutation.
    """
    return np.asarray(places(n_q, n_k)[:, None] // options.block == np.arange(n_k) // options.block)


MASKS: dict[str, Rule] = {
    "none": none,
    "causal": causal,
    "sliding_window": sliding_window,
    "padding": padding,
    "prefix": prefix,
    "dilated": dilated,
    "global": global_local,
    "block": block,
}
