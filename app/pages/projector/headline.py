"""Headline: what stands above and below the picture on a projector, and how much room that leaves."""

import math
import re
from dataclasses import dataclass

from markupsafe import Markup

from app.pages.projector.measure import ems
from app.pages.projector.stage import HEIGHT, INNER

TITLE, CAPTION, CHIP, MESSAGE = 60.0, 36.0, 32.0, 32.0
TOP, FOOT = 28.0, 98.0
_CHIPS = 620.0
"""MatrixBox that the sentence has at least, where it needs it."""
_HIGH = 112.0
"""How high a formula may be in the first row, where it can be made smaller."""
_SIZE = re.compile(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"')


@dataclass(frozen=True, slots=True)
class Word:
    """A token as a chip: its text, its number, whether it is looked at; ``"…"`` without a number where some are left out."""

    text: str
    place: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Headline:
    """Title, formula and sentence in one row where they fit, else the formula in a row of its own; then the question."""

    formula: Markup
    formula_width: float
    formula_height: float
    formula_below: bool
    words: list[Word]
    stage: float
    """The height that is left for the picture."""


def make_headline(
    title: str, formula: Markup, question: str, words: list[tuple[str, bool]], beside: str, messages: list[str]
) -> Headline:
    """Share out the room above the picture. ``beside``: what stands at the end of the question's row."""
    wide, high = _size(formula)
    title_width = ems(title) * TITLE * 1.05 + 60
    shown = _fitting(words, min(_all(words), max(_CHIPS, INNER - title_width - wide * 1.75 - 60)))
    room = INNER - title_width - sum(_chip(word.text) for word in shown) - 50
    scale = min(1.75, room / wide, max(1.4, _HIGH / high)) if wide else 0.0
    below = scale < 1.4 if wide else False
    if below:
        scale = min(1.6, INNER / wide)
        shown = _fitting(words, INNER - title_width)
    rows = math.ceil(ems(question) * CAPTION / (INNER - (ems(beside) * CHIP + 90 if beside else 0)))
    first = 88 if below else max(88.0, high * scale + 18)
    taken = TOP + first + (high * scale + 14 if below else 0) + rows * CAPTION * 1.35 + 22
    taken += sum(math.ceil(ems(text) * MESSAGE / (INNER - 60)) * 44 for text in messages) + (36 if messages else 0)
    return Headline(formula, wide * scale, high * scale, below, shown, HEIGHT - taken - FOOT)


def _size(formula: Markup) -> tuple[float, float]:
    found = _SIZE.search(formula)
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


def _chip(text: str) -> float:
    return ems(text) * CHIP + 50


def _all(words: list[tuple[str, bool]]) -> float:
    return sum(_chip(text) for text, _ in words)


def _fitting(words: list[tuple[str, bool]], room: float) -> list[Word]:
    """All words, or as many around the chosen one as fit, with a mark where some are left out."""
    every = [Word(text, place, chosen) for place, (text, chosen) in enumerate(words)]
    if _all(words) <= room or not every:
        return every
    middle = next((word.place for word in every if word.chosen), 0)
    first = last = middle
    while True:
        tried = [(first - 1, last), (first, last + 1)]
        wider = [(a, b) for a, b in tried if a >= 0 and b < len(every) and _shown_width(every[a : b + 1]) <= room]
        if not wider:
            break
        first, last = min(wider, key=lambda span: abs(span[0] + span[1] - 2 * middle))
    gap = Word("…", -1, False)
    return [*([gap] if first else []), *every[first : last + 1], *([gap] if last + 1 < len(every) else [])]


def _shown_width(words: list[Word]) -> float:
    return sum(_chip(word.text) for word in words) + 2 * _chip("…")
