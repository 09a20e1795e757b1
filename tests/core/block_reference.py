"""Reference numbers of norms, networks, blocks, experts and the cache, made by another program."""

import json
from functools import cache
from typing import Any

from tests.core.reference import FOLDER


@cache
def numbers() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FOLDER / "block.json").read_text("utf-8"))
    return loaded


def case(name: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What a case gives, what is expected, and what the usual wrong code gives."""
    found = numbers()["cases"][name]
    return found["input"], found["expected"], found.get("values_of_known_bugs", {})
