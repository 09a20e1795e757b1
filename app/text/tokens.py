"""Cut a sentence into tokens, each knowing where it stands in what was typed."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import regex
from sudachipy import Dictionary, SplitMode, Tokenizer

from app.text.languages import is_chinese

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
    Which words a sentence has depends on the sentence alone, never on who reads it. One that is surely Chinese is cut by
    Unicode's rule for words, a character a word: a Japanese dictionary would find words that Chinese does not have.
    Source of the word and character rules: Unicode Standard Annex 29; Japanese words: Sudachi, mode C.
    """
    cut = _unicode_words if split == "words" and is_chinese(sentence) else SPLITS[split]
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
    cuts = _word_cuts(chunk)
    for run in _JAPANESE.finditer(chunk):
        cuts = {cut for cut in cuts if not run.start() < cut < run.end()} | {run.start(), run.end()} | _japanese(run)
    yield from _between(cuts, chunk, start)


def _unicode_words(sentence: str, start: int, end: int) -> Iterator[Span]:
    """Unicode words alone: a Chinese character is one."""
    chunk = sentence[start:end]
    yield from _between(_word_cuts(chunk), chunk, start)


def _word_cuts(chunk: str) -> set[int]:
    return {found.start() for found in _WORD.finditer(chunk)} | {0, len(chunk)}


def _between(cuts: set[int], chunk: str, start: int) -> Iterator[Span]:
    """The stretches between cuts; no character as people count them is torn."""
    graphemes = {found.start() for found in _GRAPHEME.finditer(chunk)} | {len(chunk)}
    for left, right in pairwise(sorted(cuts & graphemes)):
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
