"""Difference: B − A, cell by cell, also where a number is hidden."""

from dataclasses import dataclass

import numpy as np

from app.core.operations.explain import Index
from app.core.operations.ops import Values

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Difference:
    """``values`` is B − A: +∞ where only A is hidden, −∞ where only B is, 0 where both are. Shapes: that of A and B."""

    values: Values
    size: float
    """The largest number in A or B, hidden ones aside."""

    @property
    def is_none(self) -> bool:
        """True where every cell is the same, to the last digit."""
        return not self.values.any()

    @property
    def is_rounding(self) -> bool:
        """True where the cells differ, but by no more than the last digits of the arithmetic."""
        return not self.is_none and not self.hidden and self.largest <= _ROUNDING * max(1.0, self.size)

    @property
    def largest(self) -> float:
        """The largest finite distance between A and B."""
        return float(self._sizes().max(initial=0))

    @property
    def at(self) -> Index | None:
        """The first cell with the largest distance; none where no finite cell differs."""
        sizes = self._sizes()
        return tuple(int(place) for place in np.unravel_index(sizes.argmax(), sizes.shape)) if sizes.any() else None

    @property
    def hidden_in_a(self) -> int:
        """Cells that are hidden in A only."""
        return int(np.isposinf(self.values).sum())

    @property
    def hidden_in_b(self) -> int:
        """Cells that are hidden in B only."""
        return int(np.isneginf(self.values).sum())

    @property
    def hidden(self) -> int:
        """Cells that are hidden on one side only."""
        return self.hidden_in_a + self.hidden_in_b

    def _sizes(self) -> Values:
        return np.where(np.isfinite(self.values), np.abs(self.values), 0.0)


def difference(a: Values, b: Values) -> Difference:
    """B − A. Two hidden numbers are the same. Errors: ValueError where the shapes differ."""
    if a.shape != b.shape:
        raise ValueError(f"no difference of {a.shape} and {b.shape}")
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    seen = ~(np.isneginf(a) & np.isneginf(b))
    size = max(float(np.abs(values[np.isfinite(values)]).max(initial=0)) for values in (a, b))
    return Difference(np.subtract(b, a, out=np.zeros(a.shape), where=seen), size)
