"""The marks of a contrast: what the map says of each step where two scenarios are compared."""

from dataclasses import dataclass

from app.core.operations.numbers import show, show_size
from app.glossary import TOKENS
from app.language.words import Words
from app.sheet.comparison import Comparison, StepDifference
from app.sheet.labels import shape_of


@dataclass(frozen=True, slots=True)
class Mark:
    """A short sign, and what it means: ``=``, the largest difference, or why there is none."""

    text: str
    meaning: str
    same: bool = False


def make_marks(found: Comparison, words: Words) -> dict[str, Mark]:
    """A mark for every step of B, and for its sentence."""
    marks = {name: mark_of(found, step, words) for name, step in found.steps.items() if name in found.b.trace}
    if found.b.tokens:
        same = [token.text for token in found.a.tokens] == [token.text for token in found.b.tokens]
        marks[TOKENS] = _same(words) if same else Mark("≠", words("compare.mark_tokens"))
    return marks


def mark_of(found: Comparison, step: StepDifference, words: Words) -> Mark:
    """The mark of one step."""
    if step.state == "unchanged":
        return _same(words)
    if step.state == "only_in_b":
        return Mark(words("compare.b"), words("compare.only_in_b"))
    if step.difference is None:
        shapes = {side: shape_of(run, step.name, words) for side, run in (("a", found.a), ("b", found.b))}
        return Mark("≠", words("compare.other_shape", **shapes))
    if step.difference.at is None:
        return Mark(show(float("-inf")), hidden_words(step, words))
    size = show_size(step.difference.largest)
    return Mark(size, words("compare.rounding" if step.difference.is_rounding else "compare.mark_changed", size=size))


def hidden_words(step: StepDifference, words: Words) -> str:
    """How many cells are hidden on one side only; nothing where there are none."""
    own = step.difference
    return words("compare.hidden_cells", a=own.hidden_in_a, b=own.hidden_in_b) if own and own.hidden else ""


def _same(words: Words) -> Mark:
    return Mark("=", words("compare.unchanged"), True)
