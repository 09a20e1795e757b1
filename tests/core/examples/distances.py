"""Examples of the operations that look only at distances."""

from app.core.operations import distances
from tests.core.examples.base import Example, numbers

EXAMPLES: list[Example] = [
    *((distances.Slopes(n_heads), [], (n_heads, 1)) for n_heads in (1, 2, 3, 8, 11)),
    (distances.SlopeBias(3, 7), [numbers(2, 1)], (2, 3, 7)),
    (distances.SlopeBias(7, 3), [-numbers(2, 1)], (2, 7, 3)),
    (distances.Clip(3, 7, 2), [], (3, 7)),
    (distances.Clip(7, 3, 0), [], (7, 3)),
    (distances.Buckets(3, 41, 8, 16), [], (3, 41)),
    (distances.Buckets(41, 3, 8, 16), [], (41, 3)),
    (distances.Buckets(41, 41, 6, 40, bidirectional=False), [], (41, 41)),
    (distances.Buckets(5, 5, 4, 2), [], (5, 5)),
]
