"""The maker: puts a worksheet together from a run and what was asked for."""

from dataclasses import replace
from itertools import groupby

from app import limits
from app.address.presentation import Presentation
from app.drawing.formulas import formula_html
from app.drawing.painter import Painter
from app.drawing.picture import Grid, Picture, fits
from app.errors import Problem, Refusal, refuse
from app.glossary import base_of
from app.language.words import Words
from app.pages.worksheet.blanks import Ref, carried_on, choose_blanks, place_at, place_to_work
from app.pages.worksheet.paper import PAPERS, fit_grid, fit_picture
from app.pages.worksheet.parts import Answer, BlankMark, Given, Task, Worksheet, operands_of
from app.pages.worksheet.scaffold import frame_of, helps_for, room_for
from app.run.run import Run
from app.sheet.cells import reference
from app.sheet.changes import Changes
from app.sheet.idle import changes_nothing
from app.sheet.labels import lead_of, part_title, place_of
from app.sheet.steps import formula
from app.sheet.why import make_why

_NO_CHANGES = Changes({}, {})


def make_worksheet(run: Run, presentation: Presentation, words: Words) -> Worksheet:
    """Put a worksheet together. A field that cannot be read is reported, and stands at its default."""
    return _Maker(run, presentation, words).worksheet()


STEPS = ("way", "near")
"""Which steps are printed: all of the part, or those with blanks only."""


class _Maker:
    """What the parts of a worksheet are made from."""

    def __init__(self, run: Run, presentation: Presentation, words: Words) -> None:
        self.run, self.words = run, words
        self.problems: list[Problem] = []
        self.place = place_to_work(run, presentation)
        self.paper = presentation.printing.paper if presentation.printing.paper in PAPERS else "a4"
        part = [name for name in run.steps if place_of(name) == place_of(self.place.step)]
        worked = [name for name in part if run.is_computed(name)]
        self.unchanged = [name for name in worked if changes_nothing(run, name)]
        self.way = [name for name in worked if name not in self.unchanged]
        self.level, self.steps = presentation.printing.blanks or "row", presentation.printing.steps or "way"
        self.printed = self._steps()
        self.blanks = self._blanks()
        self.carried = carried_on(run, self.blanks)
        numbers = [(cell, BlankMark(number, False)) for number, cell in enumerate(self.blanks, start=1)]
        numbers += [(cell, BlankMark(number, True)) for cell, number in self.carried.items()]
        self.marks = {reference(*cell): mark for cell, mark in numbers}
        self.large = [] if fits(run, self.place.step) or self.level not in ("row", "step") else [self.place.step]

    def _steps(self) -> list[str]:
        """The steps whose numbers are printed, blanks or not."""
        names = [name.strip() for name in self.steps.split(",") if name.strip()]
        if self.steps in STEPS:
            return self.way if self.steps == "way" else []
        if unknown := [name for name in names if name not in self.run.steps]:
            steps = ", ".join(self.run.steps)
            self.problems += refuse("steps", "step_unknown", step=unknown[0], steps=steps).problems
            self.steps = "way"
            return self.way
        self.unchanged = [name for name in self.unchanged if name not in names]
        return names

    def _blanks(self) -> list[Ref]:
        worked = self.way if self.steps in STEPS else [name for name in self.run.steps if name in self.printed]
        try:
            return choose_blanks(self.run, self.level, self.place, worked)
        except Refusal as refusal:
            self.problems += refusal.problems
            self.level = "row"
            return choose_blanks(self.run, "row", self.place, worked)

    def worksheet(self) -> Worksheet:
        tasks = self._tasks()
        blocks = self._blocks(tasks)
        leads = {task.answers[0].why.index[0] for task in tasks.values() if len(task.answers[0].why.index) > 2}
        return Worksheet(
            blocks=blocks,
            marks=self.marks,
            place=self.place,
            part=part_title(self.run, place_of(self.place.step), self.words),
            head=self._head() if len(leads) <= 1 else "",
            unchanged=[]
            if self.steps == "near"
            else [name for name in self.unchanged if name not in {step for step, _ in tasks}],
            large=list(dict.fromkeys(self.large)),
            problems=self.problems,
            level=self.level,
            steps=self.steps,
        )

    def _head(self) -> str:
        """Say which of several heads or channels the sheet works out."""
        step, index = self.place.step, self.place.index
        count = self.run.shape(step)[0] if len(index) > 2 else 1
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
        picture = self._without_answers(picture)
        fit = fit_picture(picture, self.paper)
        if fit is None:
            return None
        answers = [Answer(number, make_why(self.run, step, index, self.words)) for number, index in cells]
        whys = [answer.why for answer in answers]
        room, secret = room_for(whys), {*self.blanks, *self.carried}
        return Task(
            step=step,
            title=self._title(step),
            caption=self.words(f"step.{base_of(step)}.caption"),
            formula=formula_html(formula(self.run, step)),
            picture=picture,
            fit=fit,
            frame=frame_of(whys[room.framed]),
            room=room,
            helps=helps_for(whys, secret),
            answers=answers,
        )

    def _without_answers(self, picture: Picture) -> Picture:
        left, above = (self._unwritten(grid) if grid else None for grid in (picture.left, picture.above))
        parts = [self._unwritten(part) for part in picture.parts]
        return replace(picture, result=self._unwritten(picture.result), left=left, above=above, parts=parts)

    def _unwritten(self, grid: Grid) -> Grid:
        """The matrix without the numbers of blanks: what is not there cannot be seen, and needs no room."""
        rows = [[replace(cell, text="") if cell.ref in self.marks else cell for cell in row] for row in grid.cells]
        return replace(grid, cells=rows)

    def _title(self, step: str) -> str:
        return self.words(f"step.{base_of(step)}.title")

    def _blocks(self, tasks: dict[tuple[str, int], Task]) -> list[Task | list[Given]]:
        """Tasks and given steps in the order of the computation."""
        blocks: list[Task | list[Given]] = []
        drawn = {grid.step for task in tasks.values() for grid in (*operands_of(task.picture), task.picture.result)}
        worked = {step for step, _ in tasks}
        for name in self.run.steps:
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
        outside = not self.run.is_computed(name) or place_of(name) != place_of(self.place.step)
        return outside and name not in drawn and any(name in self.run.inputs(step) for step in self.printed)

    def _given(self, name: str) -> Given | None:
        index = place_at(self.run, name, self.place)
        painter = Painter(self.run, name, index, self.words, _NO_CHANGES)
        small = max(self.run.shape(name)[-2:]) <= limits.NUMBERS_IN_CELLS
        grid = self._unwritten(painter.own_grid(name)) if small else None
        fit = fit_grid(grid, self.paper) if grid else None
        if grid is None or fit is None:
            self.large.append(name)
            return None
        computed = self.run.is_computed(name)
        return Given(
            step=name,
            title=self._title(name) if computed else grid.title,
            caption=self.words(f"step.{base_of(name)}.caption") if computed else "",
            formula=formula_html(formula(self.run, name)),
            grid=grid,
            fit=fit,
            open=computed and fits(self.run, name),
        )


def _lead(index: tuple[int, ...]) -> int:
    return index[0] if len(index) > 2 else 0
