"""Examples of the operations that work cell by cell or along a row."""

import numpy as np

from app.core.operations import cellwise
from app.core.operations.curves import CURVES
from tests.core.examples.base import Example, numbers

POSITIVE = ("sqrt", "log")
"""Functions of numbers above 0 only."""

EXAMPLES: list[Example] = [
    *((cellwise.Combine(sign), [numbers(3, 5), numbers(5, 3).T], (3, 5)) for sign in "+−×÷"),
    (cellwise.Combine("−"), [numbers(2, 3, 5), numbers(3, 1)], (2, 3, 5)),
    (cellwise.Combine("×"), [numbers(3, 5), numbers(5)], (3, 5)),
    (cellwise.Shift(1e-5), [numbers(3, 1)], (3, 1)),
    (cellwise.Shift(-2.5), [numbers(3, 5)], (3, 5)),
    *((cellwise.Function(name), [numbers(3, 5)], (3, 5)) for name in CURVES if name not in POSITIVE),
    *((cellwise.Function(name), [np.abs(numbers(3, 5))], (3, 5)) for name in POSITIVE),
    *((cellwise.RowTotal(kind), [numbers(2, 3, 5)], (2, 3, 1)) for kind in ("sum", "mean", "max")),
]
