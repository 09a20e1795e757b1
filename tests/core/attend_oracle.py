"""Attention in every form by plain loops: one head, one query at a time."""

import math
from typing import Any

import numpy as np

from tests.core import oracle
from tests.core.attend_build import FormScene


def turn(row: list[float], place: int, position: str) -> list[float]:
    """One row, turned by its position."""
    if not position.startswith("rope"):
        return row
    half, new = len(row) // 2, list(row)
    for pair in range(half):
        a, b = (pair, pair + half) if position == "rope" else (2 * pair, 2 * pair + 1)
        angle = place / 10000 ** (2 * pair / len(row))
        new[a] = row[a] * math.cos(angle) - row[b] * math.sin(angle)
        new[b] = row[a] * math.sin(angle) + row[b] * math.cos(angle)
    return new


def normed(row: list[float], gamma: Any) -> list[float]:
    """One row, brought to root mean square 1."""
    size = math.sqrt(sum(cell * cell for cell in row) / len(row) + 1e-6)
    return [cell / size * (1 if gamma is None else gamma[place]) for place, cell in enumerate(row)]


def slope(head: int, heads: int) -> float:
    """The authors' get_slopes, as they wrote it: the smaller power of two, then every other slope of the larger."""

    def power_of_two(n: int) -> list[float]:
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    closest = 2 ** math.floor(math.log2(heads))
    return (power_of_two(closest) + power_of_two(2 * closest)[0::2][: heads - closest])[head]


def bias(scene: FormScene, head: int, step: int, heads: int) -> float:
    """What the position adds to a score; step: key minus query."""
    if scene.position == "alibi":
        return -slope(head, heads) * abs(step)
    if scene.position == "t5":
        return float(scene.tables["rel_table"][t5_bucket(step, scene)][head])
    return 0.0


def t5_bucket(step: int, scene: FormScene) -> int:
    """8 buckets up to distance 5, as the authors' function has it."""
    bucket, count = 0, 8
    if not scene.options.causal:
        count //= 2
        bucket += count if step > 0 else 0
        step = abs(step)
    else:
        step = max(-step, 0)
    exact = count // 2
    if step < exact:
        return bucket + step
    return bucket + min(count - 1, exact + int(math.log(step / exact) / math.log(5 / exact) * (count - exact)))


def weigh(scores: list[float], seen: list[bool], sink: float | None, scene: FormScene) -> list[float]:
    """One row of weights."""
    after = scene.form.get("mask_place") == "after"
    shown = [True] * len(seen) if after else seen
    weights = oracle.row_weights(
        scores + ([] if sink is None else [sink]), shown + ([] if sink is None else [True]), scene.normalizer
    )[: len(seen)]
    return [weight if keep else 0.0 for weight, keep in zip(weights, seen, strict=True)]


def head(scene: FormScene, a: int) -> dict[str, list[list[float]]]:
    """Query head a: weights and z."""
    heads, n_q, d_head = np.shape(scene.q)
    shared = a // (heads // len(scene.k))
    n_k, d_v = np.shape(scene.v)[1:]
    norm = (lambda row: normed(row, scene.gamma)) if scene.norm else (lambda row: row)
    n, first = max(n_q, n_k), scene.options.start
    q = [turn(norm(row), first + i + n - n_q, scene.position) for i, row in enumerate(np.asarray(scene.q)[a].tolist())]
    k = [turn(norm(row), first + j + n - n_k, scene.position) for j, row in enumerate(np.asarray(scene.k)[shared].tolist())]
    v = np.asarray(scene.v)[shared].tolist()
    sink = None if scene.form.get("sink") is None else float(scene.form["sink"][a][0])
    all_weights, z = [], []
    for i in range(n_q):
        scores = []
        for j in range(n_k):
            step = j - (i + n_k - n_q)
            score = sum(x * y for x, y in zip(q[i], k[j], strict=True))
            if scene.position == "relative":
                score += sum(x * y for x, y in zip(q[i], scene.tables["rel_k"][max(-2, min(2, step)) + 2], strict=True))
            score = score * oracle.factor(scene.scale, d_head) / scene.form.get("temperature", 1.0)
            if (cap := scene.form.get("softcap")) is not None:
                score = cap * math.tanh(score / cap)
            scores.append(score + bias(scene, a, step, heads))
        weights = weigh(scores, np.asarray(scene.mask, dtype=bool)[i].tolist(), sink, scene)
        answer = [0.0] * d_v
        for j, weight in enumerate(weights):
            step = j - (i + n_k - n_q)
            extra = scene.tables["rel_v"][max(-2, min(2, step)) + 2] if scene.position == "relative" else [0.0] * d_v
            answer = [total + weight * (own + more) for total, own, more in zip(answer, v[j], extra, strict=True)]
        all_weights.append(weights)
        z.append(answer)
    return {"weights": all_weights, "z": z}
