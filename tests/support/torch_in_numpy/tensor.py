"""The tensor of the stand-in: an array of NumPy that behaves as PyTorch's do, or refuses."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[Any]


class _Default:
    """The type of new numbers with a point: 32 bits until it is set."""

    dtype: np.dtype[Any] = np.dtype(np.float32)


default = _Default()


def whole(value: object) -> Values:
    """The array of a tensor; nothing else is one."""
    if not isinstance(value, Tensor):
        raise TypeError(f"expected a Tensor, got {type(value).__name__}")
    return value.array


def same_kind(value: object) -> Values:
    """The array of a tensor of numbers with a point."""
    array = whole(value)
    if array.dtype.kind != "f":
        raise RuntimeError(f"not implemented for {array.dtype}")
    return array


def floats(value: object) -> Values:
    """The array of a tensor, whole numbers as numbers with a point."""
    array = whole(value)
    return array if array.dtype.kind == "f" else array.astype(default.dtype)


def promoted(*values: object) -> list[Any]:
    """Arrays and plain numbers, where a plain number or a whole one does not widen numbers with a point."""
    plain = [value.array if isinstance(value, Tensor) else _number(value) for value in values]
    kinds = [value.dtype for value in plain if isinstance(value, np.ndarray)]
    wide = [kind for kind in kinds if kind.kind == "f"]
    if wide:
        return [np.asarray(value, np.result_type(*wide)) for value in plain]
    if any(isinstance(value, float) for value in plain):
        return [np.asarray(value, default.dtype) for value in plain]
    return plain


def _number(value: object) -> bool | int | float:
    if not isinstance(value, bool | int | float):
        raise TypeError(f"unsupported operand: {type(value).__name__}")
    return value


def alike(*values: object) -> list[Values]:
    """The arrays of tensors, which must be of one type."""
    arrays = [whole(value) for value in values]
    if len({array.dtype for array in arrays}) > 1:
        raise RuntimeError("expected tensors of the same dtype")
    return arrays


def aligned(values: object, dim: int, index: object) -> tuple[Values, Values]:
    """An array and places in it along one axis; along the others it is cut to the size of the places."""
    array, places = whole(values), whole(index)
    fits = all(
        want <= size for axis, (want, size) in enumerate(zip(places.shape, array.shape, strict=True)) if axis != dim % array.ndim
    )
    if places.dtype != np.int64 or not fits or (places < 0).any():
        raise RuntimeError("an index is a tensor of whole numbers from 0, no larger than what it looks into")
    cut = [slice(None) if axis == dim % array.ndim else slice(size) for axis, size in enumerate(places.shape)]
    return array[tuple(cut)], places


def _dimensions(sizes: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple(sizes[0]) if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes


def _operator(function: Callable[..., Any], turned: bool = False, booleans: bool = True) -> Any:
    def apply(self: "Tensor", other: object) -> Any:
        if not isinstance(other, Tensor | bool | int | float):
            return NotImplemented
        pair = promoted(other, self) if turned else promoted(self, other)
        if not booleans and any(np.asarray(value).dtype == bool for value in pair):
            raise RuntimeError("no minus for booleans")
        return Tensor(function(*pair))

    return apply


def _divide(left: Any, right: Any) -> Values:
    top, below = (value if value.dtype.kind == "f" else value.astype(default.dtype) for value in map(np.asarray, (left, right)))
    return np.asarray(top / below)


class Tensor:
    """An array. Basic indexing and reshaping share its numbers, as in PyTorch."""

    __array_ufunc__ = None
    __hash__ = None  # type: ignore[assignment]
    __isub__ = __imul__ = __itruediv__ = None

    def __init__(self, array: npt.ArrayLike) -> None:
        self.array = np.asarray(array)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"the stand-in for PyTorch has no Tensor.{name}: add it to tests/support/torch_in_numpy, if PyTorch has it"
        )

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Values:
        return self.array.astype(dtype or self.array.dtype)

    def __repr__(self) -> str:
        return f"tensor({self.array.tolist()}, dtype=torch.{self.array.dtype})"

    def __len__(self) -> int:
        return len(self.array)

    def __bool__(self) -> bool:
        if self.array.size != 1:
            raise RuntimeError("the truth of more than one value is ambiguous")
        return bool(self.array.item())

    def __getitem__(self, key: Any) -> "Tensor":
        first, second = _two_steps(key)
        return Tensor(self.array[first][second])

    def __setitem__(self, key: Any, value: Any) -> None:
        first, second = _two_steps(key)
        self.array[(*first, Ellipsis) if Ellipsis not in first else first][second] = (
            value.array if isinstance(value, Tensor) else value
        )

    __add__, __radd__ = _operator(np.add), _operator(np.add, turned=True)
    __sub__, __rsub__ = _operator(np.subtract, booleans=False), _operator(np.subtract, turned=True, booleans=False)
    __mul__, __rmul__ = _operator(np.multiply), _operator(np.multiply, turned=True)
    __truediv__, __rtruediv__ = _operator(_divide), _operator(_divide, turned=True)
    __floordiv__ = _operator(np.floor_divide)
    __mod__ = _operator(np.remainder)
    __pow__, __rpow__ = _operator(np.power), _operator(np.power, turned=True)
    __lt__, __le__, __gt__, __ge__ = map(_operator, (np.less, np.less_equal, np.greater, np.greater_equal))
    __eq__ = _operator(np.equal)
    __ne__ = _operator(np.not_equal)

    def _add_in_place(self, other: object) -> "Tensor":
        self.array += other.array if isinstance(other, Tensor) else _number(other)
        return self

    __iadd__: Any = _add_in_place

    def __matmul__(self, other: Any) -> "Tensor":
        left, right = alike(self, other)
        return Tensor(left @ right)

    def __neg__(self) -> "Tensor":
        if self.array.dtype == bool:
            raise RuntimeError("no minus for booleans")
        return Tensor(-self.array)

    def __invert__(self) -> "Tensor":
        if self.array.dtype.kind == "f":
            raise TypeError("no ~ for numbers with a point")
        return Tensor(~self.array)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.array.dtype

    def tolist(self) -> Any:
        return self.array.tolist()

    def clone(self) -> "Tensor":
        return Tensor(self.array.copy())

    def long(self) -> "Tensor":
        return Tensor(self.array.astype(np.int64))

    def abs(self) -> "Tensor":
        return Tensor(np.abs(self.array))

    def clamp(self, min: float | None = None, max: float | None = None) -> "Tensor":
        """The bounds as the numbers they are: a whole tensor between bounds with a point becomes one with a point."""
        low, high = (-np.inf if min is None else min), (np.inf if max is None else max)
        pointed = self.array.dtype.kind == "f" or any(isinstance(bound, float) for bound in (min, max))
        clipped = np.clip(self.array, low, high)
        return Tensor(clipped.astype(self.array.dtype if self.array.dtype.kind == "f" or not pointed else default.dtype))

    def reshape(self, *shape: Any) -> "Tensor":
        return Tensor(self.array.reshape(_dimensions(shape)))

    def expand(self, *sizes: Any) -> "Tensor":
        wanted, own = _dimensions(sizes), (1,) * (len(_dimensions(sizes)) - self.array.ndim) + self.shape
        return Tensor(np.broadcast_to(self.array, [have if want == -1 else want for want, have in zip(wanted, own, strict=True)]))

    def transpose(self, dim0: int, dim1: int) -> "Tensor":
        return Tensor(self.array.swapaxes(dim0, dim1))

    swapaxes = transpose

    def permute(self, *dims: Any) -> "Tensor":
        return Tensor(self.array.transpose(_dimensions(dims)))

    def repeat_interleave(self, repeats: int, dim: int) -> "Tensor":
        return Tensor(self.array.repeat(repeats, axis=dim))

    def chunk(self, chunks: int, dim: int = 0) -> "tuple[Tensor, ...]":
        size = -(-self.shape[dim] // chunks)
        cuts = range(size, self.shape[dim], size)
        return tuple(Tensor(part) for part in np.split(self.array, list(cuts), axis=dim))

    def scatter(self, dim: int, index: "Tensor", value: float) -> "Tensor":
        copy = Tensor(self.array.copy())
        array, places = aligned(copy, dim, index)
        np.put_along_axis(array, places, value, dim)
        return copy

    def sum(self, dim: int, keepdim: bool = False) -> "Tensor":
        return Tensor(self.array.sum(axis=dim, keepdims=keepdim))

    def prod(self, dim: int, keepdim: bool = False) -> "Tensor":
        return Tensor(self.array.prod(axis=dim, keepdims=keepdim))

    def mean(self, dim: int, keepdim: bool = False) -> "Tensor":
        return Tensor(same_kind(self).mean(axis=dim, keepdims=keepdim))

    def amax(self, dim: int, keepdim: bool = False) -> "Tensor":
        return Tensor(self.array.max(axis=dim, keepdims=keepdim))


def _two_steps(key: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """An index as PyTorch reads it: whole numbers choose first, lists and tensors afterwards."""
    parts = key if isinstance(key, tuple) else (key,)
    if any(isinstance(part, slice) and part.step is not None and part.step < 1 for part in parts):
        raise ValueError("step must be greater than zero")
    first = tuple(part if type(part) is int or part is Ellipsis else slice(None) for part in parts if part is not None)
    return first, tuple(_places(part) for part in parts if type(part) is not int)


def _places(part: Any) -> Any:
    if isinstance(part, Tensor) and part.array.dtype == np.int64:
        return part.array
    if not (part is None or part is Ellipsis or isinstance(part, slice | list)):
        raise IndexError(f"the stand-in takes no such index: {part!r}")
    return np.array(part, int) if part == [] else part
