"""The page that prepares a link for a class: what it opens with, how, and what it leaves out."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from app import limits
from app.address.address import Address
from app.address.hiding import CONTROLS, GROUPS, HIDEABLE, hidden_groups, read_hidden
from app.address.links import Pairs, link_fields, short_place, write_link, write_readable
from app.address.looking import stops_of
from app.address.presentation import Presentation
from app.drawing.theme import THEMES
from app.errors import Problem
from app.glossary import SPACE, base_of
from app.language.words import LANGUAGES, Words, words_of
from app.run.run import Notice, Run
from app.sheet.cells import Place, reference
from app.sheet.steps import NoticeOut, notices_in_words, write_query
from app.sheet.why import cell_name
from app.web.lan import Base
from app.web.qr import Qr, make_qr

OWN_FIELDS = ("reader_lang", "reader_theme", "view", "room", "screen")
"""The fields of this page alone. ``lang`` and ``theme`` are those of the person who prepares the link."""
VIEWS = ("projector",)
Choices = list[tuple[str, str, bool]]
"""A value, its words, and whether it is chosen."""


@dataclass(frozen=True, slots=True)
class Link:
    """The link: as it is copied, as it is read, and as a QR code where it is short enough for one."""

    address: str
    readable: str
    code: Qr | None


@dataclass(frozen=True, slots=True)
class HideBox:
    """A checkbox for a part of the page that a link can leave out. ``settled``: it is left out already, with all controls."""

    name: str
    label: str
    ticked: bool
    settled: bool


@dataclass(frozen=True, slots=True)
class ClassPage:
    """Everything the page shows, words included."""

    here: Address
    """This page, for the ways back to it."""
    good: str
    sheet: Address
    """The address of this place on the sheet, where another cell can be chosen."""
    kept: Pairs
    """The fields of the scenario that are not chosen here."""
    text: str | None
    """The sentence as it was typed; None where vectors were given instead of words."""
    text_error: str
    other_errors: list[str]
    notices: list[NoticeOut]
    steps: Choices
    cell: str
    cell_name: str
    pinned: dict[str, str]
    """The place, where the page would not open there by itself: it stays with another sentence."""
    views: Choices
    langs: Choices
    themes: Choices
    boxes: list[HideBox]
    rooms: Choices
    base: Base
    link: Link
    elsewhere: bool
    """True where the link would lead to something that nobody asked for: nothing could be computed, now or before."""
    longest: int = limits.QR_CODE
    """Characters of a link up to which there is a QR code."""

    @property
    def problems(self) -> list[str]:
        """Everything that is wrong."""
        return [*([self.text_error] if self.text_error else []), *self.other_errors]


def read_wishes(own: Mapping[str, str], presentation: Presentation) -> Presentation:
    """How the link is to open; what is no choice is left to the reader."""
    return Presentation.of(
        lang=_one_of(own.get("reader_lang", ""), LANGUAGES),
        theme=_one_of(own.get("reader_theme", ""), THEMES),
        view=_one_of(own.get("view", ""), VIEWS),
        hide=",".join(read_hidden(presentation.reader.hide)),
        of=presentation.beside.of,
        pin=presentation.beside.pin,
        turn=presentation.target.turn,
    )


def _one_of(text: str, choices: Collection[str]) -> str:
    return text if text in choices else ""


def make_class_page(
    run: Run,
    place: Place,
    typed: Pairs,
    wishes: Presentation,
    base: Base,
    problems: list[Problem],
    notices: list[Notice],
    words: Words,
    good: bool = True,
) -> ClassPage:
    """Gather what the page shows; its form repeats what was typed.

    ``good``: the run was asked for, now or, where the page says what is wrong, before.
    """
    elsewhere = bool(problems) and not good
    text, short = dict(typed).get("text"), short_place(run, place)
    wishes = wishes if place.step == SPACE else wishes.with_(turn="")
    reader, beside = wishes.reader, _beside(wishes)
    return ClassPage(
        here=Address.of(typed if elsewhere else run.query, **short, **_own_fields(wishes, base)).to("/class"),
        good="" if elsewhere else write_query(run.query),
        sheet=Address.of(run.query, **short),
        kept=[(name, value) for name, value in typed if name != "text"],
        text=text if run.tokens or text is not None else None,
        text_error=next((words.problem(problem) for problem in problems if problem.field == "text"), ""),
        other_errors=[words.problem(problem) for problem in problems if problem.field != "text"],
        notices=notices_in_words(notices, words),
        steps=_steps(run, place, words),
        cell=reference(place.step, place.index) if not elsewhere and place.step in run.steps else "",
        cell_name=cell_name(run, place.step, place.index, words) if place.step in run.steps else "",
        pinned={name: text for name, text in {**short, **beside}.items() if name != "at" and text},
        views=_choices(("", *VIEWS), wishes.projecting.view, "class.view", words),
        langs=[("", words("class.own"), not reader.lang), *_languages(reader.lang)],
        themes=_choices(("", *THEMES), reader.theme, "class.theme", words),
        boxes=_boxes(read_hidden(reader.hide), words),
        rooms=[(address, address, address == base.address) for address in base.others],
        base=base,
        link=_link(base, link_fields(run, place, wishes)),
        elsewhere=elsewhere,
    )


def _beside(wishes: Presentation) -> dict[str, str]:
    """The fields of what the link shows beside the place."""
    return {"of": wishes.beside.of, "pin": wishes.beside.pin, "turn": wishes.target.turn}


def _own_fields(wishes: Presentation, base: Base) -> dict[str, str]:
    return {
        "reader_lang": wishes.reader.lang,
        "reader_theme": wishes.reader.theme,
        "view": wishes.projecting.view,
        "hide": wishes.reader.hide,
        **_beside(wishes),
        "room": base.address if base.others and base.address != base.others[0] else "",
    }


def _link(base: Base, fields: Pairs) -> Link:
    address = write_link(base.address, fields)
    return Link(address, write_readable(base.address, fields), make_qr(address))


def _steps(run: Run, place: Place, words: Words) -> Choices:
    """Every step in order, by its name in words and in the record."""
    names = stops_of(run, space=True)
    return [(name, f"{words(f'step.{base_of(name)}.name')} · {name}", name == place.step) for name in names]


def _choices(values: tuple[str, ...], chosen: str, key: str, words: Words) -> Choices:
    return [(value, words(f"{key}.{value or 'own'}"), value == chosen) for value in values]


def _languages(chosen: str) -> Choices:
    """Each language by its own name."""
    return [(code, words_of(code)("language.name"), code == chosen) for code in LANGUAGES]


def _boxes(hidden: tuple[str, ...], words: Words) -> list[HideBox]:
    whole = CONTROLS in hidden
    boxes = []
    for name in HIDEABLE:
        group = name in GROUPS
        label = words(f"group.{name}" if group else f"class.hide.{name}")
        boxes.append(HideBox(name, label, name in hidden or name in hidden_groups(hidden), group and whole))
    return boxes
