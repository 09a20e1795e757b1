"""Links: the shortest address that brings a picture back, written so that chats and readers of QR codes take it whole."""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import asdict
from urllib.parse import quote

from app.address.address import Address
from app.address.fields import Reader
from app.address.hiding import read_hidden
from app.address.presentation import Presentation, find_place, split_fields
from app.drawing.theme import THEMES
from app.glossary import SPACE, TOKENS
from app.language.words import LANGUAGES
from app.run.run import Run
from app.scenario.opening import WITHOUT_SIZES, opening
from app.sheet.cells import Place, reference

Pairs = list[tuple[str, str]]
_ENDINGS = {"+": "%20"}
"""Where the last character is not what it stands for."""
_PLAIN = " :,;=/@"
"""What may stand in a link as it is, beside letters, digits and ``-._~``; a space becomes a plus sign."""
_READ = f"{_PLAIN}[]()*'!"
"""What the eye may read as it is and every address bar understands; chats would cut a link there."""


def chosen(reader: Reader) -> Reader:
    """Keep what a reader has chosen of what there is; the rest is left to the browser."""
    lang = reader.lang if reader.lang in LANGUAGES else ""
    theme = reader.theme if reader.theme in THEMES else ""
    return Reader(lang, theme, ",".join(read_hidden(reader.hide)))


def top_address(reader: Reader) -> Address:
    """The opening page for a reader: what links to other pages start from."""
    return Address().with_(**asdict(reader))


def link_fields(run: Run, place: Place, wishes: Presentation) -> Pairs:
    """The fields of a link that is given to others: only what differs from what the page shows without them."""
    reader, beside, target = wishes.reader, wishes.beside, wishes.target
    shown = {
        "lang": reader.lang,
        "theme": reader.theme,
        "view": wishes.projecting.view,
        "hide": reader.hide,
        **short_place(run, place),
        "of": beside.of,
        "pin": beside.pin,
        "turn": target.turn,
    }
    return [*_without_opening(run.query, reader.lang), *((name, text) for name, text in shown.items() if text)]


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
