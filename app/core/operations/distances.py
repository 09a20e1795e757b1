"""The operations that look only at how far apart a query and a key are."""

from __future__ import annotations

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

    cell = "a"
    sign = ""

    n_heads: int
    dtype: str = "float64"

    @property
    def power(self) -> int:
        """The largest power of two that is not above the number of heads."""
        return 1 << (self.n_heads.bit_length() - 1)

    @property
    def tex(self) -> str:
        """Heads counted from 1; the heads beyond a power of two have a formula of their own."""
        first, p = f"2^{{-8a/{self.power}}}", self.power
        if p == self.n_heads:
            return first
        return rf"{first}\;(a \le {p}),\quad 2^{{-4(2(a - {p}) - 1)/{p}}}\;(a > {p})"

    @property
    def code(self) -> str:
        return f"head_slopes({self.n_heads})"

    def fraction(self, head: int) -> tuple[int, int]:
        """Which slope, of how many, a head has."""
        power = self.power
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
    """Minus slope times distance: far keys lose, whether they come before or after, and no key wins.

    Shapes: slopes (n_heads, 1) -> (n_heads, n_q, n_k).
    Source: Press et al. 2022 (ALiBi), section 3, for the keys before the query; those after it, which the paper's causal mask
    hides, lose by the same rule.
    """

    tex = r"-#1\,|i - j|"
    cell = "ij"
    sign = ""

    n_q: int
    n_k: int

    @property
    def code(self) -> str:
        return f"slope_bias(#1, {self.n_q}, {self.n_k})"

    def distances(self) -> Values:
        """How many steps lie between a query and a key. Shape: (n_q, n_k)."""
        return np.asarray(np.abs(behind(self.n_q, self.n_k)))

    def forward(self, *values: Values) -> Values:
        slopes = values[0]
        return np.asarray(slopes[:, :, None] * (-self.distances()).astype(slopes.dtype))

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        head, query, key = index
        distance = int(self.distances()[query, key])
        return times(Minus(read(inputs[0], (head, 0), brackets=True)), constant(distance))

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
    Borders are found with whole numbers: a rounded logarithm would put a distance on a border into the bucket before.
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
        return first + min(size - 1, near + self._passed(distance, near, size - near)[0])

    def _side(self, step: int) -> tuple[int, int, int]:
        """The first bucket of the side a key lies on, how many buckets the side has, and the distance."""
        if not self.bidirectional:
            return 0, self.n_buckets, max(0, step)
        half = self.n_buckets // 2
        return half if step < 0 else 0, half, abs(step)

    def _passed(self, distance: int, near: int, far: int) -> tuple[int, bool]:
        """The whole part of ln(distance ÷ near) ÷ ln(max_distance ÷ near) × far, at most far; and whether that is all of it.

        It is n or more where (distance ÷ near)^far ≥ (max_distance ÷ near)^n.
        """
        reached = (distance**far * near**passed - self.max_distance**passed * near**far for passed in range(far, -1, -1))
        return next((far - place, beyond == 0) for place, beyond in enumerate(reached) if beyond >= 0)

    def explain(self, inputs: Inputs, index: Index) -> Expression:
        first, size, distance = self._side(int(behind(self.n_q, self.n_k)[index]))
        near = size // 2
        before = (constant(first),) if first else ()
        if distance < near:
            return plus(*before, constant(distance)) if before else constant(distance)
        logs = [Call("ln", (over(constant(far), constant(near)),)) for far in (distance, self.max_distance)]
        share = Product((*logs, constant(size - near)), ("÷", "×"))
        whole = self._passed(distance, near, size - near)[1]
        bucket = Call("min", (constant(size - 1), plus(constant(near), share if whole else Call("floor", (share,)))))
        return plus(*before, bucket) if before else bucket
