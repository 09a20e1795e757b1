"""Arcs: from the chosen query word to the words it reads, as thick as the weight."""

from dataclasses import dataclass

from app.core.operations.numbers import show
from app.run.run import Run
from app.sheet.labels import weights_near
from app.text.tokens import shorten

_BASE = 96.0
_THICKEST = 11.0
_CHARACTERS = 14


@dataclass(frozen=True, slots=True)
class ArcWord:
    """A word under the arcs, where it stands, and its weight for the chosen query."""

    text: str
    x: float
    chosen: bool
    weight: str
    unread: bool


@dataclass(frozen=True, slots=True)
class Arcs:
    """The drawing: words, paths with their width, and the query word where it is not one of the keys."""

    width: float
    height: float
    words: list[ArcWord]
    paths: list[tuple[str, float]]
    query: str
    query_x: float


def make_arcs(run: Run, step: str, head: int, query: int) -> Arcs | None:
    """Draw the weights of one query in one head, those nearest to a step; None where there are no weights."""
    name = weights_near(run, step)
    if not name:
        return None
    weights = run.values(name)[head, query]
    slot = 150.0 if len(weights) <= 6 else 96.0
    places = [slot * (number + 0.5) for number in range(len(weights))]
    same = not run.assembled.tokens_k and run.names_q == run.names_k
    query_x = places[query] if same else sum(places) / len(places)
    words = [
        ArcWord(shorten(name, _CHARACTERS), x, same and key == query, show(float(weight)), float(weight) == 0)
        for key, (name, x, weight) in enumerate(zip(run.names_k, places, weights, strict=True))
    ]
    draw = _arc if same else _line
    paths = [(draw(query_x, x), _thickness(float(weight))) for x, weight in zip(places, weights, strict=True) if weight != 0]
    return Arcs(slot * len(weights), 160.0 if same else 240.0, words, paths, "" if same else run.names_q[query], query_x)


def _thickness(weight: float) -> float:
    return round(max(1.0, min(1.0, abs(weight)) * _THICKEST), 1)


def _arc(start: float, end: float) -> str:
    if start == end:
        return f"M{start - 12:.0f} {_BASE}C{start - 34:.0f} {_BASE - 56} {start + 34:.0f} {_BASE - 56} {start + 12:.0f} {_BASE}"
    top = _BASE - min(112.0, 40 + abs(end - start) * 0.22)
    return f"M{start:.0f} {_BASE}C{start:.0f} {top:.0f} {end:.0f} {top:.0f} {end:.0f} {_BASE}"


def _line(start: float, end: float) -> str:
    return f"M{start:.0f} 196C{start:.0f} 160 {end:.0f} 190 {end:.0f} {_BASE + 60}"
