"""Entry: what is known of one step, whatever its numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One step. ``formula`` is TeX, or TeX by operation; INPUT stands for the symbol of the step's first input.

    A key ``VisibleMax:sink`` is for the operation VisibleMax where it reads a step ``sink``; ``Function:relu`` for the
    Function that is called ``relu``. Such a key comes before the plain one.
    """

    symbol: str
    formula: str | Mapping[str, str]
    axes: tuple[str, ...]
    hue: str
    row: str
    """The row of the map it stands in."""
    unit_range: bool = False
    """True where colour means 0 to 1; otherwise colour is symmetric around 0."""
    source: str = "Vaswani et al. 2017, §3.2"

    def formula_for(self, operation: str, symbol: str, details: Iterable[str] = ()) -> str:
        """The formula of the step as it was really computed; ``details``: the steps it reads, the operation's own name."""
        if isinstance(self.formula, str):
            text = self.formula
        else:
            keys = [*(f"{operation}:{detail.rpartition('.')[2]}" for detail in details), operation]
            text = next((self.formula[key] for key in keys if key in self.formula), self.symbol)
        return text.replace("INPUT", symbol)

    def axes_for(self, count: int) -> tuple[str, ...]:
        """The axes of an array that has so many: what all channels share lacks the first one."""
        return self.axes[-count:]
