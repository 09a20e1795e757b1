"""How much room words take, in ems, where no browser measures them; and words cut to a room."""

import unicodedata

import regex

_GRAPHEME = regex.compile(r"\X")
_WIDE, _NARROW, _CAPITAL = 1.0, 0.6, 0.72


def ems(text: str) -> float:
    """The width of a text in ems, rather too much than too little. An emoji of many parts is one letter."""
    return sum(_letter(grapheme) for grapheme in _GRAPHEME.findall(text))


def counted(text: str, narrow: float, wide: float = 1.0) -> float:
    """The width of a text by a count of its letters alone: kana and kanji are ``wide``, all others ``narrow``."""
    return sum(wide if ord(char) > 0x2E7F else narrow for char in text)


def fit(text: str, most: float) -> str:
    """A text cut to a room in ems, its last letter a ``…``."""
    if ems(text) <= most:
        return text
    letters, left = [], most - _WIDE
    for grapheme in _GRAPHEME.findall(text):
        left -= _letter(grapheme)
        if left < 0:
            break
        letters.append(grapheme)
    return "".join(letters) + "…"


def wrap(text: str, most: float) -> list[str]:
    """A text in lines that fit a room in ems, broken at spaces and between kana or kanji; no line begins with a comma."""
    lines: list[str] = []
    for piece in _PIECE.findall(text):
        if lines and ems(lines[-1] + piece) <= most:
            lines[-1] += piece
        else:
            lines.append(piece.lstrip())
    return lines


_PIECE = regex.compile(r"\s*(?:[^\s\u2e80-\uffef]+|[\u2e80-\uffef])[、。，．）」』】…]*")


def _letter(grapheme: str) -> float:
    first = grapheme[0]
    if unicodedata.east_asian_width(first) in "WF" or first == "…":
        return _WIDE
    if first in "MWmw@%" or len(grapheme) > 2 or "\u2190" <= first <= "\u2bff":
        return 0.95
    return _CAPITAL if first.isupper() else _NARROW


_LONGEST_NAME = 16
"""Letters of a word at the edge of a matrix; the whole word stands in the sentence above."""


def shorten_name(name: str) -> str:
    """A word for the edge of a matrix."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
