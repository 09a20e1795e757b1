"""Examples of the operations of a state that fades."""

import numpy as np

from app.core.operations import cellwise, decay
from tests.core.examples.base import Example, numbers

_A = np.array([[[-1.0, 0.0, -2.5, 1e-5, -1e-9]], [[-3.0, 0.5, 0.0, -0.001, 2.0]]])

EXAMPLES: list[Example] = [
    (decay.Hold(), [np.abs(numbers(2, 3, 1)), _A], (2, 3, 5)),
    (decay.Hold(), [numbers(2, 3, 1), _A], (2, 3, 5)),
    (decay.Decay(7), [numbers(2, 1, 5)], (2, 7, 5)),
    (decay.Decay(1), [np.zeros((1, 5))], (1, 5)),
    (decay.Remaining(7), [numbers(2, 7, 5)], (2, 7, 5)),
    (decay.Remaining(7), [numbers(2, 1, 5)], (2, 7, 5)),
    (decay.Remaining(1), [numbers(1, 5)], (1, 5)),
    (decay.Toeplitz(), [numbers(2, 7, 1)], (2, 7, 7)),
    (cellwise.Function("softplus"), [numbers(3, 5) * 20], (3, 5)),
    (cellwise.Function("softplus"), [np.array([[150.0, 1e6, -1e6]])], (1, 3)),
]
