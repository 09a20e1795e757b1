"""The meaning space as a picture: the figure of the page, as it was made for Plotly, drawn in plain SVG."""

import html
import math
from xml.etree.ElementTree import Element

from app.core.operations.numbers import show
from app.drawing.space import ROOM, Figure, step_of
from app.drawing.theme import THEMES
from app.exports.svg.layout import Block
from app.exports.svg.marks import mark, words
from app.exports.svg.points import ABOVE, LEFT, Paper, draw_arrow, draw_lines, draw_name, draw_points, draw_symbol, path_of
from app.text.widths import ems

_BELOW, _SMALL = 56.0, 12.0


def space_block(figure: Figure, theme: str) -> Block:
    """Draw the points, the arrows between them, and the axes."""
    layout, page = figure["layout"], THEMES[theme].page

    def draw(parent: Element, x: float, y: float) -> None:
        paper = Paper(layout, x, y)
        _legend(parent, figure["data"], x + LEFT, y + 16, page["ink"])
        if layout["xaxis"].get("visible", True):
            _axes(parent, paper, layout, page)
        lines = [trace for trace in figure["data"] if trace["mode"] == "lines"]
        for trace in lines:
            draw_lines(parent, paper, trace)
        for annotation in layout["annotations"]:
            (draw_arrow if annotation["showarrow"] else draw_name)(parent, paper, annotation)
        for trace in figure["data"]:
            if trace not in lines:
                draw_points(parent, paper, trace)

    return Block(LEFT + ROOM[0] + 40, ABOVE + Paper(layout, 0, 0).size[1] + _BELOW, draw)


def _axes(parent: Element, paper: Paper, layout: Figure, page: dict[str, str]) -> None:
    """Draw a line for each round number, the line through zero stronger; numbers and titles beside them."""
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
    mark(parent, "path", d=path_of(ends), stroke=colour, stroke_width=width)


def _legend(parent: Element, traces: list[Figure], x: float, y: float, ink: str) -> None:
    """Draw the legend of the symbols."""
    for trace in traces:
        if "marker" not in trace:
            continue
        marker = trace["marker"]
        draw_symbol(parent, marker["symbol"], x + 6, y - 5, 5.5, marker["color"], 2.0)
        words(parent, trace["name"], x + 20, y, 13.0, ink)
        x += 20 + 13.0 * 1.06 * ems(trace["name"]) + 24
