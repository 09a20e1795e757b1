"""The reference numbers: vectors made by another program, and cases that other programs got wrong."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

FOLDER = Path(__file__).parents[1] / "reference"


@cache
def vectors() -> dict[str, list[dict[str, Any]]]:
    loaded: dict[str, list[dict[str, Any]]] = json.loads((FOLDER / "vectors.json").read_text("utf-8"))
    return loaded


@cache
def cases() -> dict[str, dict[str, Any]]:
    return {case["id"]: case for case in json.loads((FOLDER / "cases.json").read_text("utf-8"))["cases"]}


def wanted(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A case's input and what is expected of it."""
    return cases()[name]["input"], cases()[name]["expected"]


def known_faults(name: str) -> dict[str, Any]:
    """What the usual wrong code gives."""
    faults: dict[str, Any] = cases()[name]["values_of_known_bugs"]
    return faults


def bits(rows: list[str]) -> npt.NDArray[np.bool_]:
    """``["10", "11"]`` as a mask."""
    return np.array([[bit == "1" for bit in row] for row in rows])


def same(got: npt.ArrayLike, expected: npt.ArrayLike, tolerance: float = 1e-9) -> bool:
    """Equal within a tolerance that is absolute plus relative; shapes must be the same, NaN is never the same."""
    left, right = np.asarray(got, dtype=float), np.asarray(expected, dtype=float)
    return left.shape == right.shape and bool(np.allclose(left, right, rtol=tolerance, atol=tolerance))
