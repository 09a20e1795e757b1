"""Fields of presentation: what an address may say beside the scenario, what each field means, and where it travels.

To add a field is one line here: the page reads it, and every link of a kind that is named takes it along.
"""

from dataclasses import dataclass, field, fields
from enum import Enum
from typing import TypeAlias, cast


class Link(Enum):
    """A kind of link, by what it is for."""

    TOP = "from the bar at the top of a page to another page, and from a menu to another scenario"
    PICTURE = "from the sheet to what it shows: in another light, beside another scenario, as a file, on paper, for a class"
    ONWARD = "from the sheet to the sheet or the projector, as it was asked for, beside what PICTURE says"
    SCREEN = "from screen to screen of the projector, as it was asked for, beside the place"
    SHARED = "a link that is given to others"
    WORKSHEET = "from the worksheet to the worksheet"
    FIGURE = "from a page to the figure that Plotly draws"


_TOP, _PICTURE, _ONWARD, _SCREEN, _SHARED, _WORKSHEET, _FIGURE = Link
_EVERYWHERE = tuple(Link)


def _says(meaning: str, *travels: Link) -> str:
    """Declare a field: what it means, and the links that it travels on."""
    return field(default="", metadata={"meaning": meaning, "travels": frozenset(travels)})


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a page is drawn."""

    lang: str = _says("The language; else the browser's own.", *_EVERYWHERE)
    theme: str = _says("Light or dark; else the system's own.", *_EVERYWHERE)
    hide: str = _says("The parts of the page that are not shown, as a comma list.", _TOP, _PICTURE, _SCREEN, _SHARED)


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be looked at."""

    at: str = _says("The step.", _PICTURE, _SHARED, _WORKSHEET)
    head: str = _says("The number of a head, or ``all``.", _PICTURE, _SHARED, _WORKSHEET, _FIGURE)
    cell: str = _says("The cell: ``scores[0,2,1]``.", _PICTURE, _SHARED, _WORKSHEET, _FIGURE)
    turn: str = _says("From where three components are looked at, in degrees.", _PICTURE, _SHARED, _FIGURE)


@dataclass(frozen=True, slots=True)
class Beside:
    """What is shown beside it: slopes, or another scenario."""

    of: str = _says("The cell whose slopes are shown: ``out[2,0]``.", _PICTURE, _SCREEN, _SHARED, _FIGURE)
    pin: str = _says("The scenario A to compare with, as the fields in which it differs.", _PICTURE, _SCREEN, _SHARED, _FIGURE)
    pinned: str = _says("Scenario A, whole, as the form holds it; links say ``pin`` in its place.", _SCREEN)
    side: str = _says("Of two compared scenarios the one to draw, or their difference.", _FIGURE)


@dataclass(frozen=True, slots=True)
class FormState:
    """What a form says of itself; no link does."""

    good: str = _says("The scenario that was shown last: it is shown again where the present one cannot be computed.")
    changed: str = _says("The field that the reader has just changed: others that no longer fit give way to it.")


@dataclass(frozen=True, slots=True)
class Projecting:
    """How the projector shows it."""

    view: str = _says("The sheet, or ``projector``.", _SHARED)
    zoom: str = _says("The size of the projector's letters, in hundredths.", _ONWARD, _SCREEN)


@dataclass(frozen=True, slots=True)
class Printing:
    """How a worksheet prints it."""

    blanks: str = _says("What is left blank: a level, or cells.", _ONWARD, _SCREEN, _WORKSHEET)
    steps: str = _says("The steps that are printed.", _ONWARD, _SCREEN, _WORKSHEET)
    paper: str = _says("The size of the paper.", _ONWARD, _SCREEN, _WORKSHEET)
    answers: str = _says("Whether the answers are printed as well.", _ONWARD, _SCREEN, _WORKSHEET)


Part: TypeAlias = Reader | Target | Beside | FormState | Projecting | Printing
PARTS: tuple[type[Part], ...] = (Reader, Target, Beside, FormState, Projecting, Printing)


@dataclass(frozen=True, slots=True)
class Declared:
    """A field as it is declared above."""

    name: str
    part: type[Part]
    meaning: str
    travels: frozenset[Link]


NAMES = {part: tuple(each.name for each in fields(part)) for part in PARTS}
"""The names of the fields of each part."""
FIELDS = {
    each.name: Declared(each.name, part, each.metadata["meaning"], cast("frozenset[Link]", each.metadata["travels"]))
    for part in PARTS
    for each in fields(part)
}
"""Every field of presentation by its name."""


def travellers(link: Link) -> frozenset[str]:
    """The names of the fields that travel on a kind of link."""
    return _TRAVELLERS[link]


_TRAVELLERS = {link: frozenset(name for name, declared in FIELDS.items() if link in declared.travels) for link in Link}
