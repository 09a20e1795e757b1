"""Toy vectors and toy matrices: random-looking, repeatable, and so short that a person can check them by hand.

Two rules draw them. A link keeps the rule it was made with, so the numbers of either must never change.

- Rule 1: vectors between −2 and 2, matrices between −1 and 1, all with one decimal, at every width. Scores grow with the width
  although they are divided by √d_head: a query is a sum of d_model products, and so is a key. At a width of 64 the largest
  scaled score of seven words is about 150, and softmax gives nearly everything to one word.
- Rule 2: a vector's numbers have a spread (standard deviation) of 1, and those of a matrix that multiplies have 1 / √rows.
  Spreads of independent numbers add as squares: rows · 1² · (1 / √rows)² = 1. So q and k have a spread of 1 again, q·k has
  √d_head, and after ÷ √d_head the scores have a spread of about 1 at every width. ``tests/bench/toy.py`` measures it. What is
  added or looked up, such as learned positions, is drawn as by rule 1.

Source: LeCun et al. 1998, Efficient BackProp, §4.6 (a spread of 1 / √rows); Vaswani et al. 2017, §3.2.1, note 4 (÷ √d_head).
"""

import hashlib
import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from app.text.spelling import same_word

Matrix = npt.NDArray[np.float64]

RULES = (1, 2)
"""The rules that draw toy numbers, the oldest first."""
NEWEST = RULES[-1]

_VECTOR_TENTHS = {1: 20, 2: 17}
"""The largest number of a word's vector, in tenths; evenly drawn numbers with a spread of 1 end at √3 ≈ 1.7."""
_MATRIX_TENTHS = 10  # a matrix's numbers lie between −1.0 and 1.0


def toy_vector(word: str, d_model: int, seed: int, rule: int = 1) -> Matrix:
    """The vector of a word: it depends on the word's characters, the seed and the rule alone. Shape: (d_model,)."""
    return _numbers(f"word {seed} {same_word(word)}", d_model, _VECTOR_TENTHS[rule]) / 10


def toy_matrix(name: str, rows: int, columns: int, seed: int, rule: int = 1) -> Matrix:
    """A matrix that stands in for a learned one; it depends on name, shape, seed and rule. Shape: (rows, columns)."""
    key, count = f"matrix {seed} {name} {rows} {columns}", rows * columns
    if rule == 1 or not _multiplies(name):
        return (_numbers(key, count, _MATRIX_TENTHS) / 10).reshape(rows, columns)
    return (_numbers(key, count, _hundredths(rows)) / 100).reshape(rows, columns)


def named_matrix(name: str, kind: str, rows: int, columns: int, rule: int = 1) -> Matrix:
    """A matrix by its name: ``identity``, ``zero``, ``permutation`` (every row one place on), ``random:7`` (toy, seed 7).

    Shape: (rows, columns).
    """
    if kind == "zero":
        return np.zeros((rows, columns))
    if kind.startswith("random"):
        return toy_matrix(name, rows, columns, int(kind.partition(":")[2] or 1), rule)
    return np.roll(np.eye(rows, columns), 0 if kind == "identity" else 1, axis=1)


def _multiplies(name: str) -> bool:
    """True for a matrix that vectors are multiplied by (``w_q``, ``layer.0.w_1``); a table is looked up or added."""
    return name.rpartition(".")[2].startswith("w_")


def _hundredths(rows: int) -> int:
    """The largest number, in hundredths, of evenly drawn ones with a spread of 1 / √rows: √(3 / rows)."""
    return round(100 * math.sqrt(3 / rows))


def _numbers(key: str, count: int, largest: int) -> Matrix:
    """Whole numbers from −largest to largest, each as likely as the other. Shape: (count,)."""
    stream = _stream(key)
    return np.array([next(stream) % (2 * largest + 1) - largest for _ in range(count)])


def _stream(key: str) -> Iterator[int]:
    """Endless 32-bit numbers drawn from a text, the same on every machine and version."""
    block = 0
    while True:
        digest = hashlib.blake2b(f"{block} {key}".encode()).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, len(digest), 4))
        block += 1
