"""The name of a file: plain ASCII for everybody, and the sentence itself for those who can read it."""

import re
from urllib.parse import quote

from app.exports.asked import Asked

_LONGEST = 40
_WORDS = 6
_UNFIT = re.compile(r'[\x00-\x20\x7f-\xa0"\'*/:<>?\\|%\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+')


def disposition(asked: Asked, ending: str) -> str:
    """The header that makes a download of an answer and names it."""
    plain = f"haibun-{plain_words(asked)}.{ending}"
    full = quote(f"haibun-{sentence(asked)}.{ending}", safe="")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{full}"


def plain_words(asked: Asked) -> str:
    """The first words of the sentence that ASCII can write; the step where there are none."""
    words = re.findall(r"[A-Za-z0-9]+", " ".join(token.text for token in asked.run.tokens))
    return "-".join(words[:_WORDS])[:_LONGEST].strip("-").lower() or asked.cell[0]


def sentence(asked: Asked) -> str:
    """The sentence without the characters that no file name may have; the step where nothing is left."""
    words = (_UNFIT.sub("-", token.text) for token in asked.run.tokens)
    return "-".join(words)[:_LONGEST].strip("-.\u200d") or asked.cell[0]
