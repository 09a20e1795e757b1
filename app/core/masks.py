"""Masks: who may attend to whom. Boolean, rows are queries, columns are keys, True = may attend."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]


def none(n_q: int, n_k: int) -> Mask:
    """Every query may see every key. Shape: (n_q, n_k)."""
    return np.ones((n_q, n_k), dtype=bool)


def causal(n_q: int, n_k: int) -> Mask:
    """A query sees itself and what came before, never the future. Shape: (n_q, n_k).

    Where there are more keys than queries, the last query is the last key: j ≤ i + (n_k − n_q).
    Source: Vaswani et al. 2017, section 3.2.3.
    """
    return np.tri(n_q, n_k, n_k - n_q, dtype=bool)


MASKS: dict[str, Callable[[int, int], Mask]] = {"none": none, "causal": causal}
