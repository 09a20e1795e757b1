"""What a written-out sum consists of: operands, each with the cell it was read from, and the signs between them."""

from dataclasses import dataclass

from app.core.operations.numbers import show

Index = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Operand:
    """A number in a written-out sum, and the cell it was read from."""

    value: float
    step: str
    index: Index
    brackets: bool = False

    @property
    def text(self) -> str:
        shown = show(self.value)
        return f"({shown})" if self.brackets else shown


@dataclass(frozen=True, slots=True)
class Sign:
    """What stands between operands: a sign, a bracket, a constant such as √3."""

    text: str


Part = Operand | Sign
