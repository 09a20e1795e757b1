"""Examples of the operations that move cells."""

from app.core.operations import reshape as moves
from tests.core.examples.base import Example, numbers

EXAMPLES: list[Example] = [
    (moves.Transpose(), [numbers(2, 3, 5)], (2, 5, 3)),
    (moves.SplitHeads(2, 5), [numbers(3, 10)], (2, 3, 5)),
    (moves.MergeHeads(5), [numbers(2, 3, 5)], (3, 10)),
    (moves.ShareHeads(3), [numbers(2, 3, 5)], (6, 3, 5)),
    (moves.ShareHeads(1), [numbers(2, 3, 5)], (2, 3, 5)),
]
