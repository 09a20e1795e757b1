"""Small drawings: the dials that rotary positions turn, and which query head reads which key/value head."""

import math
from dataclasses import dataclass

from app.core.measures.cost import readers
from app.core.operations.numbers import show
from app.core.record.array import Array
from app.core.rotary import Rotate
from app.glossary import entry_of
from app.run.run import Run
from app.sheet.cells import Place
from app.sheet.steps import core_of


@dataclass(frozen=True, slots=True)
class Dial:
    """The dial of one rotated pair: its two components, its angle, and where the hand points (circle of radius 1)."""

    pair: str
    angle: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Sharing:
    """Query heads above, key/value heads below, and a line from each reader to what it reads."""

    width: float
    queries: list[tuple[float, str]]
    keys: list[tuple[float, str]]
    lines: list[tuple[float, float]]


_SLOT = 64.0


def make_dials(run: Run, place: Place) -> list[Dial]:
    """Make the dials of the chosen word, one for each rotated pair; none where nothing is rotated."""
    if not entry_of(place.step).rotary:
        return []
    chosen = core_of(run.array(place.step))
    turned = chosen if isinstance(chosen.operation, Rotate) else _turned_by(run, place.step)
    if turned is None or not isinstance(turn := turned.operation, Rotate):
        return []
    angles = (turned.inputs[1].value if turned is chosen else run.values(place.step))[place.index[-2]]
    pairs = zip(*turn.columns(2 * len(angles)), angles, strict=True)
    return [_dial(int(first), int(second), float(angle)) for first, second, angle in pairs]


def _turned_by(run: Run, angles: str) -> Array | None:
    """What is turned by these angles; None where nothing is."""
    reading = (core_of(run.array(name)) for name in run.steps if angles in run.inputs(name))
    return next((array for array in reading if isinstance(array.operation, Rotate)), None)


def _dial(first: int, second: int, angle: float) -> Dial:
    return Dial(f"{first + 1}, {second + 1}", f"{show(math.degrees(angle), 1)}°", math.cos(angle), -math.sin(angle))


def make_sharing(run: Run) -> Sharing | None:
    """Draw which query heads read which key/value head; None where each has one of its own."""
    sizes = run.sizes
    if sizes.n_kv_heads == sizes.n_heads:
        return None
    queries = [(_SLOT * (head + 0.5), str(head + 1)) for head in range(sizes.n_heads)]
    keys, lines = [], []
    for head, asking in enumerate(readers(sizes.n_heads, sizes.n_kv_heads)):
        x = sum(queries[query][0] for query in asking) / len(asking)
        keys.append((x, str(head + 1)))
        lines += [(queries[query][0], x) for query in asking]
    return Sharing(_SLOT * sizes.n_heads, queries, keys, lines)
