"""The marks a picture is drawn with: boxes, lines, words, formulas. A tree of elements, so that every text is escaped."""

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from app.drawing.formulas import formula_drawing

_SVG = "http://www.w3.org/2000/svg"
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold at all, not even escaped."""
_FORMULA_SIZE = 26.0
_HATCH = 7.0
ElementTree.register_namespace("", _SVG)


def root(width: float, height: float, lang: str, title: str, description: str) -> Element:
    """Make an empty picture with its title and description."""
    picture = Element(f"{{{_SVG}}}svg", {"width": _n(width), "height": _n(height), "viewBox": f"0 0 {_n(width)} {_n(height)}"})
    picture.set("{http://www.w3.org/XML/1998/namespace}lang", lang)
    picture.set("role", "img")
    picture.set("font-family", "sans-serif")
    mark(picture, "title").text = _clean(title)
    mark(picture, "desc").text = _clean(description)
    return picture


def mark(parent: Element, name: str, **attributes: object) -> Element:
    """Add an element; ``stroke_width=2`` is written ``stroke-width="2"``."""
    written = {key.replace("_", "-"): _n(value) for key, value in attributes.items()}
    child = Element(f"{{{_SVG}}}{name}", written)
    parent.append(child)
    return child


def words(parent: Element, text: str, x: float, y: float, size: float, fill: str, **more: object) -> Element:
    """Add a line of text that begins at x, or ends or is centred there with ``text_anchor``."""
    line = mark(parent, "text", x=x, y=y, font_size=size, fill=fill, **more)
    line.text = _clean(text)
    return line


def formula(parent: Element, tex: str, x: float, baseline: float, size: float, fill: str) -> tuple[float, float]:
    """Add a formula as outlines, which need no font; return its width, and how far it reaches below the baseline."""
    drawing = ElementTree.fromstring(formula_drawing(tex).replace("currentColor", fill))
    left, top, width, height = map(float, drawing.get("viewBox", "0 0 0 0").split())
    factor = size / _FORMULA_SIZE
    group = mark(parent, "g", transform=f"translate({_n(x - left * factor)} {_n(baseline)}) scale({_n(factor)})")
    group.extend(list(drawing))
    return width * factor, (top + height) * factor


def formula_size(tex: str, size: float) -> tuple[float, float, float]:
    """The width of a formula, its height above the baseline and its depth below."""
    found = re.search(r'viewBox="([^"]+)"', formula_drawing(tex))
    _, top, width, height = map(float, found[1].split()) if found else (0.0, 0.0, 0.0, 0.0)
    factor = size / _FORMULA_SIZE
    return width * factor, -top * factor, (top + height) * factor


def hatching(x: float, y: float, width: float, height: float) -> str:
    """Draw the slanting lines over a hidden cell one by one: not every program knows patterns."""
    lines, offset = [], min(_HATCH, (width + height) / 3)
    place = offset
    while place < width + height:
        start = (x + min(place, width), y + max(0.0, place - width))
        end = (x + max(0.0, place - height), y + min(place, height))
        lines.append(f"M{_n(start[0])} {_n(start[1])}L{_n(end[0])} {_n(end[1])}")
        place += offset
    return "".join(lines)


def written(picture: Element) -> bytes:
    """Write the picture as a file."""
    content: bytes = ElementTree.tostring(picture, encoding="utf-8", xml_declaration=True)
    return content


def _n(value: object) -> str:
    """A number with at most two decimals; a text as it is."""
    return f"{round(value, 2):g}" if isinstance(value, float) else str(value)


def _clean(text: str) -> str:
    return _UNFIT.sub("\ufffd", text)
