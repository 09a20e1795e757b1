"""Contrast: what the page shows where a scenario A is pinned beside the present one, B."""

from dataclasses import dataclass

from app.address.address import Address
from app.address.pin import write_pin
from app.core.operations.explain import Index
from app.core.operations.numbers import show
from app.drawing.comparison_grids import PlainTable, contrast_fits, make_contrast_picture, make_legends, make_tables
from app.drawing.comparison_marks import StepMark, make_marks
from app.drawing.comparison_sides import Side, say_change, sides_of
from app.drawing.comparison_words import Differing, differing_fields, summary
from app.drawing.picture import Legend, Picture
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import Place, reference
from app.sheet.comparison import Comparison, compare
from app.sheet.slopes import Influence
from app.sheet.steps import write_query
from app.sheet.why import make_why


@dataclass(frozen=True, slots=True)
class WhySides:
    """The chosen cell in A and in B, their difference, and A's arithmetic."""

    a: str
    b: str
    change: str
    expression: str


@dataclass(frozen=True, slots=True)
class Contrast:
    """A and B: what was changed, what came of it, and the present step of both."""

    pin: str
    pinned: str
    """A's whole query."""
    swapped: Address
    """A in B's place, and B pinned beside it."""
    differing: list[Differing]
    more: int
    counts: str
    only_in_a: list[str]
    marks: dict[str, StepMark]
    summary: list[str]
    largest_at: str
    """The cell with the largest difference, as it is written in a URL."""
    same: bool
    sides: list[Side]
    picture: Picture | None
    tables: list[PlainTable]
    shared: Legend | None
    own: Legend | None
    why: WhySides | None


def make_contrast(a: Run, b: Run, place: Place, words: Words, influence: Influence | None = None) -> Contrast:
    """Compare two runs and draw the present step of both."""
    found = compare(a, b)
    step = place.step if place.step in b.steps else ""
    drawn = bool(step) and not place.all_heads and contrast_fits(found, step)
    head = place.index[0] if not place.all_heads and len(place.index) > 2 else None
    shared, own = make_legends(found, step) if step else (None, None)
    differing, more = differing_fields(found, words)
    return Contrast(
        pin=write_pin(a.query, b.query),
        pinned=write_query(a.query),
        swapped=Address.of(a.query, pin=write_pin(b.query, a.query)),
        differing=differing,
        more=more,
        counts=_counts(found, words),
        only_in_a=[step.name for step in found.steps.values() if step.state == "only_in_a"],
        marks=make_marks(found, words),
        summary=summary(found, found.steps[step], words) if step else [],
        largest_at=_largest_at(found, step),
        same=bool(step) and found.steps[step].state == "unchanged",
        sides=sides_of(found, step) if step else [],
        picture=make_contrast_picture(found, step, place.index, words, influence) if drawn else None,
        tables=make_tables(found, step, head, words) if step and not drawn else [],
        shared=shared,
        own=own,
        why=_why(found, step, place.index, words) if step else None,
    )


def _counts(comparison: Comparison, words: Words) -> str:
    """Count the steps that change, that stay, and that cannot be compared."""
    states = [step.state for step in comparison.steps.values()]
    changed, same = states.count("changed"), states.count("unchanged")
    others = len(states) - changed - same
    text = words("compare.counts", changed=changed, same=same)
    return text + (words("compare.others", others=others) if others else "")


def _largest_at(comparison: Comparison, step: str) -> str:
    own = comparison.steps[step].difference if step else None
    return reference(step, own.at) if own and own.at else ""


def _why(comparison: Comparison, step: str, index: Index, words: Words) -> WhySides | None:
    own = comparison.steps[step].difference
    if own is None:
        return None
    why = make_why(comparison.a, step, index, words)
    b = show(comparison.b.number(step, index))
    return WhySides(why.text, b, say_change(float(own.values[index]), words), why.expression if why.terms else why.note)
