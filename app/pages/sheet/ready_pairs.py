"""Ready pairs: what a teacher compares, each as a link with A pinned beside B."""

from dataclasses import dataclass, field
from functools import cache

from app.address.address import Address
from app.address.pin import write_pin
from app.language.words import words_of
from app.scenario.opening import NEWLY_DRAWN
from app.scenario.presets import sentence
from app.scenario.table import SCENARIO_FIELDS, group_of
from app.sheet.steps import write_query

Fields = dict[str, str]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two scenarios: the fields of A, of B and of both, and the step to look at.

    ``replaces``: all that the reader has stays but for these fields, where attention is plain. A pair that replaces
    nothing has sizes of its own, so only the sentence stays.
    """

    name: str
    at: str
    a: Fields = field(default_factory=dict)
    b: Fields = field(default_factory=dict)
    both: Fields = field(default_factory=dict)
    replaces: tuple[str, ...] = ()


def _of_group(group: str) -> tuple[str, ...]:
    return tuple(name for name in SCENARIO_FIELDS if group_of(name) == group)


_NO_SENTENCE_NEEDED = ("mask", "scale")
_ONE_HEAD = {"n_heads": "1"}
_TIED = {"w_q": "identity", "w_k": "identity"}

PAIRS = (
    Pair("mask", "weights", b={"mask": "causal"}, replaces=(*_of_group("mask"), "edits")),
    Pair("scale", "weights", a={"scale": "none"}, replaces=("scale", "edits")),
    Pair("sinusoidal", "weights", b={"position": "sinusoidal"}, replaces=(*_of_group("position"), "edits")),
    Pair("rope", "weights", b={"position": "rope"}, both={"d_model": "8", **_ONE_HEAD}),
    Pair("tied", "scores", a=_TIED, both=_ONE_HEAD),
    Pair("heads", "out", a=_ONE_HEAD, b={"n_heads": "4"}, both={"d_model": "8"}),
)
"""Pairs on the reader's own sentence, in the order of the menu."""


@dataclass(frozen=True, slots=True)
class PairLink:
    """A pair in the menu: its key in the catalogues (``pair.<name>``) and where it leads."""

    name: str
    address: Address


def ready_pairs(query: str, lang: str) -> list[PairLink]:
    """All pairs as links; ``query`` is the reader's, from which the sentence is kept and, where the pair allows, the rest."""
    given = dict(part.split("=", 1) for part in query.split("&"))
    return [*(PairLink(pair.name, _link(pair, given, lang)) for pair in PAIRS), PairLink("sentences", _sentences(lang))]


def _link(pair: Pair, given: Fields, lang: str) -> Address:
    kept = {name: text for name, text in given.items() if _stays(pair, name, given)}
    ending = _ending(pair)
    sentences = [] if kept.keys() & {"text", "x", "q"} else [_sentence(lang)]
    if sentences:
        kept.pop(NEWLY_DRAWN[0], None)
    own = [ending.query] if ending.query else []
    return Address("&".join([*sentences, *(f"{name}={text}" for name, text in kept.items()), *own]), ending.fields)


def _stays(pair: Pair, name: str, given: Fields) -> bool:
    if not _keeps_all(pair, given):
        return name in ("text", "split", "seed", NEWLY_DRAWN[0])
    return name not in pair.replaces


def _keeps_all(pair: Pair, given: Fields) -> bool:
    """True where the pair fits all other choices of the reader: plain attention of a sentence with itself, or of vectors."""
    if not pair.replaces or given.keys() & {"mechanism", "text_k"}:
        return False
    return "q" not in given or pair.name in _NO_SENTENCE_NEEDED


@cache
def _sentence(lang: str) -> str:
    return write_query([("text", sentence(lang)), NEWLY_DRAWN])


@cache
def _endings() -> dict[str, Address]:
    return {pair.name: _write(pair) for pair in PAIRS}


def _ending(pair: Pair) -> Address:
    return _endings()[pair.name]


def _write(pair: Pair) -> Address:
    """What a pair says of itself, whatever the reader has."""
    pin = write_pin(list(pair.a.items()), list(pair.b.items()))
    return Address.of([*pair.both.items(), *pair.b.items()], pin=pin, at=pair.at)


@cache
def _sentences(lang: str) -> Address:
    """One word in two sentences, with the same learned matrices."""
    a, b = words_of(lang)("example.pair_a"), words_of(lang)("example.pair_b")
    return Address.of([("text", b), NEWLY_DRAWN], pin=write_pin([("text", a)], [("text", b)]), at="out")
