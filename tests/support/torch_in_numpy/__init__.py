"""A stand-in for PyTorch: the part of it that exported code uses, computed by NumPy.

It takes less than PyTorch does and never more: what is missing here raises ``AttributeError`` or ``TypeError``, so code that
calls something PyTorch does not have fails. That both agree is tested against answers of PyTorch itself.
"""

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tests.support.torch_in_numpy import tensor as _tensor
from tests.support.torch_in_numpy.tensor import Tensor, floats, promoted, same_kind, whole

bool = np.dtype(np.bool_)
int64 = np.dtype(np.int64)
float32 = np.dtype(np.float32)
float64 = np.dtype(np.float64)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"the stand-in for PyTorch has no torch.{name}: add it to tests/support/torch_in_numpy, if PyTorch has it"
    )


def set_default_dtype(dtype: npt.DTypeLike) -> None:
    if dtype not in (float32, float64):
        raise TypeError(f"{dtype} is no type for numbers with a point")
    _tensor.default.dtype = np.dtype(dtype)


def _made(values: npt.ArrayLike, dtype: np.dtype[Any] | None = None) -> Tensor:
    if not (dtype is None or isinstance(dtype, np.dtype)):
        raise TypeError(f"dtype must be one of torch's, not {dtype!r}")
    array = np.array(values)
    return Tensor(array.astype(dtype or (_tensor.default.dtype if array.dtype.kind == "f" else array.dtype)))


def tensor(data: Sequence[Any] | float, dtype: np.dtype[Any] | None = None) -> Tensor:
    if not isinstance(data, list | tuple | int | float):
        raise TypeError(f"lists and numbers only, not {type(data)}")
    return _made(np.array(data, float) if data == [] else data, dtype)


def _size(size: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size


def zeros(*size: Any, dtype: np.dtype[Any] | None = None) -> Tensor:
    return _made(np.zeros(_size(size)), dtype)


def ones(*size: Any, dtype: np.dtype[Any] | None = None) -> Tensor:
    return _made(np.ones(_size(size)), dtype)


def full(size: tuple[int, ...], fill_value: float, dtype: np.dtype[Any] | None = None) -> Tensor:
    return _made(np.full(size, fill_value), dtype)


def zeros_like(input: Tensor) -> Tensor:
    return Tensor(np.zeros_like(whole(input)))


def eye(n: int) -> Tensor:
    return _made(np.eye(n))


def arange(start: float, end: float | None = None) -> Tensor:
    return _made(np.arange(start) if end is None else np.arange(start, end))


def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    return Tensor(np.tril(whole(input), diagonal))


def where(condition: Tensor, input: Any, other: Any) -> Tensor:
    if whole(condition).dtype != bool:
        raise RuntimeError("where expects a condition of booleans")
    left, right = promoted(input, other)
    return Tensor(np.where(whole(condition), left, right))


def _by_cell(name: str, function: Any) -> Any:
    def apply(input: Tensor) -> Tensor:
        return Tensor(function(floats(input)))

    apply.__name__ = name
    return apply


def _sigmoid(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1, small) / (1 + small))


def _share_below(x: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray(np.vectorize(lambda cell: 0.5 * math.erfc(-cell / math.sqrt(2)), otypes=[x.dtype])(x))


exp, expm1, log, sqrt, sin, cos, tanh = (
    _by_cell(function.__name__, function) for function in (np.exp, np.expm1, np.log, np.sqrt, np.sin, np.cos, np.tanh)
)
sigmoid = _by_cell("sigmoid", _sigmoid)


def relu(input: Tensor) -> Tensor:
    if whole(input).dtype == bool:
        raise RuntimeError("relu takes no booleans")
    return Tensor(np.maximum(whole(input), 0))


def round(input: Tensor) -> Tensor:
    if whole(input).dtype == bool:
        raise RuntimeError("round takes no booleans")
    return Tensor(np.round(whole(input)))


def isinf(input: Tensor) -> Tensor:
    return Tensor(np.isinf(whole(input)))


def nan_to_num(input: Tensor, nan: float) -> Tensor:
    return Tensor(np.nan_to_num(whole(input), nan=nan))


def maximum(input: Tensor, other: Tensor) -> Tensor:
    return Tensor(np.maximum(*promoted(Tensor(whole(input)), Tensor(whole(other)))))


def logaddexp(input: Tensor, other: Tensor) -> Tensor:
    return Tensor(np.logaddexp(same_kind(input), same_kind(other)))


def softmax(input: Tensor, dim: int) -> Tensor:
    x = same_kind(input)
    raised = np.exp(x - x.max(axis=dim, keepdims=True))
    return Tensor(raised / raised.sum(axis=dim, keepdims=True))


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    return Tensor(np.concatenate([whole(part) for part in tensors], axis=dim))


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    return Tensor(np.stack([whole(part) for part in tensors], axis=dim))


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    return Tensor(np.take_along_axis(*_tensor.aligned(input, dim, index), axis=dim))


class Sorted(NamedTuple):
    """What sorting gives."""

    values: Tensor
    indices: Tensor


def sort(input: Tensor, *, dim: int = -1, stable: Any) -> Sorted:
    if stable is not True:
        raise TypeError("the order of equal numbers must be asked for: stable=True")
    order = np.argsort(whole(input), axis=dim, kind="stable")
    return Sorted(Tensor(np.take_along_axis(whole(input), order, dim)), Tensor(order))


def einsum(equation: str, *operands: Tensor) -> Tensor:
    return Tensor(np.einsum(equation, *_tensor.alike(*operands)))


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8) -> Any:
    left, right = _tensor.alike(input, other)
    return np.allclose(left, right, rtol=rtol, atol=atol)


class _Functional(SimpleNamespace):
    """``torch.nn.functional``."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the stand-in for PyTorch has no torch.nn.functional.{name}")


class _Nn(SimpleNamespace):
    """``torch.nn``."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the stand-in for PyTorch has no torch.nn.{name}")


nn = _Nn(
    functional=_Functional(
        silu=_by_cell("silu", lambda x: x * _sigmoid(x)),
        gelu=_by_cell("gelu", lambda x: x * _share_below(x)),
        elu=_by_cell("elu", lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0)))),
    )
)
