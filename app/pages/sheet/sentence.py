"""The panel of the sentence: what was typed, its words as chips, and the table of tokens."""

from dataclasses import dataclass

from app.address.looking import cell_about
from app.core.operations.numbers import show
from app.pages.sheet.request import SheetRequest
from app.run.run import Run
from app.text.tokens import Token


@dataclass(frozen=True, slots=True)
class Chip:
    """A token as a chip; pressing it looks at that word."""

    text: str
    ref: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SentencePanel:
    """The sentence as it was typed and as it was read."""

    typed: str
    error: str
    chips: list[Chip]
    tokens: tuple[Token, ...]
    vectors: list[str]
    """The vector of each token, in the table of tokens; of a long one the first eight numbers."""
    split: str
    """How the sentence was cut, as a choice of the field ``split``."""

    def words(self, between: str) -> str:
        """The sentence, word by word."""
        return between.join(chip.text for chip in self.chips)


def make_sentence(page: SheetRequest) -> SentencePanel:
    """Gather the sentence; what was typed stands in its field as it was typed."""
    run, (_, query) = page.run, page.looked_at
    wrong = (page.words.problem(problem) for problem in page.problems if problem.field == "text")
    chips = [Chip(token.text, cell_about(run, page.place, row), row == query) for row, token in enumerate(run.tokens)]
    return SentencePanel(page.typed.get("text", ""), next(wrong, ""), chips, run.tokens, _vectors(run), run.scenario.split)


def _vectors(run: Run) -> list[str]:
    rows = run.values("x").tolist() if run.tokens else []
    return [", ".join(show(number) for number in row[:8]) + (", …" if len(row) > 8 else "") for row in rows]
