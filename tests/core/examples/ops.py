"""Examples of the operations of attention."""

import numpy as np

from app.core.operations import ops
from tests.core.examples.base import Example, numbers

EXAMPLES: list[Example] = [
    (ops.MatMul(), [numbers(2, 3, 5), numbers(2, 5, 7)], (2, 3, 7)),
    (ops.MatMul(), [numbers(3, 5), numbers(5, 7)], (3, 7)),
    (ops.Multiply(-0.75), [numbers(2, 3, 7)], (2, 3, 7)),
    (ops.Multiply(1.0), [numbers(2, 3, 7)], (2, 3, 7)),
    (ops.DivideByRoot(5), [numbers(2, 3, 7)], (2, 3, 7)),
    (ops.Where(-np.inf), [numbers(2, 3, 7), np.tri(3, 7, 2, dtype=bool)], (2, 3, 7)),
    (ops.Softmax(), [numbers(2, 3, 7)], (2, 3, 7)),
    (ops.Divide(), [numbers(2, 3, 7)], (2, 3, 7)),
    (ops.Sinusoid(3, 5), [], (3, 5)),
    (ops.Edit((((1, 2), 4.0),)), [numbers(3, 5)], (3, 5)),
]
