"""Examples of rotary positions."""

from app.core import rotary as rotate
from tests.core.examples.base import Example, numbers

EXAMPLES: list[Example] = [
    (rotate.Angles(3, 10, base=10000.0), [], (3, 5)),
    (rotate.Angles(3, 4, base=1.5e-7, start=-1), [], (3, 2)),
    *((rotate.Rotate(pairing), [numbers(2, 3, 10), numbers(3, 5)], (2, 3, 10)) for pairing in rotate.PAIRINGS),
]
