"""Examples of the operations that carry numbers along while keys come by."""

import numpy as np

from app.core.operations import online_softmax as running
from tests.core.examples.base import Example, numbers

_HIDDEN = np.where(np.tri(3, 5, -1), numbers(3, 5), -np.inf)  # the first row sees nothing

EXAMPLES: list[Example] = [
    (running.Larger(), [numbers(2, 3, 1), -numbers(2, 3, 1)], (2, 3, 1)),
    (running.Larger(), [np.full((3, 5), -np.inf), _HIDDEN], (3, 5)),
    (running.Power(), [_HIDDEN, _HIDDEN.max(axis=-1, keepdims=True)], (3, 5)),
    (running.Power(), [np.full((2, 3, 1), -np.inf), numbers(2, 3, 1)], (2, 3, 1)),
    (running.Ratio(), [numbers(2, 3, 5), np.array([[2.0], [0.0], [-1.5]])], (2, 3, 5)),
]
