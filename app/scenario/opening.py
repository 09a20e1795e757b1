"""The opening example: one small sentence whose numbers can all be checked in the head."""

from app.language.words import words_of

_VECTORS = ("1,2,0", "0,1,1", "2,0,1")
_MATRICES = [
    ("w_q", "0,0,1;0,1,0;1,0,0"),
    ("w_k", "0.8,-0.6,0.6;0.6,0.8,0.2;-0.6,2.2,-0.2"),
    ("w_v", "2,0.6,-0.2;0,2.2,0.6;0,-1.2,2.4"),
    ("w_o", "1,0,0;0,1,0;0,0,1"),
]


def opening(lang: str) -> list[tuple[str, str]]:
    """The fields of the opening example in the reader's language."""
    words = words_of(lang)
    named = words("example.opening_words").split()
    table = ";".join(f"{word}:{vector}" for word, vector in zip(named, _VECTORS, strict=True))
    return [("text", words("example.opening")), ("table", table), *_MATRICES]


WITHOUT_SIZES = {"mask", "allow", "scale", "normalizer", "position", "edits", "split"}


def with_opening(pairs: list[tuple[str, str]], lang: str) -> list[tuple[str, str]]:
    """Where no sentence and no vectors are asked for, the opening sentence; its numbers too, unless sizes are asked for."""
    names = {name for name, _ in pairs}
    if names & {"text", "x", "q", "k", "v"}:
        return pairs
    fields = opening(lang)
    return [*(fields if names <= WITHOUT_SIZES else fields[:1]), *pairs]
