"""Links: the shortest address that brings a picture back, written so that chats and readers of QR codes take it whole."""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

from app.address.hiding import read_hidden
from app.address.presentation import Presentation, find_place, split_fields
from app.glossary import SPACE, TOKENS
from app.language.words import LANGUAGES
from app.run.run import Run
from app.scenario.opening import WITHOUT_SIZES, opening
from app.sheet.cells import Place, reference
from app.sheet.steps import write_query

Pairs = list[tuple[str, str]]
_ENDINGS = {"+": "%20"}
"""Where the last character is not what it stands for."""
_PLAIN = " :,;=/@"
"""What may stand in a link as it is, beside letters, digits and ``-._~``; a space becomes a plus sign."""
_READ = f"{_PLAIN}[]()*'!"
"""What the eye may read as it is and every address bar understands; chats would cut a link there."""


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """How a link opens: language and appearance (empty: the reader's own), view, and what is hidden."""

    lang: str = ""
    theme: str = ""
    view: str = ""
    hide: str = ""
    of: str = ""
    """The cell whose slopes are shown."""
    pin: str = ""
    """The scenario that is pinned beside this one."""
    turn: str = ""
    """How far the meaning space is turned."""

    def beside(self) -> dict[str, str]:
        """The fields of what is shown beside the place."""
        return {"of": self.of, "pin": self.pin, "turn": self.turn}


def link_options_of(presentation: Presentation, of: str = "", pin: str = "", turn: str = "") -> LinkOptions:
    """How the present page opens, for a link to it; what stands beside the place is given as the page shows it."""
    lang = presentation.lang if presentation.lang in LANGUAGES else ""
    theme = presentation.theme if presentation.theme in ("light", "dark") else ""
    return LinkOptions(lang, theme, hide=",".join(read_hidden(presentation.hide)), of=of, pin=pin, turn=turn)


def along(presentation: Presentation, lang: str = "") -> str:
    """The query that goes along from page to page: language (or another one), appearance, and what is hidden."""
    wishes = link_options_of(presentation)
    return write_query([], lang=lang or wishes.lang, theme=wishes.theme, hide=wishes.hide)


def link_fields(run: Run, place: Place, wishes: LinkOptions) -> Pairs:
    """The fields of a link: only what differs from what the page shows without them."""
    wished = {"lang": wishes.lang, "theme": wishes.theme, "view": wishes.view, "hide": wishes.hide}
    shown = {**wished, **short_place(run, place), **wishes.beside()}
    return [*_without_opening(run.query, wishes.lang), *((name, text) for name, text in shown.items() if text)]


def _without_opening(pairs: Pairs, lang: str) -> Pairs:
    """The opening example need not be written out where its language is fixed."""
    example = opening(lang) if lang else []
    rest = [pair for pair in pairs if pair not in example]
    whole = len(rest) + len(example) == len(pairs) and {name for name, _ in rest} <= WITHOUT_SIZES
    return rest if whole else pairs


def short_place(run: Run, place: Place) -> dict[str, str]:
    """The fewest fields that lead to a place: none where the page opens there anyway."""
    ways = list(_ways(place))
    return next((way for way in ways if find_place(run, split_fields(way.items())[1], space=True) == place), ways[-1])


def _ways(place: Place) -> Iterator[dict[str, str]]:
    heads = {"head": "all"} if place.all_heads else {}
    yield heads
    yield {"at": place.step, **heads}
    if place.step in (TOKENS, SPACE):
        yield {"at": place.step, "cell": reference("x", (place.index[0], 0))}
    else:
        yield {"cell": reference(place.step, place.index), **heads}


def write_link(base: str, pairs: Pairs) -> str:
    """An address in ASCII. It ends on a letter or a digit: marks at the end of a link, chats take for their own."""
    link = _address(base, pairs, lambda text: quote(text, safe=_PLAIN))
    return link if link[-1].isalnum() or not pairs else link[:-1] + _ENDINGS.get(link[-1], f"%{ord(link[-1]):02X}")


def write_readable(base: str, pairs: Pairs) -> str:
    """Write an address for the eye: letters and signs of every script stand as they are."""
    return _address(base, pairs, lambda text: "".join(char if _reads(char) else quote(char, safe=_READ) for char in text))


def _address(base: str, pairs: Pairs, written: Callable[[str], str]) -> str:
    query = "&".join(f"{name}={written(text)}" for name, text in pairs).replace(" ", "+")
    return f"{base}/?{query}" if query else f"{base}/"


def _reads(char: str) -> bool:
    """True for a letter, mark, digit or sign outside ASCII; spaces and what steers the writing direction are no such thing."""
    return not char.isascii() and unicodedata.category(char)[0] in "LMNPS"
