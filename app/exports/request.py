"""What an export is made from: a computed scenario, the reader's language, the cell that is looked at."""

from dataclasses import dataclass

from app.address.presentation import Presentation, find_place
from app.core.operations.explain import Index
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import Place
from app.text.languages import DEFAULT_HAN


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """A request for an export: the run, and where the reader is in it."""

    run: Run
    words: Words
    presentation: Presentation
    pinned: Run | None = None
    """The scenario that it is compared with, in the formats that show both."""
    han: str = DEFAULT_HAN
    """For whom Chinese characters are drawn that several languages share."""

    @property
    def place(self) -> Place:
        """Where the reader is: a step, the tokens, or the words as points."""
        return find_place(self.run, self.presentation, space=True)

    @property
    def cell(self) -> tuple[str, Index]:
        """The chosen step and cell; the opening cell where none is chosen."""
        place = find_place(self.run, self.presentation)
        if place.step not in self.run.steps:
            place = find_place(self.run, Presentation.of())
        return place.step, place.index
