"""Work out what an explanation says, from its parts alone."""

import math
import re
from collections.abc import Sequence
from typing import Any

from app.core.operations.explain import Operand, Part

_SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-", "∞": "inf", "^": "**"})
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_NAMES: dict[str, Any] = {"e": math.e, "inf": math.inf, "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos}
_NAMES |= {"tanh": math.tanh, "ln": math.log, "Φ": lambda x: 0.5 * (1 + math.erf(x / math.sqrt(2)))}
_NAMES |= {"max": lambda *numbers: max(numbers), "min": min, "floor": math.floor}


def evaluate(parts: Sequence[Part]) -> float:
    """The value of the parts, each operand taken with all its digits."""
    return calculate("".join(f"({part.value!r})" if isinstance(part, Operand) else part.text for part in parts))


def calculate(written: str) -> float:
    """The value of a written-out sum; of ``mask 1 → x``, the value of x."""
    python = re.sub(r"√(\d+)", r"sqrt(\1)", written.rpartition("→")[2].strip().translate(_SIGNS)).replace("√(", "sqrt(")
    python = re.sub("10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: f"10**{found[1].translate(_RAISED)}", python)
    return float(eval(python, {"__builtins__": {}}, _NAMES))
