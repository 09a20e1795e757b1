"""Masks: who may attend to whom. Boolean, rows are queries, columns are keys, True = may attend.

Where there are more keys than queries, the last query is the last key. Masks combine with ``&``: what one hides is hidden.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.core.operations.distances import behind, places
from app.core.options import call, options_of, reading

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MaskOptions:
    """What the masks can be told, and what holds where nothing is said; each mask names in its signature what it reads.

    Errors: ValueError for a count that is too small.
    """

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


Rule = Callable[..., Mask]
"""A mask from n_q, n_k and, by name, the options it reads. Shape of the result: (n_q, n_k)."""


def allowed(name: str, n_q: int, n_k: int, options: MaskOptions = DEFAULT) -> Mask:
    """Who may attend to whom under the mask of this name. Shape: (n_q, n_k). Errors: KeyError for an unknown mask."""
    return call(MASKS[name], n_q, n_k, options=options)


def masks_with(option: str) -> tuple[str, ...]:
    """The names of the masks that read an option: ``masks_with("window")``."""
    return reading(MASKS, option)


LOOKING_BACK = ("causal", "sliding_window", "dilated")
"""The masks that are made for text that is still being written: no query sees a later key."""


def looks_back(name: str, *, two_sided: bool) -> bool:
    """True for a mask whose rule never shows the future, whatever the sizes: told by its name, never by its cells."""
    return name in LOOKING_BACK and not (two_sided and "two_sided" in options_of(MASKS[name]))


def counts_places(name: str) -> bool:
    """True for a mask whose rule asks where a query stands among the keys."""
    return name in MASKS and name not in ("none", "padding")


def none(n_q: int, n_k: int) -> Mask:
    """Every query may see every key. Shape: (n_q, n_k)."""
    return np.ones((n_q, n_k), dtype=bool)


def causal(n_q: int, n_k: int) -> Mask:
    """A query sees itself and what came before, never the future. Shape: (n_q, n_k).

    Where there are more keys than queries, the last query is the last key: j ≤ i + (n_k − n_q).
    Source: Vaswani et al. 2017, section 3.2.3.
    """
    return np.tri(n_q, n_k, n_k - n_q, dtype=bool)


def sliding_window(n_q: int, n_k: int, *, window: int, two_sided: bool) -> Mask:
    """A query sees only the last ``window`` keys, itself counted; two-sided: ``window`` keys on each side. Shape: (n_q, n_k).

    Source: Beltagy et al. 2020 (Longformer), section 3.1; one-sided: Jiang et al. 2023 (Mistral 7B), section 2.
    """
    steps = behind(n_q, n_k)
    seen = np.abs(steps) <= window if two_sided else (steps >= 0) & (steps < window)
    return np.asarray(seen)


def padding(n_q: int, n_k: int, *, real: Sequence[bool] | None) -> Mask:
    """Keys that are only there to fill up the row are seen by nobody. Shape: (n_q, n_k).

    Errors: ValueError where ``real`` does not name every key.
    Source: the input mask of BERT's published code (Devlin et al. 2019); the paper does not describe it.
    """
    bits = np.ones(n_k, dtype=bool) if real is None else np.asarray(real, dtype=bool)
    if bits.shape != (n_k,):
        raise ValueError(f"padding needs a bit for each of the {n_k} keys, not {len(bits)}")
    return np.tile(bits, (n_q, 1))


def prefix(n_q: int, n_k: int, *, prefix: int) -> Mask:
    """Everybody sees the first ``prefix`` tokens; the rest is causal. Shape: (n_q, n_k).

    Source: Raffel et al. 2020 (T5), section 3.2.1, causal with prefix.
    """
    return (np.arange(n_k) < prefix) | causal(n_q, n_k)


def dilated(n_q: int, n_k: int, *, window: int, dilation: int) -> Mask:
    """A causal window with holes: ``window`` keys, itself counted, each ``dilation`` steps before the next. Shape: (n_q, n_k).

    Source: Beltagy et al. 2020 (Longformer), section 3.1.
    """
    steps = behind(n_q, n_k)
    return np.asarray((steps >= 0) & (steps % dilation == 0) & (steps < window * dilation))


def global_local(n_q: int, n_k: int, *, window: int, n_global: int) -> Mask:
    """The first ``n_global`` tokens see all and are seen by all; the others see ``window`` keys on each side. Not causal.

    Shape: (n_q, n_k).
    Source: Beltagy et al. 2020 (Longformer), section 3.1, global attention.
    """
    seen_by_all = np.arange(n_k) < n_global
    sees_all = places(n_q, n_k) < n_global
    return np.asarray((np.abs(behind(n_q, n_k)) <= window) | seen_by_all | sees_all[:, None])


def block(n_q: int, n_k: int, *, block: int) -> Mask:
    """The text is cut into blocks of ``block`` tokens, and each block sees only itself. Shape: (n_q, n_k).

    Source: Qiu et al. 2020 (Blockwise self-attention), the identity permutation (section not checked).
    """
    return np.asarray(places(n_q, n_k)[:, None] // block == np.arange(n_k) // block)


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
