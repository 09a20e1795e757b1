"""Marks: what a field of the scenario says beside its type: its group on the page, its notation, and when it has a part."""

from dataclasses import dataclass
from typing import Any

from pydantic import Field

from app.core.masks import masks_with
from app.core.positions import positions_with
from app.scenario import notation
from app.scenario.field_types import write_default


@dataclass(frozen=True, slots=True)
class Group:
    """Where a control stands on the page."""

    name: str


@dataclass(frozen=True, slots=True)
class Only:
    """A field that is used only where another field has one of these values."""

    name: str
    values: tuple[str, ...]


def count(low: int, high: int, group: str, *more: Only) -> tuple[Any, ...]:
    """Mark a whole number between two bounds."""
    return (Field(ge=low, le=high), notation.WHOLE, Group(group), *more)


def choice(group: str, *more: Only) -> tuple[Any, ...]:
    """Mark a field that is one of a few words."""
    return (notation.TEXT, Group(group), *more)


def yes_no(group: str, *more: Only) -> tuple[Any, ...]:
    """Mark a field that is on or off."""
    return (Field(json_schema_extra=write_default), notation.YES_NO, Group(group), *more)


def mask_with(option: str) -> Only:
    """The masks that have a part for an option."""
    return Only("mask", masks_with(option))


def position_with(option: str) -> Only:
    """The positions that have a part for an option."""
    return Only("position", positions_with(option))


MATRIX = (notation.MATRIX, Group("matrices"))
LEARNED = (notation.LEARNED, Group("matrices"))
LABELS = (notation.LABELS, Group("matrices"))

PLAIN = Only("mechanism", ("attention",))
SHARED = Only("mechanism", ("attention", "cached"))
READS = Only("mechanism", ("attention", "tiled", "linear", "cached"))
LAYERED = Only("n_layers", ("1", "2", "3", "4"))
EXPERTS = Only("n_experts", tuple(map(str, range(1, 9))))
STATES, FIXED = Only("mechanism", ("state_space",)), Only("selective", ("no",))
