"""The words of the interface: one gettext catalogue a language, read from its ``.po`` file at start."""

from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po

from app.errors import Problem
from app.text.languages import DEFAULT_HAN, HAN_LANGUAGES

LOCALES = Path(__file__).parent
DEFAULT = "en"
LANGUAGES = tuple(sorted((file.stem for file in LOCALES.glob("*.po")), key=lambda code: (code == DEFAULT, code)))
"""The languages that have a catalogue, the default last: a new file in this folder is a new language."""
SAME_WORD = 80
"""Characters of a caller's own word that a message repeats."""


class Words:
    """A catalogue: ``words("step.q.title")``. Errors: KeyError for a key that no catalogue has."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        with (LOCALES / f"{lang}.po").open("rb") as file:
            catalogue = read_po(file, locale=lang, abort_invalid=True)
        self._texts = {str(message.id): str(message.string) for message in catalogue if message.id}

    def __call__(self, key: str, /, **details: object) -> str:
        text = self._texts[key]
        return text % details if details else text

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def keys(self) -> set[str]:
        return set(self._texts)

    def problem(self, problem: Problem) -> str:
        """The sentence for a problem, in this language; a caller's long words are shortened."""
        details = {name: _short(value) for name, value in problem.details.items()}
        return self(f"error.{problem.code}", field=problem.field, **details)


def _short(value: object) -> object:
    return f"{value[:SAME_WORD]}…" if isinstance(value, str) and len(value) > SAME_WORD else value


@cache
def words_of(lang: str) -> Words:
    """The catalogue of a language."""
    return Words(lang)


def choose_language(wanted: str | None, accept: str = "") -> str:
    """The reader's language: ``lang=`` first, then Accept-Language by weight, then English."""
    if wanted in LANGUAGES:
        return wanted
    for tag in _by_weight(accept):
        if (language := tag.split("-")[0].lower()) in LANGUAGES:
            return language
    return DEFAULT


def choose_han(lang: str, wanted: str | None, accept: str = "") -> str:
    """For whom Chinese characters are drawn that several languages share: ``ja``, ``zh`` or ``ko``.

    The page's own language where it is one of these, else the reader's first of them, else Chinese.
    """
    tags = (lang, wanted or "", *_by_weight(accept))
    found = (tag.split("-")[0].lower() for tag in tags)
    return next((language for language in found if language in HAN_LANGUAGES), DEFAULT_HAN)


def _by_weight(accept: str) -> list[str]:
    weighted = []
    for place, item in enumerate(accept[:200].split(",")):
        tag, _, rest = item.strip().partition(";")
        weight = rest.strip().removeprefix("q=") if rest else "1"
        if (value := float(weight) if weight.replace(".", "", 1).isdigit() and weight.isascii() else 0.0) > 0:
            weighted.append((-value, place, tag))
    return [tag for _, _, tag in sorted(weighted)]
