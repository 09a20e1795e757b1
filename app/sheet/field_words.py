"""What a field is called, what it does, and what it is in a run, in words."""

from dataclasses import fields
from functools import cache

from app.language.words import Words
from app.run.assemble import d_ff_of, top_k_of
from app.run.run import Run
from app.scenario import notation
from app.scenario.sizes import Sizes
from app.scenario.table import SCENARIO_FIELDS, bounds, choices_of, notation_of, write_field


def is_number(name: str) -> bool:
    """True for a field that holds one whole number within bounds."""
    return notation_of(name) is notation.WHOLE


def field_help(name: str, words: Words) -> str:
    """One sentence on what a field does, with its bounds where it has them."""
    return words(f"field.{name}.help", **(bounds(name) if is_number(name) else {}))


@cache
def default_of(name: str) -> str:
    """The option that a list of choices shows where nothing was chosen; empty for other fields."""
    default = SCENARIO_FIELDS[name].default
    return "none" if name == "mask" else write_field(name, default) if choices_of(name) else ""


def applies(run: Run, name: str) -> str:
    """The value that applies where nothing is typed."""
    if name in _SIZES:
        return str(getattr(run.sizes, name))
    if name in ("d_ff", "top_k"):
        return str(d_ff_of(run.scenario, run.sizes) if name == "d_ff" else top_k_of(run.scenario))
    return _usual(name)


_SIZES = frozenset(field.name for field in fields(Sizes))


@cache
def _usual(name: str) -> str:
    return write_field(name, SCENARIO_FIELDS[name].default)


def said_value(run: Run, name: str, words: Words) -> str:
    """The value of a field in words: a choice by its name, else as it is written; what was not given, as it applies."""
    text = write_field(name, getattr(run.requested, name)) or default_of(name) or applies(run, name)
    key = f"choice.{text}"
    return words(key) if key in words else text or words("choice.none")
