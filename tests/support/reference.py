"""Cases that other programs got wrong, with the right answers and the usual wrong ones."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.asking import Json

CASES = Path(__file__).parents[1] / "reference" / "cases.json"


@cache
def cases() -> dict[str, Json]:
    return {case["id"]: case for case in json.loads(CASES.read_text("utf-8"))["cases"]}


def asked(name: str) -> Json:
    found: Json = cases()[name]["input"]
    return found


def expected(name: str) -> Json:
    found: Json = cases()[name]["expected"]
    return found


def faults(name: str) -> list[Any]:
    """What the usual wrong code gives. There is always at least one."""
    found = list(cases()[name]["values_of_known_bugs"].values())
    assert found
    return found


def qkv(name: str) -> Json:
    """The q, k and v of a case."""
    return {part: asked(name)[part] for part in "qkv"}


def identities(d_model: int) -> Json:
    """Matrices that change nothing."""
    return {name: np.eye(d_model).tolist() for name in ("w_q", "w_k", "w_v", "w_o")}
