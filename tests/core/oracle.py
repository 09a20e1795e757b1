"""Attention by plain loops over lists: slow, and hard to get wrong."""

import math
from collections.abc import Sequence
from typing import Any

Rows = Sequence[Sequence[float]]


def product(left: Rows, right: Rows) -> list[list[float]]:
    return [[sum(row[m] * right[m][c] for m in range(len(right))) for c in range(len(right[0]))] for row in left]


def columns(rows: Rows, start: int, width: int) -> list[list[float]]:
    return [list(row[start : start + width]) for row in rows]


def row_weights(scores: Sequence[float], allow: Sequence[bool], normalizer: str) -> list[float]:
    visible = [score for score, seen in zip(scores, allow, strict=True) if seen]
    if normalizer == "division":
        total = sum(visible)
        if abs(total) <= 1e-12 * max(1, sum(map(abs, visible))):
            return [0.0] * len(scores)
        return [score / total if seen else 0.0 for score, seen in zip(scores, allow, strict=True)]
    if not visible:
        return [0.0] * len(scores)
    powers = [math.exp(score - max(visible)) if seen else 0.0 for score, seen in zip(scores, allow, strict=True)]
    return [power / sum(powers) for power in powers]


def head(q: Rows, k: Rows, v: Rows, allow: Sequence[Sequence[bool]], factor: float, normalizer: str) -> dict[str, Any]:
    """One head. Every query meets every key, one pair at a time."""
    scores = [[sum(a * b for a, b in zip(query, key, strict=True)) for key in k] for query in q]
    scaled = [[score * factor for score in row] for row in scores]
    weights = [row_weights(row, seen, normalizer) for row, seen in zip(scaled, allow, strict=True)]
    return {"scores": scores, "scaled": scaled, "weights": weights, "z": product(weights, v)}


def factor(scale: str | float, d_head: int) -> float:
    if scale == "sqrt":
        return 1 / math.sqrt(d_head)
    return 1.0 if scale == "none" else float(scale)
