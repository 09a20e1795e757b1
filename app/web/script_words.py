"""What the scripts of the Export menu say, in the reader's language."""

import json
from functools import cache

from app import limits
from app.language.words import words_of

_SAID = {
    "copied": "copy.copied",
    "select": "copy.select",
    "close": "copy.close",
    "failed": "export.failed",
    "drop": "export.drop",
    "notJson": "open.not_json",
    "notExport": "open.not_export",
    "unreadable": "open.unreadable",
    "oneFile": "open.one_file",
}


@cache
def script_words(lang: str) -> str:
    """Write the words of the scripts as JSON, for the page to hand on to them."""
    words = words_of(lang)
    too_large = words("open.too_large", size="%(size)s", limit=limits.FILE)
    return json.dumps({**{name: words(key) for name, key in _SAID.items()}, "tooLarge": too_large}, ensure_ascii=False)
