"""Trace: the namespace in which attention is written, and the record of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from app.core.operations import ops
from app.core.operations.explain import Index, inside
from app.core.record.array import Array, apply
from app.core.record.explanation import Explanation, explain

Edits = Mapping[str, Mapping[Index, float]]


class BadEdit(ValueError):
    """An edit that names a step or a cell that is not there."""

    def __init__(self, step: str, index: Index | None, shape: tuple[int, ...] | None) -> None:
        super().__init__(f"no cell {step}{list(index or ())}")
        self.step, self.index, self.shape = step, index, shape


class TooManySteps(ValueError):
    """More steps than a record may hold. ``most``: how many it may."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most} steps")
        self.most = most


class Trace:
    """A record of named arrays in the order in which they were computed.

    ``t.scores = t.q @ t.k.T`` computes, names and records in one line. A name is given once.
    Where ``edits`` holds cells of a name, they are replaced as the name is given, and all that follows uses them.
    A record with ``most`` ends there: the next name raises TooManySteps, before anything is made of it.
    """

    def __init__(self, edits: Edits | None = None, most: int | None = None) -> None:
        object.__setattr__(self, "_arrays", {})
        object.__setattr__(self, "_edits", dict(edits or {}))
        object.__setattr__(self, "_prefix", "")
        object.__setattr__(self, "_most", most)

    _arrays: dict[str, Array]
    _edits: dict[str, Mapping[Index, float]]
    _prefix: str
    _most: int | None

    def part(self, name: str, *shared: str) -> Trace:
        """A trace inside this one: what it names ``scores`` is recorded here as ``layer.0.scores``, for a part ``layer.0``.

        The ``shared`` quantities of this trace, such as a learned table, are read there by their own names, where there are any.
        """
        inner = Trace(most=self._most)
        object.__setattr__(inner, "_arrays", self._arrays)
        object.__setattr__(inner, "_edits", self._edits)
        object.__setattr__(inner, "_prefix", f"{self._prefix}{name}.")
        inner.__dict__.update({known: self.__dict__[known] for known in shared if known in self.__dict__})
        return inner

    def __setattr__(self, name: str, array: Array) -> None:
        full = self._prefix + name
        if full in self._arrays:
            raise ValueError(f"{full} has a value already: a quantity is named once")
        if self._most is not None and len(self._arrays) >= self._most:
            raise TooManySteps(self._most)
        if full in self._edits:
            array = self._edited(full, array)
        array.name = full
        array.value.setflags(write=False)
        self._arrays[full] = self.__dict__[name] = array

    def __getattr__(self, name: str) -> Array:
        raise AttributeError(f"nothing is called {name} yet")

    def __getitem__(self, name: str) -> Array:
        return self._arrays[name]

    def __contains__(self, name: object) -> bool:
        return name in self._arrays

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def _edited(self, name: str, array: Array) -> Array:
        cells = self._edits[name]
        for index in cells:
            if not inside(index, array.shape):
                raise BadEdit(name, index, array.shape)
        edited = apply(ops.Edit(tuple(cells.items())), array)
        edited.kind = array.kind
        return edited

    def finish(self) -> None:
        """Say that all is computed. Errors: BadEdit for an edit whose name never came."""
        for name in self._edits:
            if name not in self._arrays:
                raise BadEdit(name, None, None)

    def explain(self, name: str, index: Index) -> Explanation:
        """Write out the arithmetic of one cell. Errors: KeyError for the name, IndexError for the cell."""
        return explain(self._arrays[name], index)

    def inputs(self, name: str) -> list[str]:
        """The names that feed a name, nameless steps between them looked through."""
        return list(dict.fromkeys(_named_inputs(self._arrays[name])))

    def edited(self, name: str) -> frozenset[Index]:
        """The cells of a name that were replaced by hand."""
        return frozenset(self._edits.get(name, {}))


def _named_inputs(array: Array) -> Iterator[str]:
    for source in array.inputs:
        if source.name:
            yield source.name
        else:
            yield from _named_inputs(source)
