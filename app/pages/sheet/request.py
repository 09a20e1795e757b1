"""What the sheet is made from: a run, who reads it, where, what was typed, and what stands beside it."""

from dataclasses import dataclass
from functools import cached_property

from app.address.looking import head_and_query
from app.address.presentation import Presentation, find_place
from app.errors import Problem
from app.language.words import Words, words_of
from app.run.run import Run
from app.sheet.cells import Place
from app.sheet.slopes import Influence
from app.text.languages import DEFAULT_HAN, script_language


@dataclass(frozen=True)
class SheetRequest:
    """A sheet to be drawn: for whom, what is looked at, what was typed, what was computed, and what is wrong."""

    lang: str
    presentation: Presentation
    typed: dict[str, str]
    run: Run
    problems: list[Problem]
    status: int = 200
    influence: Influence | None = None
    """The slopes of the cell that is asked about."""
    pinned: Run | None = None
    """The run that is compared with this one."""
    han: str = DEFAULT_HAN
    """For whom Chinese characters are drawn that several languages share."""

    @property
    def words(self) -> Words:
        """The words of the reader's language."""
        return words_of(self.lang)

    @property
    def text_lang(self) -> str:
        """The language that the sentence is drawn in; where its script has none of its own, the page's."""
        return script_language("".join(self.run.names_q), self.han) or self.lang

    @cached_property
    def place(self) -> Place:
        """The step and the cell that are looked at."""
        return find_place(self.run, self.presentation, space=True)

    @property
    def at_step(self) -> bool:
        """True at a step of the computation; false at the sentence and at the words as points, which are no array."""
        return self.place.step in self.run.steps

    @cached_property
    def looked_at(self) -> tuple[int, int]:
        """The query head and the query word that are looked at."""
        return head_and_query(self.run, self.place)
