"""Toy vectors and toy matrices: random-looking, repeatable, with one decimal, so that a person can check them by hand."""

import hashlib
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from app.text.spelling import same_word

Matrix = npt.NDArray[np.float64]

_VECTOR_TENTHS = 20  # a word's numbers lie between −2.0 and 2.0
_MATRIX_TENTHS = 10  # a matrix's numbers lie between −1.0 and 1.0


def toy_vector(word: str, d_model: int, seed: int) -> Matrix:
    """The vector of a word: it depends on the word's characters and the seed alone. Shape: (d_model,)."""
    return _numbers(f"word {seed} {same_word(word)}", d_model, _VECTOR_TENTHS)


def toy_matrix(name: str, rows: int, columns: int, seed: int) -> Matrix:
    """A matrix that stands in for a learned one; it depends on name, shape and seed. Shape: (rows, columns)."""
    return _numbers(f"matrix {seed} {name} {rows} {columns}", rows * columns, _MATRIX_TENTHS).reshape(rows, columns)


def named_matrix(name: str, kind: str, rows: int, columns: int) -> Matrix:
    """A matrix by its name: ``identity``, ``zero``, ``permutation`` (every row one place on), ``random:7`` (toy, seed 7).

    Shape: (rows, columns).
    """
    if kind == "zero":
        return np.zeros((rows, columns))
    if kind.startswith("random"):
        return toy_matrix(name, rows, columns, int(kind.partition(":")[2] or 1))
    return np.roll(np.eye(rows, columns), 0 if kind == "identity" else 1, axis=1)


def _numbers(key: str, count: int, tenths: int) -> Matrix:
    stream = _stream(key)
    return np.array([next(stream) % (2 * tenths + 1) - tenths for _ in range(count)]) / 10


def _stream(key: str) -> Iterator[int]:
    """Endless 32-bit numbers drawn from a text, the same on every machine and version."""
    block = 0
    while True:
        digest = hashlib.blake2b(f"{block} {key}".encode()).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, len(digest), 4))
        block += 1
