"""The marks of a contrast: what the map says of each step where two scenarios are compared."""

from dataclasses import dataclass

from app.core.operations.numbers import show, show_size
from app.glossary import TOKENS
from app.language.words import Words
from app.sheet.comparison import Comparison, StepDifference
from app.sheet.labels import shape_of
from app.text.spelling import same_words


@dataclass(frozen=True, slots=True)
class StepMark:
    """The mark of a compared step on the map: ``=``, ``≠`` or the largest difference, and its meaning in words."""

    text: str
    meaning: str
    same: bool = False


def make_marks(comparison: Comparison, words: Words) -> dict[str, StepMark]:
    """A mark for every step of B, and for its sentence."""
    marks = {name: mark_of(comparison, step, words) for name, step in comparison.steps.items() if name in comparison.b.steps}
    if comparison.b.tokens:
        same = same_words(token.text for token in comparison.a.tokens) == same_words(token.text for token in comparison.b.tokens)
        marks[TOKENS] = _same(words) if same else StepMark("≠", words("compare.mark_tokens"))
    return marks


def mark_of(comparison: Comparison, step: StepDifference, words: Words) -> StepMark:
    """Make the mark of one step."""
    if step.state == "unchanged":
        return _same(words)
    if step.state == "only_in_b":
        return StepMark(words("compare.b"), words("compare.only_in_b"))
    if step.difference is None:
        shapes = {side: shape_of(run, step.name, words) for side, run in (("a", comparison.a), ("b", comparison.b))}
        return StepMark("≠", words("compare.other_shape", **shapes))
    if step.difference.at is None:
        return StepMark(show(float("-inf")), hidden_words(step, words))
    size = show_size(step.difference.largest)
    return StepMark(size, words("compare.rounding" if step.difference.is_rounding else "compare.mark_changed", size=size))


def hidden_words(step: StepDifference, words: Words) -> str:
    """How many cells are hidden on one side only; nothing where there are none."""
    own = step.difference
    return words("compare.hidden_cells", a=own.hidden_in_a, b=own.hidden_in_b) if own and own.hidden else ""


def _same(words: Words) -> StepMark:
    return StepMark("=", words("compare.unchanged"), True)
