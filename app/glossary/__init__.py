"""What each step is: symbol, formula, axes, colour, place in the map, source. Titles and captions are in the catalogues.

A key is the end of a step's dotted name without its numbers: ``scores`` is said of ``layer.0.scores`` and of
``tile.1.0.scores``, ``tile.m`` only of a tile's ``m``. The title of ``tile.m`` is the catalogue's ``step.tile.m.title``.
"""

from functools import cache

from app.glossary.attention import ATTENTION
from app.glossary.between import BETWEEN
from app.glossary.block import BLOCK
from app.glossary.entry import Entry
from app.glossary.long import LONG
from app.glossary.state_space import STATE_SPACE

__all__ = ["GLOSSARY", "OPENING", "SPACE", "TOKENS", "Entry", "base_of", "entry_of"]

GLOSSARY: dict[str, Entry] = {**ATTENTION, **BETWEEN, **BLOCK, **LONG, **STATE_SPACE}

OPENING = tuple(sorted((name for name, entry in GLOSSARY.items() if entry.opening), key=lambda name: GLOSSARY[name].opening))
"""The steps to be shown first: a page opens with the first of these that there is."""
TOKENS = "tokens"
"""The map's first row: the sentence itself, which is no array."""
SPACE = "space"
"""The map's last row: the words as points, before and after."""


@cache
def base_of(step: str) -> str:
    """A step's key: the longest end of its name that is one. ``tile.m`` for ``layer.0.tile.0.1.m``."""
    parts = [part for part in step.split(".") if not part.isdecimal()]
    ends = (".".join(parts[start:]) for start in range(len(parts)))
    return next((end for end in ends if end in GLOSSARY), parts[-1])


@cache
def entry_of(step: str) -> Entry:
    """What a step is, wherever it stands. Errors: KeyError for a step that no entry describes."""
    return GLOSSARY[base_of(step)]
