"""The opening example: one small sentence whose numbers can all be checked in the head."""

from app.language.words import words_of
from app.text.vectors import NEWEST

_VECTORS = ("1,2,0", "0,1,1", "2,0,1")
_MATRICES = [
    ("w_q", "0,0,1;0,1,0;1,0,0"),
    ("w_k", "0.8,-0.6,0.6;0.6,0.8,0.2;-0.6,2.2,-0.2"),
    ("w_v", "2,0.6,-0.2;0,2.2,0.6;0,-1.2,2.4"),
    ("w_o", "1,0,0;0,1,0;0,0,1"),
]

NEWLY_DRAWN = ("toy", str(NEWEST))
"""The field with which this program begins a scenario of its own: toy numbers by the newest rule.

The field's default is the oldest rule, for links that were made before there was another. The form and every link that is
made from an example hold this field, so whatever is typed in the example's place is drawn by the newest rule.
"""


def opening(lang: str) -> list[tuple[str, str]]:
    """The fields of the opening example in the reader's language."""
    words = words_of(lang)
    named = words("example.opening_words").split()
    table = ";".join(f"{word}:{vector}" for word, vector in zip(named, _VECTORS, strict=True))
    return [("text", words("example.opening")), NEWLY_DRAWN, ("table", table), *_MATRICES]


WITHOUT_SIZES = {"mask", "allow", "scale", "normalizer", "position", "edits", "split"}


def with_opening(pairs: list[tuple[str, str]], lang: str) -> list[tuple[str, str]]:
    """Where no sentence and no vectors are asked for, the opening sentence; its numbers too, unless sizes are asked for."""
    names = {name for name, _ in pairs}
    if names & {"text", "x", "q", "k", "v"}:
        return pairs
    fields = opening(lang)
    return [*(fields if names <= WITHOUT_SIZES else fields[:1]), *pairs]
