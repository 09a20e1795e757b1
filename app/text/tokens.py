"""Cut a sentence into tokens, each knowing where it stands in what was typed."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import regex
from sudachipy import Dictionary, SplitMode, Tokenizer

_JAPANESE = regex.compile(r"(?:[\p{Han}\p{Hiragana}\p{Katakana}ー々〆ｰﾞﾟ][\p{M}\p{Variation_Selector}]*)+")
_WORD = regex.compile(r"(?w)\b", regex.V1)
_GRAPHEME = regex.compile(r"\X")
_SPACE = regex.compile(r"[\s\u3000]+")
# Characters that draw nothing, or that turn the text around them: they separate tokens and are never one.
_INVISIBLE = regex.compile(
    r"[\p{Cc}\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F"
    r"\u202A-\u202E\u2060-\u2069\u206A-\u206F\u3164\uFEFF\uFFA0]"
)
_NOTHING_TO_SEE = regex.compile(r"[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*", regex.V1)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the sentence. ``text == sentence[start:end]``; start and end count code points."""

    text: str
    start: int
    end: int


def tokenize(sentence: str, split: str = "words") -> list[Token]:
    """Cut a sentence into tokens by ``words``, ``characters`` or ``spaces``.

    Spaces and invisible characters separate tokens and are left out; nothing else is lost.
    Source of the word and character rules: Unicode Standard Annex 29; Japanese words: Sudachi, mode C.
    """
    cut = SPLITS[split]
    return [
        Token(sentence[start:end], start, end)
        for chunk_start, chunk_end in _chunks(sentence)
        for start, end in cut(sentence, chunk_start, chunk_end)
        if not _NOTHING_TO_SEE.fullmatch(sentence, start, end)
    ]


def left_out(sentence: str, tokens: list[Token]) -> list[str]:
    """The characters that are in no token and are no spaces, as ``U+200B``, each once, in order."""
    taken = {place for token in tokens for place in range(token.start, token.end)}
    rest = (char for place, char in enumerate(sentence) if place not in taken and not char.isspace())
    return list(dict.fromkeys(f"U+{ord(char):04X}" for char in rest))


def shorten(word: str, most: int) -> str:
    """A word cut to ``most`` characters as people count them, the last one a ``…``."""
    characters = _GRAPHEME.findall(word[: most * _LONG_GRAPHEME])
    whole = len(characters) <= most and len(word) <= most * _LONG_GRAPHEME
    return word if whole else "".join(characters[: most - 1]) + "…"


_LONG_GRAPHEME = 40
"""Code points of the longest character that is looked at whole: a long run of flags would take quadratic time."""


_SCRIPTS = (
    ("ja", regex.compile(r"[\p{Hiragana}\p{Katakana}]")),
    ("ko", regex.compile(r"\p{Hangul}")),
    ("zh", regex.compile(r"\p{Han}")),
)


def script_language(sentence: str) -> str:
    """The language a browser should draw the sentence's Chinese characters in: ``ja``, ``ko``, ``zh`` or nothing."""
    return next((language for language, script in _SCRIPTS if script.search(sentence)), "")


Span = tuple[int, int]


def _chunks(sentence: str) -> Iterator[Span]:
    """The stretches between spaces and invisible characters."""
    start = 0
    for gap in regex.finditer(f"{_SPACE.pattern}|{_INVISIBLE.pattern}", sentence):
        yield start, gap.start()
        start = gap.end()
    yield start, len(sentence)


def _whole(sentence: str, start: int, end: int) -> Iterator[Span]:
    yield start, end


def _characters(sentence: str, start: int, end: int) -> Iterator[Span]:
    for found in _GRAPHEME.finditer(sentence, start, end):
        yield found.span()


def _words(sentence: str, start: int, end: int) -> Iterator[Span]:
    """Unicode words; runs of kana and kanji are cut again by a Japanese dictionary."""
    chunk = sentence[start:end]
    cuts = {found.start() for found in _WORD.finditer(chunk)} | {0, len(chunk)}
    graphemes = {found.start() for found in _GRAPHEME.finditer(chunk)} | {len(chunk)}
    for run in _JAPANESE.finditer(chunk):
        cuts = {cut for cut in cuts if not run.start() < cut < run.end()} | {run.start(), run.end()} | _japanese(run)
    places = sorted(cuts & graphemes)
    for left, right in pairwise(places):
        yield start + left, start + right


def _japanese(run: regex.Match[str]) -> set[int]:
    return {run.start() + morpheme.begin() for morpheme in _tokenizer().tokenize(run.group())}


SPLITS: dict[str, Callable[[str, int, int], Iterator[Span]]] = {"words": _words, "characters": _characters, "spaces": _whole}

_local = threading.local()
_dictionary_lock = threading.Lock()
_dictionary: list[Dictionary] = []


def _tokenizer() -> Tokenizer:
    """One tokenizer a thread: a shared one fails under concurrent calls. The dictionary is shared."""
    if not hasattr(_local, "tokenizer"):
        with _dictionary_lock:
            if not _dictionary:
                _dictionary.append(Dictionary(dict="small"))
            _local.tokenizer = _dictionary[0].tokenizer(mode=SplitMode.C)
    tokenizer: Tokenizer = _local.tokenizer
    return tokenizer
