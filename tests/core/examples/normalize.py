"""Examples of the operations between scores and weights."""

import numpy as np

from app.core.operations import normalize
from tests.core.examples.base import Example, numbers

SCORES = numbers(2, 3, 5)
HIDDEN = np.where(np.tri(3, 5, -1, dtype=bool), SCORES, -np.inf)
"""The first row sees nothing."""
SINK = numbers(2, 1, 1)

EXAMPLES: list[Example] = [
    (normalize.DivideBy(0.7), [SCORES], (2, 3, 5)),
    (normalize.Softcap(1.5), [SCORES], (2, 3, 5)),
    (normalize.Softcap(1.5e-7), [SCORES], (2, 3, 5)),
    (normalize.SinkSoftmax(), [SCORES, SINK], (2, 3, 5)),
    (normalize.SinkSoftmax(), [HIDDEN * 200, SINK], (2, 3, 5)),
    (normalize.VisibleMax(), [SCORES], (2, 3, 1)),
    (normalize.VisibleMax(), [HIDDEN], (2, 3, 1)),
    (normalize.VisibleMax(), [HIDDEN, SINK], (2, 3, 1)),
    (normalize.LogSumExp(), [numbers(2, 3, 1), np.array([[[0.0], [1.0], [2.5]]] * 2)], (2, 3, 1)),
]
