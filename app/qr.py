"""QR: an address as a pattern that a phone reads from paper."""

from dataclasses import dataclass

import segno
from segno.encoder import DataOverflowError

QUIET = 4
"""Empty modules around the pattern, which readers need."""
_LARGEST = 97
"""Modules along a side (the quiet ones aside) that are still large enough on paper."""


@dataclass(frozen=True, slots=True)
class Qr:
    """The pattern as an SVG path, and its size in modules, the quiet ones included."""

    size: int
    path: str


def make_qr(text: str) -> Qr | None:
    """The pattern for a text; None where the text is too long to be read from paper."""
    try:
        code = segno.make(text, error="l", micro=False)
    except DataOverflowError:
        return None
    rows = [list(row) for row in code.matrix]
    if len(rows) > _LARGEST:
        return None
    return Qr(len(rows) + 2 * QUIET, "".join(_row(row, y + QUIET) for y, row in enumerate(rows)))


def _row(modules: list[int], y: int) -> str:
    return "".join(f"M{x + QUIET} {y}h1v1h-1z" for x, dark in enumerate(modules) if dark)
