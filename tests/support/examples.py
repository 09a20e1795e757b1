"""How many examples a property is tried with: the number it asks for, and a part of them where a quick answer is wanted."""

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings

QUICK = os.environ.get("HAIBUN_TESTS") == "quick"
SHARE = 8 if QUICK else 1
FEWEST = 5


def examples(count: int, patient: bool = False) -> Callable[[Any], Any]:
    """Try a property this often; ``patient`` where making an example is slow or refused often."""
    waived = list(HealthCheck) if patient else []
    decorate: Callable[[Any], Any] = settings(max_examples=max(FEWEST, count // SHARE), suppress_health_check=waived)
    return decorate
