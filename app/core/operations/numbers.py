"""How a number is printed for people: the one home of that decision."""

import math

MINUS = "\u2212"
PLACES = 3
EXACT = 1e-12
"""What is below this beside the number is float noise."""
_PLAIN_LIMIT = 1e15
_POWER_FROM = 1e9
"""A number of so many zeros is easier read as a power of ten: −1×10⁹."""


def is_exact(value: float, printed: float) -> bool:
    """Say whether a printed number is the value itself, float noise aside."""
    return abs(value - printed) <= EXACT * max(1.0, abs(value))


def show(value: float, places: int = PLACES) -> str:
    """Print a number: whole numbers plain, others with at most ``places`` decimals, a true minus sign.

    A rounded number keeps all its decimals, so 1 is exactly one and 1.000 is nearly one.
    """
    value = float(value)
    if math.isinf(value):
        return ("" if value > 0 else MINUS) + "\u221e"
    if abs(value) >= _POWER_FROM and is_exact(value, float(f"{value:.{places}e}")):
        return _shortest_power(value, places)
    if abs(value) >= _PLAIN_LIMIT:
        return scientific(value, places)
    if is_exact(value, whole := round(value)):
        return _signed(f"{whole}")
    text = f"{value:.{places}f}"
    return _signed(text.rstrip("0") if is_exact(value, float(text)) else text)


def signed(value: float, places: int = PLACES, *, fine: bool = False) -> str:
    """Print a change: with its sign, + as well; 0 has none. ``fine``: what would be rounded away is written as 2.0×10⁻⁵."""
    value = float(value)
    sign = "+" if value > 0 else MINUS
    if fine and 0 < abs(value) < 10**-places:
        return sign + scientific(abs(value), 1)
    size = show(abs(value), places)
    return size if size == "0" else sign + size


def is_rounded(value: float, places: int = PLACES) -> bool:
    """Say whether ``show`` had to round this value."""
    value = float(value)
    if math.isinf(value):
        return False
    if abs(value) >= _PLAIN_LIMIT:
        return not is_exact(value, float(f"{value:.{places}e}"))
    return not is_exact(value, round(value, places))


def write(value: float) -> str:
    """Print a number with every digit it has, so that it can be read back."""
    if value == round(value) and abs(value) < _PLAIN_LIMIT:
        return _signed(f"{round(value)}")
    mantissa, _, exponent = repr(float(value)).partition("e")
    return _signed(mantissa) + (_power_of_ten(exponent) if exponent else "")


def _signed(text: str) -> str:
    return text.replace("-", MINUS)


def show_size(value: float) -> str:
    """Print how large something is; what would be printed as nothing, but is not nothing, as a power of ten."""
    return scientific(value) if 0 < abs(value) < 0.5 * 10**-PLACES else show(value)


def scientific(value: float, places: int = 0) -> str:
    """Print a number as 2×10⁻¹⁶."""
    mantissa, exponent = f"{value:.{places}e}".split("e")
    return _signed(mantissa) + _power_of_ten(exponent)


def _shortest_power(value: float, places: int) -> str:
    mantissa, exponent = f"{value:.{places}e}".split("e")
    return _signed(mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + _power_of_ten(exponent)


def _power_of_ten(exponent: str) -> str:
    return f"×10{str(int(exponent)).translate(_RAISED)}"


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def mantissa_and_power(text: str) -> tuple[str, str]:
    """``2×10⁻¹⁶`` parted into ``2`` and ``−16``; a number without a power of ten has no second part."""
    mantissa, _, power = text.partition("×10")
    return mantissa, _signed(power.translate(_LOWERED))


_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
