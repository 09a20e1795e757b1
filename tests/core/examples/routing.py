"""Examples of the operations of a mixture of experts."""

import numpy as np

from app.core.operations import routing
from tests.core.examples.base import Example, numbers

EXAMPLES: list[Example] = [
    (routing.TopK(2), [numbers(3, 5)], (3, 5)),
    (routing.TopK(5), [numbers(3, 5)], (3, 5)),
    (routing.TopK(2), [np.array([[1.0, 2.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0], [-1.0, -1.0, -2.0, 3.0]])], (3, 4)),
    (routing.EachRow(), [numbers(3, 5), numbers(5, 7)], (3, 7)),
    (routing.GatedSum(((0, (1, 2)), (2, (0, 1, 4)))), [numbers(5, 3), numbers(2, 7), numbers(3, 7)], (5, 7)),
]
