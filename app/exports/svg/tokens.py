"""The tokens of a sentence as a picture: each in its box, its number below."""

from xml.etree.ElementTree import Element

from app.drawing.theme import THEMES
from app.exports.svg.layout import Block
from app.exports.svg.marks import mark, words
from app.text.widths import ems, fit

_SIZE, _HEIGHT, _GAP, _WIDEST, _LONGEST = 22.0, 40.0, 12.0, 900.0, 24.0


def tokens_block(tokens: list[str], theme: str) -> Block:
    """Draw a box for each token in the order of the sentence, as many rows as are needed."""
    shown = [fit(token, _LONGEST) for token in tokens]
    places = _places([ems(token) * _SIZE + 28 for token in shown])
    page = THEMES[theme].page

    def draw(parent: Element, x0: float, y0: float) -> None:
        for number, (token, (x, y, width)) in enumerate(zip(shown, places, strict=True), 1):
            x, y = x0 + x, y0 + y
            mark(parent, "rect", x=x, y=y, width=width, height=_HEIGHT, rx=8.0, fill=page["panel"], stroke=page["line-strong"])
            words(parent, token, x + width / 2, y + _HEIGHT / 2 + 8, _SIZE, page["ink"], text_anchor="middle")
            words(parent, str(number), x + width / 2, y + _HEIGHT + 17, 13.0, page["ink-soft"], text_anchor="middle")

    return Block(max(x + width for x, _, width in places), places[-1][1] + _HEIGHT + 22, draw)


def _places(widths: list[float]) -> list[tuple[float, float, float]]:
    """Where each box stands, and its width."""
    x, y, places = 0.0, 0.0, []
    for width in widths:
        if x and x + width > _WIDEST:
            x, y = 0.0, y + _HEIGHT + 34
        places.append((x, y, width))
        x += width + _GAP
    return places
