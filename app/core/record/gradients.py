"""How a number moves other numbers: backpropagation over the record, and the same slopes one step forwards.

The chain rule is all there is to it. If y grows by 3 for each 1 that x grows, and the last number by 5 for each 1 that y
grows, it grows by 15 for x. Where a number is used twice, its two shares are added up.
"""

from collections.abc import Iterator

import numpy as np

from app.core.operations.explain import Index, inside
from app.core.operations.operation import NotFinite, Values
from app.core.record.array import Array
from app.core.record.trace import Trace


@np.errstate(all="ignore")  # what is no number is refused at the end
def gradients(trace: Trace, name: str, index: Index) -> dict[str, Values]:
    """How much one cell grows when any number before it grows by 1, as fast as it grows now: one array a name.

    The cell itself grows by 1 with itself. A name that is missing has no influence, or only chooses, as a mask does.
    Edited cells are numbers of their own: they count, and what they were made from does not.
    Errors: KeyError for the name, IndexError for the cell, NotFinite where a slope is too large.
    Source: Rumelhart, Hinton & Williams 1986; over a record of operations: Linnainmaa 1970.
    """
    end = trace[name]
    slopes = {end: only(end, index)}
    for array in _backwards(end):
        if array.operation is None or array not in slopes:
            continue
        shares = array.operation.gradient([source.value for source in array.inputs], array.value, slopes[array])
        for source, share in zip(array.inputs, shares, strict=True):
            if share is not None:
                slopes[source] = slopes[source] + share if source in slopes else share
    return _finite({name: slopes[trace[name]] for name in trace if trace[name] in slopes})


def leads_to(trace: Trace, name: str) -> frozenset[str]:
    """The names that a name is made from in the end, those that only choose among them, and the name itself."""
    return frozenset(array.name for array in _backwards(trace[name]) if array.name)


def _backwards(end: Array) -> Iterator[Array]:
    """All that leads to an array, every result before what it is made from."""
    made: list[Array] = []
    seen: set[Array] = set()
    waiting = [(end, False)]
    while waiting:
        array, is_ready = waiting.pop()
        if is_ready:
            made.append(array)
        elif array not in seen:
            seen.add(array)
            waiting.append((array, True))
            waiting += [(source, False) for source in array.inputs]
    return reversed(made)


@np.errstate(all="ignore")
def pushed(user: Array, step: Array, index: Index) -> Values | None:
    """How much every cell of a step grows when one cell of a step that it reads grows by 1, all other steps held.

    None where the cell only chooses (a bit of a mask, a place in a table). Shapes: as ``user``.
    Errors: IndexError for the cell, NotFinite where a slope is too large.
    """
    grown = _grown(user, {step: only(step, index)})
    return None if grown is None else _finite({"": grown})[""]


def _grown(array: Array, known: dict[Array, Values | None]) -> Values | None:
    """The changes that reach an array through nameless ones; ``known`` remembers each one's."""
    total: Values | None = None
    for place, source in enumerate(array.inputs):
        if source not in known:
            known[source] = None if source.name else _grown(source, known)
        change = known[source]
        if change is None or array.operation is None or place in array.operation.switches:
            continue
        part = array.operation.push([other.value for other in array.inputs], array.value, place, change)
        total = part if total is None else total + part
    return total


def only(array: Array, index: Index) -> Values:
    """1 at one cell, 0 at all others. Errors: IndexError where the cell does not exist."""
    if not inside(index, array.shape):
        raise IndexError(f"no cell {list(index)} in an array of shape {list(array.shape)}")
    one = np.zeros(array.shape)
    one[index] = 1
    return one


def _finite(slopes: dict[str, Values]) -> dict[str, Values]:
    for name, values in slopes.items():
        if not np.isfinite(values).all():
            raise NotFinite(f"{name}: a slope is too large to be a number")
    return slopes
