"""Examples of the operations that look things up."""

import numpy as np

from app.core.operations import lookup as gather
from tests.core.examples.base import Example, numbers

INDEX = np.array([[2.0, 0.0, 1.0, 3.0, 3.0], [3.0, 3.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]])
"""Rows of a table of 4, for 3 queries and 5 keys."""

EXAMPLES: list[Example] = [
    (gather.TakeRows((2, 0, 2)), [numbers(4, 5)], (3, 5)),
    (gather.PerHead(), [numbers(2, 1)], (2, 1, 1)),
    (gather.PickColumns(), [numbers(2, 3, 4), INDEX], (2, 3, 5)),
    (gather.PoolColumns(4), [numbers(2, 3, 5), INDEX], (2, 3, 4)),
    (gather.PickBias(), [numbers(4, 2), INDEX], (2, 3, 5)),
    (gather.PickBias(), [numbers(4, 2), INDEX * 7 - 2.5], (2, 3, 5)),
]
