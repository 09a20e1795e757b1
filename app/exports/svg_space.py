"""The meaning space as a picture: the figure of the page, as it was made for Plotly, drawn in plain SVG."""

import html
import math
import re
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from app.core.numbers import show
from app.exports.svg_layout import Block
from app.exports.svg_marks import mark, words
from app.space import ROOM, Figure, step_of
from app.text.widths import ems
from app.theme import THEMES

_LEFT, _ABOVE, _BELOW = 76.0, 44.0, 56.0
_SMALL, _CLOSE = 12.0, 5.0
_CORNERS = {"diamond": (4, 0.0), "square": (4, math.pi / 4), "triangle-up": (3, 0.0), "pentagon": (5, 0.0)}
"""How many corners a symbol has, and how far it is turned."""
_ANCHORS = {"left": ("end", -1), "center": ("middle", 0), "right": ("start", 1)}


class Paper:
    """Where the points of a figure stand in the picture."""

    def __init__(self, layout: Figure, x: float, y: float) -> None:
        self.across, self.upward = layout["xaxis"]["range"], layout["yaxis"]["range"]
        spans = [high - low for low, high in (self.across, self.upward)]
        scales = [size / span for size, span in zip(ROOM, spans, strict=True)]
        if "scaleanchor" in layout["yaxis"]:
            scales = [min(scales)] * 2
        self.scales, self.size = scales, [scale * span for scale, span in zip(scales, spans, strict=True)]
        self.left, self.top = x + _LEFT + (ROOM[0] - self.size[0]) / 2, y + _ABOVE
        self.bottom = self.top + self.size[1]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point in pixels."""
        return self.left + (x - self.across[0]) * self.scales[0], self.bottom - (y - self.upward[0]) * self.scales[1]


def space_block(figure: Figure, theme: str) -> Block:
    """The points, the arrows between them, and what they are measured on."""
    layout, page = figure["layout"], THEMES[theme].page

    def draw(parent: Element, x: float, y: float) -> None:
        paper = Paper(layout, x, y)
        _legend(parent, figure["data"], x + _LEFT, y + 16, page["ink"])
        if layout["xaxis"].get("visible", True):
            _axes(parent, paper, layout, page)
        lines = [trace for trace in figure["data"] if trace["mode"] == "lines"]
        for trace in lines:
            _lines(parent, paper, trace)
        for annotation in layout["annotations"]:
            (_arrow if annotation["showarrow"] else _name)(parent, paper, annotation)
        for trace in figure["data"]:
            if trace not in lines:
                _points(parent, paper, trace)

    return Block(_LEFT + ROOM[0] + 40, _ABOVE + Paper(layout, 0, 0).size[1] + _BELOW, draw)


def _axes(parent: Element, paper: Paper, layout: Figure, page: dict[str, str]) -> None:
    """A line for each round number, the line through zero stronger; numbers and titles beside them."""
    (low_x, high_x), (low_y, high_y) = paper.across, paper.upward
    for value, text in _ticks(layout["xaxis"]):
        _ruler(parent, [paper.at(value, low_y), paper.at(value, high_y)], value == 0, page)
        words(parent, text, paper.at(value, 0)[0], paper.bottom + 17, _SMALL, page["ink-soft"], text_anchor="middle")
    for value, text in _ticks(layout["yaxis"]):
        _ruler(parent, [paper.at(low_x, value), paper.at(high_x, value)], value == 0 and "ticktext" not in layout["yaxis"], page)
        words(parent, text, paper.left - 8, paper.at(0, value)[1] + 4, _SMALL, page["ink-soft"], text_anchor="end")
    middle_x, middle_y = paper.left + paper.size[0] / 2, paper.top + paper.size[1] / 2
    words(parent, _title(layout["xaxis"]), middle_x, paper.bottom + 40, 13.0, page["ink"], text_anchor="middle")
    turned = f"translate({paper.left - 46:g} {middle_y:g}) rotate(-90)"
    words(parent, _title(layout["yaxis"]), 0.0, 0.0, 13.0, page["ink"], text_anchor="middle", transform=turned)


def _ticks(axis: Figure) -> list[tuple[float, str]]:
    if "ticktext" in axis:
        return [(value, html.unescape(text)) for value, text in zip(axis["tickvals"], axis["ticktext"], strict=True)]
    low, high = axis["range"]
    step = step_of(high - low)
    return [(number * step, show(number * step)) for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _title(axis: Figure) -> str:
    return html.unescape((axis.get("title") or {}).get("text", ""))


def _ruler(parent: Element, ends: list[tuple[float, float]], strong: bool, page: dict[str, str]) -> None:
    colour, width = (page["line-strong"], 1.5) if strong else (page["line"], 1.0)
    mark(parent, "path", d=_path(ends), stroke=colour, stroke_width=width)


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points)


def _lines(parent: Element, paper: Paper, trace: Figure) -> None:
    """Stretches of a line; where it breaks off there is no number."""
    line = trace["line"]
    stretches: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(trace["x"], trace["y"], strict=True):
        if x is None:
            stretches.append([])
        else:
            stretches[-1].append(paper.at(x, y))
    dash = {"stroke_dasharray": "2 4"} if line["dash"] == "dot" else {}
    drawn = "".join(_path(points) for points in stretches if points)
    mark(parent, "path", d=drawn, stroke=line["color"], stroke_width=float(line["width"]), fill="none", **dash)


def _points(parent: Element, paper: Paper, trace: Figure) -> None:
    """Symbols with words beside them; the numbers of an axis are words alone."""
    marker, count = trace.get("marker"), len(trace["x"])
    written = _written(trace, count)
    for place, (text, position, size, weight) in enumerate(written):
        x, y = paper.at(trace["x"][place], trace["y"][place])
        radius = marker["size"][place] / 2 if marker else 0.0
        if marker:
            symbol = _symbol(parent, marker["symbol"], x, y, radius, marker["color"], marker["line"]["width"][place])
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


def _symbol(parent: Element, name: str, x: float, y: float, radius: float, colour: str, width: float) -> Element:
    shape, fill = name.removesuffix("-open"), "none" if name.endswith("-open") else colour
    drawn = {"fill": fill, "stroke": colour, "stroke_width": float(width)}
    if shape == "circle":
        return mark(parent, "circle", cx=x, cy=y, r=radius, **drawn)
    corners, turned = _CORNERS[shape]
    angles = [turned + 2 * math.pi * corner / corners for corner in range(corners)]
    around = [(x + 1.15 * radius * math.sin(angle), y - 1.15 * radius * math.cos(angle)) for angle in angles]
    return mark(parent, "path", d=_path(around) + "z", **drawn)


def _arrow(parent: Element, paper: Paper, arrow: Figure) -> None:
    """From one point to another, not quite touching either."""
    (x0, y0), (x1, y1) = paper.at(arrow["ax"], arrow["ay"]), paper.at(arrow["x"], arrow["y"])
    length, width, gap = math.hypot(x1 - x0, y1 - y0), float(arrow["arrowwidth"]), float(arrow["standoff"])
    if length <= 2 * gap:
        return
    right, down = (x1 - x0) / length, (y1 - y0) / length
    head, half = 6 + 2.2 * width, 2.5 + 1.1 * width
    tip, base = (x1 - right * gap, y1 - down * gap), (x1 - right * (gap + head), y1 - down * (gap + head))
    start = (x0 + right * gap, y0 + down * gap)
    if length > 2 * gap + head:
        mark(parent, "path", d=_path([start, base]), stroke=arrow["arrowcolor"], stroke_width=width)
    wings = [(base[0] - sign * down * half, base[1] + sign * right * half) for sign in (1, -1)]
    mark(parent, "path", d=_path([tip, *wings]) + "z", fill=arrow["arrowcolor"])


def _name(parent: Element, paper: Paper, name: Figure) -> None:
    """The name of an axis at its end."""
    x, y = paper.at(name["x"], name["y"])
    font = name["font"]
    words(
        parent, html.unescape(name["text"]), x, y - name["yshift"] + 4, float(font["size"]), font["color"], text_anchor="middle"
    )


def _legend(parent: Element, traces: list[Figure], x: float, y: float, ink: str) -> None:
    """What each symbol means."""
    for trace in traces:
        if "marker" not in trace:
            continue
        marker = trace["marker"]
        _symbol(parent, marker["symbol"], x + 6, y - 5, 5.5, marker["color"], 2.0)
        words(parent, trace["name"], x + 20, y, 13.0, ink)
        x += 20 + 13.0 * 1.06 * ems(trace["name"]) + 24
