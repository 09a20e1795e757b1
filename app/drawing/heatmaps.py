"""Figures: a step as a Plotly figure, made as a plain dict."""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.core.operations.numbers import show
from app.drawing.picture import reach
from app.drawing.theme import THEMES, scale
from app.glossary import base_of, entry_of
from app.language.words import Words
from app.run.run import Run
from app.sheet.labels import axes_of, labels_of, lead_of
from app.sheet.slopes import HUE, Influence
from app.text.tokens import shorten

Figure = dict[str, Any]
_TICK = 14
"""Characters of a label that stand on the axis; the whole label is in the hover."""
_GAP = 0.06


@dataclass(frozen=True, slots=True)
class HeatmapData:
    """Data of one heatmap: title, values, labels, the end of the colour scale, and how a number is printed."""

    title: str
    values: Any
    labels: list[list[str]]
    most: float
    unit_range: bool
    hue: str
    say: Callable[[float], str]


def own_ink(run: Run, step: str, words: Words) -> HeatmapData:
    """Heatmap data of the numbers of a step, on a colour scale of their own."""
    entry, values = entry_of(step), run.values(step)
    labels, most = labels_of(run, step), reach(run, step)
    return HeatmapData(_title(step, words), values, labels, most, entry.unit_range, entry.hue, lambda value: say(value, words))


def slope_ink(run: Run, step: str, words: Words, influence: Influence) -> HeatmapData:
    """Heatmap data of the slopes of a chosen cell in the numbers of a step."""
    title = words("of.figure", cell=influence.ref, step=_title(step, words))
    values, most = influence.of_step(step), influence.reach(step)
    return HeatmapData(title, values, labels_of(run, step), most, False, HUE, lambda value: say(value, words))


def _title(step: str, words: Words) -> str:
    return f"{words(f'step.{base_of(step)}.title')} ({step})"


def say(value: float, words: Words) -> str:
    """Print a number in full, or the word for hidden."""
    return words("figure.hidden") if value == -np.inf else show(value, 6)


def make_figure(
    run: Run,
    step: str,
    words: Words,
    theme: str = "light",
    head: int | None = None,
    influence: Influence | None = None,
    ink: HeatmapData | None = None,
) -> Figure:
    """Draw a step as heatmaps: one head, or all heads as small multiples on one colour scale; or its slopes in the same way.

    ``ink``: what is drawn instead of the step's own numbers.
    """
    ink = ink or (slope_ink(run, step, words, influence) if influence else own_ink(run, step, words))
    values = ink.values
    values = values[None] if values.ndim == 1 else values
    matrices = values[None] if values.ndim == 2 else values if head is None else values[head : head + 1]
    first = 0 if head is None else head
    columns = min(len(matrices), 4) if len(matrices) > 1 else 1
    rows = math.ceil(len(matrices) / columns)
    figure: Figure = {"data": [], "layout": _layout(ink, theme, rows)}
    for place, matrix in enumerate(matrices):
        lead = [first + place] if values.ndim == 3 else []
        _add_panel(figure, run, step, words, ink, matrix, place, (rows, columns), lead, theme)
    return figure


def _layout(ink: HeatmapData, theme: str, rows: int) -> Figure:
    page = THEMES[theme].page
    return {
        "title": {"text": ink.title, "font": {"size": 15}},
        "paper_bgcolor": page["paper"],
        "plot_bgcolor": page["panel"],
        "font": {"color": page["ink"], "family": "system-ui, sans-serif"},
        "height": max(320, 90 + 290 * rows),
        "margin": {"l": 90, "r": 20, "t": 70, "b": 70},
        "annotations": [],
        "coloraxis": {
            "cmin": 0.0 if ink.unit_range else -ink.most,
            "cmax": ink.most,
            "colorscale": scale(theme, ink.hue, ink.unit_range),
            "colorbar": {"thickness": 12, "outlinewidth": 0},
        },
    }


