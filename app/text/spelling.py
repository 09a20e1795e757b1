"""Spelling: what is one word, however it is typed."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")


def same_word(word: str) -> str:
    """A word as it is compared with others: が is one word, typed as one character or as か and a mark of its own.

    Source: Unicode Standard Annex 15, Normalization Form C.
    """
    return unicodedata.normalize("NFC", word)


def same_words(words: Iterable[str]) -> tuple[str, ...]:
    """Words as they are compared with each other."""
    return tuple(map(same_word, words))


def by_word(table: Mapping[str, T]) -> dict[str, T]:
    """A table in which a word is found by any of its spellings."""
    return {same_word(word): value for word, value in table.items()}
