"""Meaning space: the words as points before and after attention, what they are called, and their figure."""

from app.space.drawn import NAMED
from app.space.figure import make_space_figure
from app.space.gather import Space, Stage, Turn, has_space, last_step, make_space, read_turn
from app.space.naming import axis_titles, percent, short_titles, stage_name

__all__ = [
    "NAMED", "Space", "Stage", "Turn", "axis_titles", "has_space", "last_step", "make_space", "make_space_figure", "percent",
    "read_turn", "short_titles", "stage_name",
]  # fmt: skip
