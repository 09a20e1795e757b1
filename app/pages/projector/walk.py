"""Walk: where the keys of the projector lead from here, each as an address that says all of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.address.address import Address
from app.address.fields import Link
from app.address.looking import head_tabs, stops_of
from app.address.presentation import Presentation, find_place
from app.glossary import TOKENS, base_of
from app.language.words import LANGUAGES, Words
from app.run.run import Run
from app.sheet.cells import Place, reference

ZOOMS = (80, 90, 100, 115, 130, 150)
"""Sizes in hundredths that the + and − keys go through."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A dot of the progress bar: one step of the run."""

    number: int
    title: str
    href: str
    done: bool
    current: bool


class Walk:
    """The steps of a run, seen from one place."""

    def __init__(self, run: Run, presentation: Presentation, words: Words) -> None:
        self.run, self.w = run, words
        self.place = find_place(run, presentation)
        self.order = stops_of(run, space=False)
        self.at = self.order.index(self.place.step)
        zoom = presentation.projecting.zoom
        self.zoom = int(zoom) if zoom in map(str, ZOOMS) else 100
        self.carried = presentation.travelling(Link.SCREEN)
        self.screen = Address.of(run.query, view="projector", **self.carried)
        """The projector, wherever it opens."""

    def here(self, **changed: str) -> Address:
        """This place; with another language or size."""
        return self.screen.with_(**changed).with_(**self._fields(self.place))

    def _at(self, place: Place) -> str:
        return str(self.screen.with_(**self._fields(place)))

    def _fields(self, place: Place) -> dict[str, str]:
        """A place as fields of an address."""
        if place.step == TOKENS:
            return {"at": TOKENS, "cell": reference("x", (place.index[0], 0))}
        return {"cell": reference(place.step, place.index), **({"head": "all"} if place.all_heads else {})}

    def to_step(self, name: str, first: bool = False) -> str:
        """The address of a step, at what is looked at; or at the first number of the row."""
        whole = "all" if self.place.all_heads else ""
        place = find_place(self.run, Presentation.of(at=name, cell=self._fields(self.place)["cell"], head=whole))
        if first and name != TOKENS and not place.all_heads:
            place = Place(place.step, (*place.index[:-1], 0), False)
        return self._at(place)

    def links(self) -> dict[str, str]:
        """What the keys lead to; a key that leads nowhere is left out."""
        at, zoom = self.at, ZOOMS.index(self.zoom)
        found = {
            "previous": self.to_step(self.order[at - 1]) if at else "",
            "following": self.to_step(self.order[at + 1], first=True) if at + 1 < len(self.order) else "",
            "up": self._row(-1),
            "down": self._row(1),
            "number": self._next_number(),
            "head": self._next_head(),
            "language": str(self.here(lang=_after(LANGUAGES, self.w.lang))),
            "larger": str(self.here(zoom=str(ZOOMS[zoom + 1]))) if zoom + 1 < len(ZOOMS) else "",
            "smaller": str(self.here(zoom=str(ZOOMS[zoom - 1]))) if zoom else "",
            "sheet": str(self.here(view="")),
        }
        return {name: href for name, href in found.items() if href}

    def _row(self, down: int) -> str:
        """The address of the cell one row up or down in this column."""
        step, index = self.place.step, self.place.index
        shape = (len(self.run.tokens), 1) if step == TOKENS else self.run.shape(step)
        if len(shape) < 2 or not 0 <= index[-2] + down < shape[-2]:
            return ""
        return self._at(Place(step, (*index[:-2], index[-2] + down, index[-1]), self.place.all_heads))

    def _next_number(self) -> str:
        """The next cell along the row, then the next row: what the reveal key leads to without scripts."""
        if self.place.step == TOKENS or self.place.all_heads:
            return ""
        shape, index = self.run.shape(self.place.step), self.place.index
        if index[-1] + 1 < shape[-1]:
            return self._at(Place(self.place.step, (*index[:-1], index[-1] + 1), False))
        if len(index) > 1 and index[-2] + 1 < shape[-2]:
            return self._at(Place(self.place.step, (*index[:-2], index[-2] + 1, 0), False))
        return ""

    def _next_head(self) -> str:
        tabs = head_tabs(self.run, self.place, self.w)
        if not tabs:
            return ""
        following = 0 if self.place.all_heads else (self.place.index[0] + 1) % len(tabs)
        return self._at(Place(self.place.step, (following, *self.place.index[1:]), False))

    def stops(self) -> list[Stop]:
        """Make a dot of the progress bar for each step."""
        return [
            Stop(number + 1, self.w(f"step.{base_of(name)}.name"), self.to_step(name), number <= self.at, number == self.at)
            for number, name in enumerate(self.order)
        ]


def _after(choices: Sequence[str], present: str) -> str:
    return choices[(choices.index(present) + 1) % len(choices)]
