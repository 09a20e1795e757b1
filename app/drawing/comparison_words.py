"""What can be said of two scenarios: the fields that differ, and what came of it."""

from dataclasses import dataclass

from app.core.operations.explain import Index
from app.core.operations.numbers import show
from app.drawing.comparison_marks import hidden_words, mark_of
from app.drawing.comparison_sides import say_change
from app.language.words import Words
from app.sheet.comparison import Comparison, FieldDifference, StepDifference
from app.sheet.field_words import said_value
from app.sheet.why import cell_name
from app.text.tokens import shorten

_FIELDS = 5
"""Fields that are said to differ; of the others only their number."""


_CHARACTERS = 28
"""Characters of a value that are shown; the whole value is in the tooltip."""


@dataclass(frozen=True, slots=True)
class Differing:
    """A field that differs, in words: its label, its value in A and in B, and both in full."""

    label: str
    a: str
    b: str
    whole: str


def differing_fields(comparison: Comparison, words: Words) -> tuple[list[Differing], int]:
    """The first fields that differ, in words, and how many more there are."""
    return [_differing(comparison, field, words) for field in comparison.fields[:_FIELDS]], max(
        0, len(comparison.fields) - _FIELDS
    )


def _differing(comparison: Comparison, field: FieldDifference, words: Words) -> Differing:
    a, b = (said_value(run, field.name, words) for run in (comparison.a, comparison.b))
    short = (shorten(a, _CHARACTERS), shorten(b, _CHARACTERS))
    return Differing(words(f"field.{field.name}.label"), *short, f"{a} → {b}" if short != (a, b) else "")


def summary(comparison: Comparison, step: StepDifference, words: Words) -> list[str]:
    """Sum up the present step in words: the same, the largest difference and where, or why there is none."""
    own = step.difference
    if own is None or own.is_none or own.is_rounding:
        return [mark_of(comparison, step, words).meaning]
    sentences = [hidden_words(step, words)] if own.hidden else []
    return [*([_largest(comparison, step.name, own.at, words)] if own.at else []), *sentences]


def _largest(comparison: Comparison, step: str, at: Index, words: Words) -> str:
    a, b = (show(run.number(step, at)) for run in (comparison.a, comparison.b))
    own = comparison.steps[step].difference
    change = say_change(float(own.values[at]), words) if own else ""
    return words("compare.largest", cell=cell_name(comparison.b, step, at, words), a=a, b=b, change=change)
