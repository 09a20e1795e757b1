"""Meaning space: the words as points before and after attention, what they are called, and their figure."""

from app.drawing.space.backdrop import step_of
from app.drawing.space.context import NAMED, Figure
from app.drawing.space.figure import ROOM, make_space_figure
from app.drawing.space.space import Space, SpaceStage, Turn, has_space, last_step, make_space, read_turn
from app.drawing.space.titles import axis_titles, percent, short_titles, stage_name

__all__ = [
    "NAMED", "ROOM", "Figure", "Space", "SpaceStage", "Turn", "axis_titles", "has_space", "last_step", "make_space",
    "make_space_figure", "percent", "read_turn", "short_titles", "stage_name", "step_of",
]  # fmt: skip
