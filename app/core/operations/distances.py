"""The operations that look only at how far apart a query and a key are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.core.operations.explain import Index, read
from app.core.operations.expression import Call, Expression, Minus, Product, Quotient, constant, less, over, plus, power, times
from app.core.operations.operation import Inputs, Linear, Source, Values


def behind(n_q: int, n_k: int) -> Values:
    """How many steps a key lies behind its query: 0 is the query itself, below 0 is the future. Shape: (n_q, n_k)."""
    return places(n_q, n_k)[:, None] - np.arange(n_k)


def places(n_q: int, n_k: int) -> Values:
    """Where each query stands among the keys; the last query is the last key. Shape: (n_q,)."""
    return np.arange(n_q) + (n_k - n_q)


@dataclass(frozen=True, slots=True)
class Slopes(Source):
    """How fast each head forgets with distance; no inputs. Shape: (n_heads, 1).

    For p heads, p a power of two, head a has 2^(−8(a + 1)/p). For other counts the next smaller p comes first, and every
    other slope of 2p follows.
    Source: Press et al. 2022 (ALiBi), section 3, and the authors' get_slopes.
    """

    tex = "2^{-8a/n_{heads}}"
    cell = "a"
    sign = ""

    n_heads: int
    dtype: str = "float64"

    @property
    def code(self) -> str:
        return f"head_slopes({self.n_heads})"

    def fraction(self, head: int) -> tuple[int, int]:
        """Which slope, of how many, a head has."""
        power = 1 << (self.n_heads.bit_length() - 1)
        return (head + 1, power) if head < power else (2 * (head - power) + 1, 2 * power)

    def forward(self, *values: Values) -> Values:
        fractions = [self.fraction(head) for head in range(self.n_heads)]
        return np.array([[2 ** (-8 * place / count)] for place, count in fractions], self.dtype)

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        place, count = self.fraction(index[0])
        exponent = Product((Minus(constant(8)), Quotient(constant(place), constant(count), slash=True)), ("×",))
        return power(constant(2), exponent)


@dataclass(frozen=True, slots=True)
class SlopeBias(Linear):
    """Minus slope times distance; with ``signed``, keys in the future (which a causal mask hides) count below 0.

    Shapes: slopes (n_heads, 1) -> (n_heads, n_q, n_k).
    Source: Press et al. 2022 (ALiBi), section 3.
    """

    tex = r"-#1\,|i - j|"
    cell = "ij"
    sign = ""

    n_q: int
    n_k: int
    signed: bool = False

    @property
    def code(self) -> str:
        return f"slope_bias(#1, {self.n_q}, {self.n_k}, {self.signed})"

    def distances(self) -> Values:
        """i − j, or its size. Shape: (n_q, n_k)."""
        steps = behind(self.n_q, self.n_k)
        return np.asarray(steps if self.signed else np.abs(steps))

    def forward(self, *values: Values) -> Values:
        slopes = values[0]
        return np.asarray(slopes[:, :, None] * (-self.distances()).astype(slopes.dtype))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        head, query, key = index
        distance = int(self.distances()[query, key])
        return times(Minus(read(inputs[0], (head, 0), brackets=True)), constant(distance, brackets=True))

    def gradient(self, inputs: Sequence[Values], result: Values, upstream: Values) -> tuple[Values | None, ...]:
        return ((upstream * -self.distances()).sum(axis=(-2, -1))[:, None],)


@dataclass(frozen=True, slots=True)
class Clip(Source):
    """Which row of a table of distances a query and a key mean: key minus query, clipped, counted from the first row.

    Shape: (n_q, n_k).
    Source: Shaw et al. 2018, section 3.2.
    """

    tex = r"\mathrm{clip}(j - i,\, -m,\, m) + m"
    cell = "ij"
    sign = ""

    n_q: int
    n_k: int
    max_distance: int

    @property
    def code(self) -> str:
        return f"clipped_distances({self.n_q}, {self.n_k}, {self.max_distance})"

    def forward(self, *values: Values) -> Values:
        steps = -behind(self.n_q, self.n_k)
        return np.asarray(np.clip(steps, -self.max_distance, self.max_distance) + float(self.max_distance))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        query, key = index[0] + self.n_k - self.n_q, index[1]
        most = self.max_distance
        step = less(constant(key), constant(query, brackets=True))
        return plus(Call("max", (constant(-most), Call("min", (constant(most), step)))), constant(most))


@dataclass(frozen=True, slots=True)
class Buckets(Source):
    """Which bucket a distance falls into: near distances one bucket each, far ones share, wider and wider.

    With ``bidirectional`` the second half of the buckets is for keys that come later; without, all those are bucket 0.
    Shape: (n_q, n_k).
    Source: Raffel et al. 2020 (T5), section 2.1, and the authors' _relative_position_bucket.
    """

    tex = r"\mathrm{bucket}(j - i)"
    cell = "ij"
    sign = ""

    n_q: int
    n_k: int
    n_buckets: int
    max_distance: int
    bidirectional: bool = True

    @property
    def code(self) -> str:
        return f"distance_buckets({self.n_q}, {self.n_k}, {self.n_buckets}, {self.max_distance}, {self.bidirectional})"

    def forward(self, *values: Values) -> Values:
        steps = behind(self.n_q, self.n_k)
        known = {int(step): self.bucket(int(step)) for step in np.unique(steps)}
        return np.array([[known[int(step)] for step in row] for row in steps], float).reshape(steps.shape)

    def bucket(self, step: int) -> int:
        """The bucket of a key that lies so many steps behind its query."""
        first, size, distance = self._side(step)
        near = size // 2
        if distance < near:
            return first + distance
        return first + min(size - 1, near + math.floor(self._share(distance, near) * (size - near)))

    def _side(self, step: int) -> tuple[int, int, int]:
        """The first bucket of the side a key lies on, how many buckets the side has, and the distance."""
        if not self.bidirectional:
            return 0, self.n_buckets, max(0, step)
        half = self.n_buckets // 2
        return half if step < 0 else 0, half, abs(step)

    def _share(self, distance: int, near: int) -> float:
        return math.log(distance / near) / math.log(self.max_distance / near)

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        first, size, distance = self._side(int(behind(self.n_q, self.n_k)[index]))
        near = size // 2
        before = (constant(first),) if first else ()
        if distance < near:
            return plus(*before, constant(distance)) if before else constant(distance)
        logs = [Call("ln", (over(constant(far), constant(near)),)) for far in (distance, self.max_distance)]
        share = Product((*logs, constant(size - near)), ("÷", "×"))
        bucket = Call("min", (constant(size - 1), plus(constant(near), Call("floor", (share,)))))
        return plus(*before, bucket) if before else bucket
