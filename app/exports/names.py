"""The name of a file: plain ASCII for everybody, and the sentence itself for those who can read it."""

import re
from collections.abc import Iterable
from urllib.parse import quote

from app.exports.request import ExportRequest
from app.text.tokens import Token

_LONGEST = 40
_WORDS = 6
_UNFIT = re.compile(r'[\x00-\x20\x7f-\xa0"\'*/:<>?\\|%\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+')


def disposition(request: ExportRequest, ending: str, step: str = "") -> str:
    """The Content-Disposition header: a download and its name; a picture is named after its step as well."""
    tokens = request.run.tokens
    plain = f"{named(plain_words(tokens), step or request.cell[0], bool(step))}.{ending}"
    full = quote(f"{named(sentence(tokens), step or request.cell[0], bool(step))}.{ending}", safe="")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{full}"


def named(words: str, step: str, with_step: bool) -> str:
    """The name of a file without its ending: the words, the step, or both."""
    return "-".join(["haibun", *([words] if words else []), *([step] if with_step or not words else [])])


def picture_name(tokens: Iterable[Token], step: str) -> str:
    """The name of the picture of a step, with the sentence in its own script."""
    return named(sentence(tokens), step, with_step=True)


def plain_words(tokens: Iterable[Token]) -> str:
    """The first words of the sentence that ASCII can write."""
    words = re.findall(r"[A-Za-z0-9]+", " ".join(token.text for token in tokens))
    return "-".join(words[:_WORDS])[:_LONGEST].strip("-").lower()


def sentence(tokens: Iterable[Token]) -> str:
    """The sentence without the characters that no file name may have."""
    words = (_UNFIT.sub("-", token.text) for token in tokens)
    return "-".join(words)[:_LONGEST].strip("-.\u200d")
