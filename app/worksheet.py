"""Worksheet: one scenario on paper, with blanks to fill in and the answers on a page of their own."""

from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from app import limits
from app.blanks import Ref, carried_on, changes_nothing, choose_blanks, matrix_of, place_at, place_to_work
from app.changes import Changes
from app.errors import Problem, Refusal, refuse
from app.formulas import formula_html
from app.glossary import base_of
from app.labels import lead_of, place_of
from app.painter import Painter
from app.paper import PAPERS, Fit, fit_grid, fit_picture
from app.picture import Grid, Picture, fits, reference
from app.presentation import Place, Presentation
from app.run import Run
from app.scaffold import Helps, Piece, frame_of, helps_for, room_for
from app.sheet import formula
from app.stepmap import part_title
from app.why import Why, make_why
from app.words import Words

_NO_CHANGES = Changes({}, {})


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands in place of a number: a numbered box to fill in, or a box that repeats that number."""

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
    lines: list[int]
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


@dataclass(frozen=True, slots=True)
class Worksheet:
    """The sheet, in the order of the computation: tasks, and between them groups of steps that are given."""

    blocks: list[Task | list[Given]]
    marks: dict[str, Mark]
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
    def blanks(self) -> list[str]:
        """The cells left blank, as they are written in a URL."""
        return [ref for ref, mark in self.marks.items() if not mark.carried]


def make_worksheet(run: Run, shown: Presentation, words: Words) -> Worksheet:
    """Put a worksheet together. A field that cannot be read is reported, and stands at its default."""
    return _Maker(run, shown, words).worksheet()


STEPS = ("way", "near")
"""Which steps are printed: all of the part, or those with blanks only."""


class _Maker:
    """What the parts of a worksheet are made from."""

    def __init__(self, run: Run, shown: Presentation, words: Words) -> None:
        self.run, self.words = run, words
        self.problems: list[Problem] = []
        self.place = place_to_work(run, shown)
        self.paper = shown.paper if shown.paper in PAPERS else "a4"
        part = [name for name in run.trace if place_of(name) == place_of(self.place.step)]
        worked = [name for name in part if run.trace[name].kind == "computed"]
        self.unchanged = [name for name in worked if changes_nothing(run, name)]
        self.way = [name for name in worked if name not in self.unchanged]
        self.level, self.steps = shown.blanks or "row", shown.steps or "way"
        self.printed = self._steps()
        self.blanks = self._blanks()
        self.carried = carried_on(run, self.blanks)
        self.large: list[str] = []

    def _steps(self) -> list[str]:
        """The steps whose numbers are printed, blanks or not."""
        names = [name.strip() for name in self.steps.split(",") if name.strip()]
        if self.steps in STEPS:
            return self.way if self.steps == "way" else []
        if unknown := [name for name in names if name not in self.run.trace]:
            steps = ", ".join(self.run.trace)
            self.problems += refuse("steps", "step_unknown", step=unknown[0], steps=steps).problems
            self.steps = "way"
            return self.way
        self.unchanged = [name for name in self.unchanged if name not in names]
        return names

    def _blanks(self) -> list[Ref]:
        worked = self.way if self.steps in STEPS else [name for name in self.run.trace if name in self.printed]
        try:
            return choose_blanks(self.run, self.level, self.place, worked)
        except Refusal as refusal:
            self.problems += refusal.problems
            self.level = "row"
            return choose_blanks(self.run, "row", self.place, worked)

    def worksheet(self) -> Worksheet:
        tasks = self._tasks()
        blocks = self._blocks(tasks)
        numbers = {cell: number for number, cell in enumerate(self.blanks, start=1)}
        marks = {reference(*cell): Mark(number, False) for cell, number in numbers.items()}
        marks |= {reference(*cell): Mark(number, True) for cell, number in self.carried.items()}
        leads = {task.answers[0].why.index[0] for task in tasks.values() if len(task.answers[0].why.index) > 2}
        return Worksheet(
            blocks=blocks,
            marks=marks,
            place=self.place,
            part=part_title(self.run, place_of(self.place.step), self.words),
            head=self._head() if len(leads) <= 1 else "",
            unchanged=[] if self.steps == "near" else [name for name in self.unchanged if name not in {step for step, _ in tasks}],
            large=list(dict.fromkeys(self.large)),
            problems=self.problems,
            level=self.level,
            steps=self.steps,
        )

    def _head(self) -> str:
        """Which of several heads or channels the sheet works out."""
        step, index = self.place.step, self.place.index
        count = self.run.trace[step].shape[0] if len(index) > 2 else 1
        return self.words(f"worksheet.{lead_of(step)}", number=index[0] + 1, count=count) if count > 1 else ""

    def _tasks(self) -> dict[tuple[str, int], Task]:
        """A task for each step and head that has blanks; one that is too large is reported."""
        numbered = list(enumerate(self.blanks, start=1))
        tasks = {}
        for (step, lead), members in groupby(numbered, key=lambda item: (item[1][0], _lead(item[1][1]))):
            cells = list(members)
            if task := self._task(step, [(number, index) for number, (_, index) in cells]):
                tasks[step, lead] = task
            else:
                self.large.append(step)
        return tasks

    def _task(self, step: str, cells: list[tuple[int, tuple[int, ...]]]) -> Task | None:
        picture = Painter(self.run, step, cells[0][1], self.words, _NO_CHANGES).picture()
        fit = fit_picture(picture, self.paper)
        if fit is None:
            return None
        answers = [Answer(number, make_why(self.run, step, index, self.words)) for number, index in cells]
        whys = [answer.why for answer in answers]
        secret = {*self.blanks, *self.carried}
        return Task(
            step=step,
            title=self._title(step),
            caption=self.words(f"step.{base_of(step)}.caption"),
            formula=formula_html(formula(self.run, step)),
            picture=picture,
            fit=fit,
            frame=frame_of(whys[0]),
            lines=room_for(whys),
            helps=helps_for(whys, secret),
            answers=answers,
        )

    def _title(self, step: str) -> str:
        return self.words(f"step.{base_of(step)}.title")

    def _blocks(self, tasks: dict[tuple[str, int], Task]) -> list[Task | list[Given]]:
        """Tasks and given steps in the order of the computation."""
        blocks: list[Task | list[Given]] = []
        drawn = {grid.step for task in tasks.values() for grid in _grids(task.picture)}
        worked = {step for step, _ in tasks}
        for name in self.run.trace:
            if name in worked:
                blocks += [task for (step, _), task in tasks.items() if step == name]
            elif (name in self.printed or self._feeds(name, drawn)) and (given := self._given(name)):
                if not blocks or isinstance(blocks[-1], Task):
                    blocks.append([])
                group = blocks[-1]
                assert isinstance(group, list)
                group.append(given)
        return blocks

    def _feeds(self, name: str, drawn: set[str]) -> bool:
        """True for numbers from outside that the printed steps are made from, and that no task draws."""
        outside = self.run.trace[name].kind != "computed" or place_of(name) != place_of(self.place.step)
        return outside and name not in drawn and any(name in self.run.trace.inputs(step) for step in self.printed)

    def _given(self, name: str) -> Given | None:
        index = place_at(self.run, name, self.place)
        painter = Painter(self.run, name, index, self.words, _NO_CHANGES)
        small = max(self.run.trace[name].shape[-2:]) <= limits.NUMBERS_IN_CELLS
        grid = painter.own_grid(name) if small else None
        fit = fit_grid(grid, self.paper) if grid else None
        if grid is None or fit is None:
            self.large.append(name)
            return None
        computed = self.run.trace[name].kind == "computed"
        return Given(
            step=name,
            title=self._title(name) if computed else grid.title,
            caption=self.words(f"step.{base_of(name)}.caption") if computed else "",
            formula=formula_html(formula(self.run, name)),
            grid=grid,
            fit=fit,
        )


def _lead(index: tuple[int, ...]) -> int:
    return index[0] if len(index) > 2 else 0


def _grids(picture: Picture) -> list[Grid]:
    return [grid for grid in (picture.left, picture.above, picture.result, *picture.parts) if grid]
