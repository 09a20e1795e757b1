"""What stands above a picture: its title, its formula, what its colours mean."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from app.drawing.picture import Legend
from app.drawing.theme import THEMES, cell_colour
from app.exports.svg.layout import Block
from app.exports.svg.marks import formula, formula_size, mark, words
from app.sheet.slopes import HUE
from app.text.widths import ems, wrap

_TITLE, _SMALL, _FORMULA = 24.0, 15.0, 26.0
_RAMP, _RAMP_WIDTH = 24, 150.0
_LONGEST_LINE = 60.0
"""Ems of a line of text."""


@dataclass(frozen=True, slots=True)
class Heading:
    """The words above a picture. Some are not there: no part, no formula."""

    part: str
    title: str
    name: str
    tex: str
    legends: tuple[tuple[str, Legend], ...]
    """What the colours mean; where there are several scales, with the name of each."""
    shape: str
    slopes: str
    """What the slopes in the picture are those of; nothing where there are none."""
    lines: tuple[str, ...] = ()
    """What else is said: what is compared, and what came of it; what the axes of points are."""


def heading(heading: Heading, theme: str) -> Block:
    """Lay out the lines of a heading, one below the other."""
    page = THEMES[theme].page
    lines = [
        *([_text(heading.part, _SMALL, page["accent"], bold=True)] if heading.part else []),
        _title(heading, theme),
        *([_text(heading.slopes, _SMALL, THEMES[theme].text[HUE], bold=True)] if heading.slopes else []),
        *(_text(line, _SMALL, page["ink"]) for text in heading.lines for line in wrap(text, _LONGEST_LINE)),
        *([_formula(heading.tex, page["ink"])] if heading.tex else []),
        *_legends(heading, theme),
    ]

    def draw(parent: Element, x: float, y: float) -> None:
        for line in lines:
            line.draw(parent, x, y)
            y += line.height

    return Block(max(line.width for line in lines), sum(line.height for line in lines), draw)


def _legends(heading: Heading, theme: str) -> list[Block]:
    """Lay out every colour scale on a line of its own, the shape beside the last."""
    shapes = [""] * (len(heading.legends) - 1) + [heading.shape]
    return [_legend(name, legend, shape, theme) for (name, legend), shape in zip(heading.legends, shapes, strict=False)]


def _text(text: str, size: float, fill: str, bold: bool = False) -> Block:
    weight = {"font_weight": "bold"} if bold else {}

    def draw(parent: Element, x: float, y: float) -> None:
        words(parent, text, x, y + size, size, fill, **weight)

    return Block(size * 1.06 * ems(text), size * 1.5, draw)


def _title(heading: Heading, theme: str) -> Block:
    """The title, and the name of the step as programs know it."""
    page = THEMES[theme].page
    title, name = _text(heading.title, _TITLE, page["ink"], bold=True), _text(heading.name, _SMALL, page["ink-soft"])

    def draw(parent: Element, x: float, y: float) -> None:
        line = words(parent, heading.title, x, y + _TITLE, _TITLE, page["ink"], font_weight="bold")
        if heading.name:
            step = mark(
                line, "tspan", dx=12.0, font_size=_SMALL, font_weight="normal", font_family="monospace", fill=page["ink-soft"]
            )
            step.text = heading.name

    return Block(title.width + 12 + name.width, title.height, draw)


def _formula(tex: str, fill: str) -> Block:
    width, above, below = formula_size(tex, _FORMULA)

    def draw(parent: Element, x: float, y: float) -> None:
        formula(parent, tex, x, y + 8 + above, _FORMULA, fill)

    return Block(width, above + below + 16, draw)


def _legend(name: str, legend: Legend, shape: str, theme: str) -> Block:
    """The colours from the lowest number to the highest, and the shape."""
    soft, start = THEMES[theme].page["ink-soft"], _SMALL * 1.06 * ems(name) + 14 if name else 0.0
    low = start + _SMALL * ems(legend.low) + 10
    high = low + _RAMP_WIDTH + 10

    def draw(parent: Element, x: float, y: float) -> None:
        if name:
            words(parent, name, x, y + _SMALL, _SMALL, soft, font_weight="bold")
        words(parent, legend.low, x + start, y + _SMALL, _SMALL, soft)
        _ramp(parent, legend, theme, x + low, y + 4)
        words(parent, legend.high, x + high, y + _SMALL, _SMALL, soft)
        words(parent, shape, x + high + _SMALL * ems(legend.high) + 26, y + _SMALL, _SMALL, soft)

    return Block(high + _SMALL * ems(legend.high + shape) + 26, _SMALL * 1.5, draw)


def _ramp(parent: Element, legend: Legend, theme: str, x: float, y: float) -> None:
    wide = _RAMP_WIDTH / _RAMP
    for place in range(_RAMP):
        share = (place + 0.5) / _RAMP
        strength = 2 * share - 1 if legend.signed else share
        colour = cell_colour(theme, legend.hue, "neg" if strength < 0 else "pos", abs(strength))
        mark(parent, "rect", x=x + place * wide, y=y, width=wide + 0.3, height=11.0, fill=colour)
    line = THEMES[theme].page["line"]
    mark(parent, "rect", x=x, y=y, width=_RAMP_WIDTH, height=11.0, fill="none", stroke=line, stroke_width=1.0)
