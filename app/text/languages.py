"""The language of a sentence, as its script tells it: it decides how Chinese characters are drawn, and what cuts words."""

from functools import lru_cache

import regex

_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_HANGUL = regex.compile(r"\p{Hangul}")
_HAN = regex.compile(r"\p{Han}")
HAN_LANGUAGES = JAPANESE, CHINESE, KOREAN = ("ja", "zh", "ko")
"""The languages that write Chinese characters, each with shapes of its own."""
DEFAULT_HAN = CHINESE


def script_language(sentence: str, reader: str = DEFAULT_HAN) -> str:
    """The language a browser should draw a sentence in: ``ja``, ``ko``, ``zh``, or nothing where any will do.

    Kana are Japanese, Hangul is Korean, forms that only Chinese has are Chinese. Chinese characters that several
    languages share tell nothing: they are drawn for ``reader``, one of ``HAN_LANGUAGES``.
    """
    if _KANA.search(sentence):
        return JAPANESE
    if _HANGUL.search(sentence):
        return KOREAN
    if not _HAN.search(sentence):
        return ""
    return CHINESE if is_chinese(sentence) else reader


def is_chinese(sentence: str) -> bool:
    """True for a sentence without kana that has a character which Chinese writes and Japanese does not: 这, 爱, 你.

    Such a character stands in the character set of China (GB 2312) and not in that of Japan (JIS X 0208). A sentence of
    characters that both have, such as 注意力, is not known to be Chinese: it is cut as Japanese, or by ``characters``.
    """
    return not _KANA.search(sentence) and any(_only_chinese(char) for char in _HAN.findall(sentence))


@lru_cache(4096)
def _only_chinese(char: str) -> bool:
    return _stands_in(char, "gb2312") and not _stands_in(char, "shift_jis")


def _stands_in(char: str, characters: str) -> bool:
    try:
        char.encode(characters)
    except UnicodeEncodeError:
        return False
    return True
