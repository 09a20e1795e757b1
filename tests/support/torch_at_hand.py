"""PyTorch where it is installed, else the stand-in under its name."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from tests.support import torch_in_numpy

REAL = find_spec("torch") is not None


@contextmanager
def standing_in() -> Iterator[ModuleType]:
    """The stand-in under the name ``torch``, as it is when a program starts: numbers with 32 bits. It warns of nothing."""
    before = sys.modules.get("torch")
    sys.modules["torch"] = torch_in_numpy
    torch_in_numpy.set_default_dtype(torch_in_numpy.float32)
    try:
        with np.errstate(all="ignore"):
            yield torch_in_numpy
    finally:
        del sys.modules["torch"]
        if before:
            sys.modules["torch"] = before


@contextmanager
def really() -> Iterator[Any]:
    """PyTorch itself, as it is when a program starts."""
    import torch

    torch.set_default_dtype(torch.float32)
    try:
        yield torch
    finally:
        torch.set_default_dtype(torch.float32)


torch_at_hand = really if REAL else standing_in
