"""QR: an address as a pattern that a phone reads from paper, from a projector's screen or from a terminal."""

import io
from dataclasses import dataclass
from functools import lru_cache

import segno
from segno.encoder import DataOverflowError

QUIET = 4
"""Empty modules around the pattern, which readers need."""
_LARGEST = 97
"""Modules along a side (the quiet ones aside) that are still large enough on paper and from the back of a room."""


@dataclass(frozen=True, slots=True)
class Qr:
    """The pattern as an SVG path, and its size in modules, the quiet ones included."""

    size: int
    path: str


@lru_cache(maxsize=64)
def make_qr(text: str) -> Qr | None:
    """Make the QR code of a text; None where it would be too fine to be read."""
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


def terminal_qr(text: str, coloured: bool) -> str:
    """Write a QR code in half blocks. ``coloured``: say black and white, whatever the terminal's own colours are."""
    written = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(written, border=QUIET, compact=True)
    lines = written.getvalue().splitlines()
    return "\n".join(f"\x1b[40;97m{line}\x1b[0m" for line in lines) if coloured else "\n".join(lines)
