"""What the parts of the figure share: the space, the chosen word, the direction, words and colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.core.operations.ops import Values
from app.drawing.space.space import Space, SpaceStage, Turn
from app.drawing.theme import THEMES
from app.language.words import Words

Figure = dict[str, Any]
NAMED = 16
"""Words up to which every point is named; beyond, only the chosen one."""
NAMED_TWICE = 8
"""Words up to which the point after is named as well as the point before, and every word's way is drawn."""
CHARACTERS = 14
"""Characters of a word that stand in the figure; the whole word is in the hover."""
_SYMBOLS = {"before": "circle-open", "position": "diamond-open", "after": "circle"}
_LAYERS = ("square", "triangle-up", "pentagon")


@dataclass(frozen=True, slots=True)
class Drawn:
    """Context of the figure: what all its parts share."""

    space: Space
    chosen: int
    turn: Turn
    words: Words
    theme: str

    def colour(self, stage: SpaceStage) -> str:
        """The colour of a stage's points and of the words beside them."""
        return THEMES[self.theme].text[stage.hue]

    def symbol(self, stage: SpaceStage) -> str:
        """The shape of a stage's points; every layer has its own."""
        if stage.kind != "layer":
            return _SYMBOLS[stage.kind]
        layers = [other.step for other in self.space.stages if other.kind == "layer"]
        return _LAYERS[layers.index(stage.step) % len(_LAYERS)]

    def rows(self, stage: SpaceStage) -> list[int]:
        """The words that are drawn at a stage; of many, the stages between are drawn for the chosen one only."""
        every = list(range(len(self.space.names)))
        return every if stage.kind in ("before", "after") or len(every) <= NAMED_TWICE else [self.chosen]

    def way(self, row: int) -> list[Values]:
        """The points a word goes through."""
        return [self.space.on_paper(stage, self.turn)[row] for stage in self.space.stages if row in self.rows(stage)]