def _add_panel(
    figure: Figure, run: Run, step: str, words: Words, ink: HeatmapData, matrix: Any, place: int, grid: tuple[int, int],
    lead: list[int], theme: str,
) -> None:  # fmt: skip
    """One heatmap with its own axes; cells without a number (hidden ones) are gaps over a grey ground."""
    mark = "" if place == 0 else str(place + 1)
    name = words(f"cell.{lead_of(step)}_title", head=lead[0] + 1) if lead and run.shape(step)[0] > 1 else ""
    row_axis, column_axis = ("one", *axes_of(run, step))[-2:]
    labels = [[""], *ink.labels][-2:]
    visible = np.isfinite(matrix)
    figure["data"].append(
        {
            "type": "heatmap",
            "z": [[float(v) if ok else None for v, ok in zip(*row, strict=True)] for row in zip(matrix, visible, strict=True)],
            "x": list(range(matrix.shape[1])),
            "y": list(range(matrix.shape[0])),
            "xaxis": f"x{mark}",
            "yaxis": f"y{mark}",
            "coloraxis": "coloraxis",
            "xgap": 1,
            "ygap": 1,
            "name": name,
            "meta": {"step": step, "lead": lead},
            "hoverinfo": "text",
            "hoverongaps": True,
            "text": _hover((words(f"axis.{row_axis}"), words(f"axis.{column_axis}")), ink, matrix, labels),
        }
    )
    horizontal, vertical = _domains(place, grid)
    figure["layout"][f"xaxis{mark}"] = _axis(labels[1], words(f"axis.{column_axis}"), horizontal, f"y{mark}", theme)
    figure["layout"][f"yaxis{mark}"] = {
        **_axis(labels[0], words(f"axis.{row_axis}"), vertical, f"x{mark}", theme),
        "autorange": "reversed",
    }
    if name:
        middle = sum(horizontal) / 2
        figure["layout"]["annotations"].append(
            {"text": name, "x": middle, "y": vertical[1], "xref": "paper", "yref": "paper", "yanchor": "bottom",
             "xanchor": "center", "showarrow": False}
        )  # fmt: skip


def _hover(axes: tuple[str, str], ink: HeatmapData, matrix: Any, labels: list[list[str]]) -> list[list[str]]:
    """For each cell the whole names of row and column, and the number or the word for hidden."""
    return [
        [
            f"{axes[0]}: {_escape(row)}<br>{axes[1]}: {_escape(column)}<br>{ink.say(float(value))}"
            for column, value in zip(labels[1], values, strict=True)
        ]
        for row, values in zip(labels[0], matrix, strict=True)
    ]


def _axis(labels: list[str], title: str, domain: list[float], anchor: str, theme: str) -> Figure:
    return {
        "type": "linear",
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": [_escape(shorten(label, _TICK)) for label in labels],
        "title": {"text": title, "standoff": 8},
        "domain": domain,
        "anchor": anchor,
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
        "ticks": "",
        "tickfont": {"size": 11 if len(labels) > 24 else 12},
        "linecolor": THEMES[theme].page["line"],
    }


def _domains(place: int, grid: tuple[int, int]) -> tuple[list[float], list[float]]:
    """The place of a panel in shares of the figure; the first panel is at the top left."""
    rows, columns = grid
    row, column = divmod(place, columns)
    width, height = (1 - _GAP * 1.6 * (columns - 1)) / columns, (1 - _GAP * 3 * (rows - 1)) / rows
    left, top = column * (width + _GAP * 1.6), 1 - row * (height + _GAP * 3)
    return [round(left, 4), round(min(1.0, left + width), 4)], [round(max(0.0, top - height), 4), round(top, 4)]


def _escape(label: str) -> str:
    """Escape a label, in which Plotly would read <b> as markup. (It reads $x$ only beside MathJax, which is never loaded.)"""
    return html.escape(label, quote=False)
