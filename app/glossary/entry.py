"""Entry: what is known of one step, whatever its numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

FROM_0 = ("position", "distance", "bucket", "age")
"""Axes whose numbers are what is counted: the first position is 0, the kernel begins after 0 steps."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One step. ``formula`` is how it is taught where that is not how its operation writes itself: TeX, or TeX by operation.

    INPUT stands for the symbol of the step's first input, BASE for the base that its waves were made with. A key
    ``VisibleMax:sink`` is for the operation VisibleMax where it reads a step ``sink``; ``Function:relu`` for the Function
    that is called ``relu``. Such a key comes before the plain one.
    """

    symbol: str
    axes: tuple[str, ...]
    hue: str
    row: str
    """The row of the map it stands in."""
    unit_range: bool = False
    """True where colour means 0 to 1; otherwise colour is symmetric around 0."""
    source: str = "Vaswani et al. 2017, §3.2"
    formula: str | Mapping[str, str] = ""
    origin: str = "matrix"
    """Where its numbers come from if they follow from no others.

    ``start``, ``zeros``, ``ones`` and ``fading`` are the same in every run (``why.<origin>`` in the catalogues); a
    ``matrix``, a ``vector`` and the mask's ``rule`` may be given by the reader or made by the program.
    """
    shares: bool = False
    """True where the numbers of each row are parts of one whole and sum to 1."""
    normalised: bool = False
    """True for the shares as they leave attention's normaliser: a row that sees nothing is 0, a sink keeps a part."""
    cut_by_head: bool = False
    """True for a matrix whose columns belong to heads: a picture draws those of one head only."""
    rotary: bool = False
    """True where pairs of numbers are turned by their position: dials of the angles are drawn beside it."""
    may_be_idle: bool = False
    """True where a choice can switch the step off, as no scale and no mask do: the map then draws it faint."""
    asks: bool = False
    """True where a cell answers yes or no: its name is spoken as a question."""
    opening: int = 0
    """The rank, from 1, among the steps to be shown first; 0 for a step that no page opens with."""

    def formula_for(self, operation: str, symbol: str, details: Iterable[str] = ()) -> str:
        """The formula that is taught for the step as it was really computed; nothing where its operation writes it well.

        ``details``: the steps it reads, the operation's own name.
        """
        if isinstance(self.formula, str):
            text = self.formula
        else:
            keys = [*(f"{operation}:{detail.rpartition('.')[2]}" for detail in details), operation]
            text = next((self.formula[key] for key in keys if key in self.formula), "")
        return text.replace("INPUT", symbol)

    @property
    def weighs_keys(self) -> bool:
        """True where a row says how much a query takes from each key."""
        return self.shares and self.axes[-2:] == ("query", "key")

    def axes_for(self, count: int) -> tuple[str, ...]:
        """The axes of an array that has so many: what all channels share lacks the first one."""
        return self.axes[-count:]
