"""Examples of the operations that cut arrays into pieces and join them."""

from app.core.operations import reshape as pieces
from tests.core.examples.base import Example, numbers

EXAMPLES: list[Example] = [
    (pieces.Rows(2, 5), [numbers(2, 7, 3)], (2, 3, 3)),
    (pieces.Rows(0, 1), [numbers(3, 5)], (1, 5)),
    (pieces.JoinRows(), [numbers(2, 3, 5), numbers(2, 1, 5), numbers(2, 7, 5)], (2, 11, 5)),
    (pieces.JoinRows(), [numbers(3, 5)], (3, 5)),
]
