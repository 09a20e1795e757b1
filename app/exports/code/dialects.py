"""NumPy and PyTorch: how each writes an array, and the few things that they call differently."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.core.masks import causal
from app.core.operations.ops import Values
from app.exports.code.helpers import NUMPY_HELPERS, TORCH_HELPERS


@dataclass(frozen=True, slots=True)
class Dialect:
    """A library for arrays, with the helpers that are written in it."""

    module: str
    array: str
    copy: str
    bool_type: str
    words: Mapping[str, str]
    """What this library calls what NumPy calls otherwise."""
    helpers: dict[str, str]
    head: str

    def literal(self, value: Values) -> str:
        """Write an array with its numbers as code; one that holds a single number, or a causal mask, by its name."""
        if value.dtype == bool:
            return self._mask(value)
        if value.size > 1 and (value == value.flat[0]).all():
            return self._filled(value.shape, float(value.flat[0]))
        return f"{self.module}.{self.array}({nested(value.tolist())})"

    def _filled(self, shape: tuple[int, ...], number: float) -> str:
        names = {0.0: "zeros", 1.0: "ones"}
        if number in names:
            return f"{self.module}.{names[number]}({shape})"
        return f"{self.module}.full({shape}, {written(number)})"

    def _mask(self, value: Values) -> str:
        n_q, n_k = value.shape
        if value.all():
            return f"{self.module}.ones({value.shape}, dtype={self.bool_type})"
        if np.array_equal(value, causal(n_q, n_k)):
            below = f"({n_q}, {n_k}), dtype={self.bool_type}"
            return f"{self.module}.tril({self.module}.ones({below}), {n_k - n_q})"
        return f"{self.module}.{self.array}({nested(value.astype(int).tolist())}, dtype={self.bool_type})"


def nested(values: object, depth: int = 1) -> str:
    """Write nested lists as code, a row a line."""
    if not isinstance(values, list):
        return written(values)
    if not any(isinstance(row, list) for row in values):
        return f"[{', '.join(map(written, values))}]"
    pad = "    " * depth
    rows = "".join(f"{pad}{nested(row, depth + 1)},\n" for row in values)
    return f"[\n{rows}{'    ' * (depth - 1)}]"


def written(number: object) -> str:
    """Write a number as code that reads back as exactly this number."""
    return "-inf" if number == -np.inf else repr(number)


NUMPY = Dialect(
    "np",
    "array",
    "copy",
    "bool",
    {},
    NUMPY_HELPERS,
    "import math\nfrom math import inf, sqrt\n\nimport numpy as np",
)
TORCH = Dialect(
    "torch",
    "tensor",
    "clone",
    "torch.bool",
    {"np.concatenate": "torch.cat", "np.": "torch.", "axis=": "dim=", "keepdims=": "keepdim=", ".max(": ".amax("},
    TORCH_HELPERS,
    "import math\nfrom math import inf, sqrt\n\nimport torch\n\ntorch.set_default_dtype(torch.float64)",
)
