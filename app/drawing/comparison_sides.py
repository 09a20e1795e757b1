"""The sides of a contrast: A, B and B − A of one step, as they are named, coloured and drawn. A and B share one colour scale."""

from typing import Literal, get_args

import numpy as np

from app.core.measures.difference import Difference
from app.core.operations.numbers import signed
from app.drawing.heatmaps import HeatmapData, own_ink
from app.drawing.picture import reach
from app.errors import refuse
from app.glossary import base_of, entry_of
from app.language.words import Words
from app.run.run import Run
from app.sheet.comparison import Comparison
from app.sheet.labels import labels_of

Side = Literal["a", "b", "difference"]
SIDES: tuple[Side, ...] = get_args(Side)


def run_of(comparison: Comparison, side: Side) -> Run:
    """The run that a side belongs to; a difference belongs to B."""
    return comparison.a if side == "a" else comparison.b


def sides_of(comparison: Comparison, step: str) -> list[Side]:
    """The sides that can be drawn of a step: the runs that have it, and their difference where both have one shape."""
    own = comparison.steps[step].difference
    return [side for side in SIDES if (own is not None if side == "difference" else step in run_of(comparison, side).steps)]


def shared_reach(comparison: Comparison, step: str) -> float:
    """The end of the colour scale that A and B share."""
    return max(reach(run, step) for run in (comparison.a, comparison.b) if step in run.steps)


def reach_of(difference: Difference) -> float:
    """The end of the colour scale of B − A."""
    return difference.largest or 1.0


def hue_of(step: str, side: Side) -> str:
    """The hue of a step; a difference of masks has a sign, for which the grey of masks has no colour."""
    hue = entry_of(step).hue
    return "x" if side == "difference" and hue == "mask" else hue


def say_change(value: float, words: Words) -> str:
    """Print a difference for a cell; where one side is hidden there is none, and that side is named."""
    if np.isinf(value):
        return words("compare.hidden_in_a" if value > 0 else "compare.hidden_in_b")
    return signed(value)


def joined_labels(comparison: Comparison, step: str) -> list[list[str]]:
    """The labels along each axis of a difference: one where A and B agree, else both."""
    ours, theirs = labels_of(comparison.a, step), labels_of(comparison.b, step)
    return [[_joined(*names) for names in zip(*axis, strict=True)] for axis in zip(ours, theirs, strict=True)]


def _joined(ours: str, theirs: str) -> str:
    return ours if ours == theirs else f"{ours} / {theirs}"


def side_ink(comparison: Comparison, step: str, side: Side, words: Words) -> HeatmapData:
    """Gather the heatmap data of one side. Errors: Refusal where there is no such side of the step."""
    title = f"{words(f'compare.{side}')}: {words(f'step.{base_of(step)}.name')}"
    if side != "difference":
        own = own_ink(run_of(comparison, side), step, words)
        return HeatmapData(title, own.values, own.labels, shared_reach(comparison, step), own.unit_range, own.hue, own.say)
    difference = comparison.steps[step].difference
    if difference is None:
        raise refuse("side", "side_shape", step=step)
    labels, most, hue = joined_labels(comparison, step), reach_of(difference), hue_of(step, side)
    return HeatmapData(title, difference.values, labels, most, False, hue, lambda value: say_change(value, words))


def read_side(text: str) -> Side:
    """Read the name of a side. Errors: Refusal."""
    for side in SIDES:
        if side == text:
            return side
    raise refuse("side", "not_choice", choices=", ".join(SIDES))


def head_in(comparison: Comparison, step: str, side: Side, head: int | None) -> int | None:
    """The head of a side that matches a head of B, where the side may have more heads or fewer."""
    if head is None or side != "a":
        return head
    return head * comparison.a.shape(step)[0] // comparison.b.shape(step)[0]
