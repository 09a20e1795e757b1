"""The parts of a worksheet, ready for the template."""

from dataclasses import dataclass

from markupsafe import Markup

from app.drawing.picture import Grid, Picture
from app.errors import Problem
from app.pages.worksheet.paper import Fit
from app.pages.worksheet.scaffold import Helps, Piece, WritingSpace
from app.sheet.cells import Place
from app.sheet.why import Why


@dataclass(frozen=True, slots=True)
class BlankMark:
    """The mark in place of a number: a numbered box to fill in, or a box that repeats that number."""

    number: int
    carried: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """A blank's number on the sheet, and why it is what it is."""

    number: int
    why: Why


@dataclass(frozen=True, slots=True)
class Task:
    """A step to work out, as it is taught, with help and room; and its answers."""

    step: str
    title: str
    caption: str
    formula: Markup
    picture: Picture
    fit: Fit
    frame: list[Piece]
    room: WritingSpace
    helps: Helps
    answers: list[Answer]


@dataclass(frozen=True, slots=True)
class Given:
    """A step whose numbers are all printed."""

    step: str
    title: str
    caption: str
    formula: Markup
    grid: Grid
    fit: Fit
    open: bool
    """True where its numbers can be made blanks."""


@dataclass(frozen=True, slots=True)
class Worksheet:
    """The sheet, in the order of the computation: tasks, and between them groups of steps that are given."""

    blocks: list[Task | list[Given]]
    marks: dict[str, BlankMark]
    place: Place
    part: str
    head: str
    unchanged: list[str]
    """Steps left out because they change nothing."""
    large: list[str]
    """Steps left out because they are too large for paper."""
    problems: list[Problem]
    level: str
    steps: str

    @property
    def tasks(self) -> list[Task]:
        return [block for block in self.blocks if isinstance(block, Task)]

    @property
    def repeats(self) -> bool:
        """True where a printed matrix repeats a blank in a dashed box."""
        drawn = [(grid, False) for task in self.tasks for grid in operands_of(task.picture)]
        drawn += [(task.picture.result, True) for task in self.tasks]
        drawn += [(card.grid, True) for block in self.blocks if isinstance(block, list) for card in block]
        refs = {(cell.ref, own) for grid, own in drawn for row in grid.cells for cell in row if cell.ref in self.marks}
        return any(self.marks[ref].carried or not own for ref, own in refs)

    @property
    def blanks(self) -> list[str]:
        """The cells left blank, as they are written in a URL."""
        return [ref for ref, mark in self.marks.items() if not mark.carried]


def operands_of(picture: Picture) -> list[Grid]:
    """The matrices that a result is made from."""
    return [grid for grid in (picture.left, picture.above, *picture.parts) if grid]
