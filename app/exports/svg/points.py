"""What stands in a picture of the meaning space: points with their words, the ways and arrows between them."""

import html
import math
import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from app.drawing.space import ROOM, Figure
from app.exports.svg.marks import mark, words

LEFT, ABOVE = 76.0, 44.0
"""The room beside the points and above them."""
_CLOSE = 5.0
_CORNERS = {"diamond": (4, 0.0), "square": (4, math.pi / 4), "triangle-up": (3, 0.0), "pentagon": (5, 0.0)}
"""How many corners a symbol has, and how far it is turned."""
_ANCHORS = {"left": ("end", -1), "center": ("middle", 0), "right": ("start", 1)}


class Paper:
    """The mapping from the coordinates of a figure to pixels of the picture."""

    def __init__(self, layout: Figure, x: float, y: float) -> None:
        self.across, self.upward = layout["xaxis"]["range"], layout["yaxis"]["range"]
        spans = [high - low for low, high in (self.across, self.upward)]
        scales = [size / span for size, span in zip(ROOM, spans, strict=True)]
        if "scaleanchor" in layout["yaxis"]:
            scales = [min(scales)] * 2
        self.scales, self.size = scales, [scale * span for scale, span in zip(scales, spans, strict=True)]
        self.left, self.top = x + LEFT + (ROOM[0] - self.size[0]) / 2, y + ABOVE
        self.bottom = self.top + self.size[1]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point in pixels."""
        return self.left + (x - self.across[0]) * self.scales[0], self.bottom - (y - self.upward[0]) * self.scales[1]


def path_of(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)


def draw_lines(parent: Element, paper: Paper, trace: Figure) -> None:
    """Draw a line in stretches; where it breaks off there is no number."""
    line = trace["line"]
    stretches: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(trace["x"], trace["y"], strict=True):
        if x is None:
            stretches.append([])
        else:
            stretches[-1].append(paper.at(x, y))
    dash = {"stroke_dasharray": "2 4"} if line["dash"] == "dot" else {}
    drawn = "".join(path_of(points) for points in stretches if points)
    mark(parent, "path", d=drawn, stroke=line["color"], stroke_width=float(line["width"]), fill="none", **dash)


def draw_points(parent: Element, paper: Paper, trace: Figure) -> None:
    """Draw symbols with words beside them; the numbers of an axis are words alone."""
    marker, count = trace.get("marker"), len(trace["x"])
    written = _written(trace, count)
    for place, (text, position, size, weight) in enumerate(written):
        x, y = paper.at(trace["x"][place], trace["y"][place])
        radius = marker["size"][place] / 2 if marker else 0.0
        if marker:
            symbol = draw_symbol(parent, marker["symbol"], x, y, radius, marker["color"], marker["line"]["width"][place])
            symbol.set("data-cell", trace["customdata"][place])
            mark(symbol, "title").text = _unmarked(trace["hovertext"][place])
        if text:
            _beside(parent, text, position, (x, y, radius), size, trace["textfont"]["color"], weight)


def _unmarked(text: str) -> str:
    """What a point says under the pointer, in a line without marks."""
    return html.unescape(re.sub(r"<[^>]*>", " ", text)).replace("  ", " ").strip()


def _written(trace: Figure, count: int) -> Iterator[tuple[str, str, float, int]]:
    """For each point its word, the side it stands on, its size and weight."""
    font = trace.get("textfont", {})
    sizes, weights = (_each(font.get(name, usual), count) for name, usual in (("size", 14), ("weight", 400)))
    texts, sides = trace.get("text", [""] * count), trace.get("textposition", ["top center"] * count)
    for text, side, size, weight in zip(texts, sides, sizes, weights, strict=True):
        yield html.unescape(text), side, float(size), weight


def _each(value: Any, count: int) -> list[Any]:
    return value if isinstance(value, list) else [value] * count


def _beside(
    parent: Element, text: str, position: str, point: tuple[float, float, float], size: float, colour: str, weight: int
) -> None:
    x, y, radius = point
    upright, level = position.split()
    anchor, side = _ANCHORS[level]
    away = radius + _CLOSE if radius else 0.0
    below = {"top": -away, "middle": size * 0.36, "bottom": away + size * 0.8}[upright]
    bold = {"font_weight": "bold"} if weight > 400 else {}
    words(parent, text, x + side * away, y + below, size, colour, text_anchor=anchor, **bold)


def draw_symbol(parent: Element, name: str, x: float, y: float, radius: float, colour: str, width: float) -> Element:
    shape, fill = name.removesuffix("-open"), "none" if name.endswith("-open") else colour
    drawn = {"fill": fill, "stroke": colour, "stroke_width": float(width)}
    if shape == "circle":
        return mark(parent, "circle", cx=x, cy=y, r=radius, **drawn)
    corners, turned = _CORNERS[shape]
    angles = [turned + 2 * math.pi * corner / corners for corner in range(corners)]
    around = [(x + 1.15 * radius * math.sin(angle), y - 1.15 * radius * math.cos(angle)) for angle in angles]
    return mark(parent, "path", d=path_of(around) + "z", **drawn)


def draw_arrow(parent: Element, paper: Paper, arrow: Figure) -> None:
    """Draw an arrow from one point to another, not quite touching either."""
    (x0, y0), (x1, y1) = paper.at(arrow["ax"], arrow["ay"]), paper.at(arrow["x"], arrow["y"])
    length, width, gap = math.hypot(x1 - x0, y1 - y0), float(arrow["arrowwidth"]), float(arrow["standoff"])
    if length <= 2 * gap:
        return
    right, down = (x1 - x0) / length, (y1 - y0) / length
    head, half = 6 + 2.2 * width, 2.5 + 1.1 * width
    tip, base = (x1 - right * gap, y1 - down * gap), (x1 - right * (gap + head), y1 - down * (gap + head))
    start = (x0 + right * gap, y0 + down * gap)
    if length > 2 * gap + head:
        mark(parent, "path", d=path_of([start, base]), stroke=arrow["arrowcolor"], stroke_width=width)
    wings = [(base[0] - sign * down * half, base[1] + sign * right * half) for sign in (1, -1)]
    mark(parent, "path", d=path_of([tip, *wings]) + "z", fill=arrow["arrowcolor"])


def draw_name(parent: Element, paper: Paper, name: Figure) -> None:
    """Write the name of an axis at its end."""
    x, y = paper.at(name["x"], name["y"])
    font = name["font"]
    words(
        parent, html.unescape(name["text"]), x, y - name["yshift"] + 4, float(font["size"]), font["color"], text_anchor="middle"
    )
