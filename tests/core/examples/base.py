"""What an example is."""

import numpy as np

from app.core.operations.ops import Operation
from tests.core.build import Values

Example = tuple[Operation, list[Values], tuple[int, ...]]


def numbers(*shape: int) -> Values:
    """Numbers that are the same in every run."""
    return np.random.default_rng(sum(shape)).normal(size=shape)
