"""View: everything the page shows of one run, ready for the template."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from app.address.hiding import hidden_groups, read_hidden
from app.address.presentation import Presentation, find_place
from app.core.heads import readers_of
from app.drawing.arcs import Arcs, make_arcs
from app.drawing.diagrams import Dial, Sharing, make_dials, make_sharing
from app.drawing.formulas import formula_html
from app.drawing.painter import Painter
from app.drawing.picture import Legend, Picture, fits, legend_of
from app.drawing.space import has_space
from app.drawing.space.table import SpaceView, make_space_view
from app.errors import Problem
from app.glossary import SPACE, TOKENS
from app.language.words import Words
from app.pages.sheet.comparison import Contrast, make_contrast
from app.pages.sheet.controls import ControlGroup, hide_groups, make_controls
from app.pages.sheet.step_map import MapSection, make_map
from app.run.run import Run
from app.sheet.cells import Place, reference
from app.sheet.changes import Changes, find_changes
from app.sheet.facts import facts
from app.sheet.labels import axes_of, lead_of, part_title, place_of, shape_of
from app.sheet.slopes import Influence, SlopeSummary, make_slope_summary
from app.sheet.spoken import make_spoken_why
from app.sheet.steps import Check, NoticeOut, Step, checks_of, formula, make_step, notices_in_words, write_query
from app.sheet.uses import Onward, make_onward
from app.sheet.why import Why


@dataclass(frozen=True, slots=True)
class Chip:
    """A token as a chip; pressing it looks at that word."""

    text: str
    ref: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class View:
    """The page, all words included."""

    query: str
    place: Place
    cell: str
    space: SpaceView | None
    typed: Mapping[str, str]
    text_error: str
    other_errors: list[str]
    chips: list[Chip]
    groups: list[ControlGroup]
    sections: list[MapSection]
    part: str
    step: Step | None
    formula: Markup
    checks: list[Check]
    notices: list[NoticeOut]
    facts: list[NoticeOut]
    legend: Legend | None
    picture: Picture | None
    heads: list[tuple[str, str]]
    shape: str
    dials: list[Dial]
    sharing: Sharing | None
    arcs: Arcs | None
    arcs_head: int
    why: Why | None
    onward: Onward | None
    moved: SlopeSummary | None
    """What is said of the cell whose slopes are shown."""
    was: str
    """What the chosen cell was before the edits."""
    edits: list[str]
    choosers: list[tuple[str, list[tuple[str, str, bool]]]]
    previous: str
    following: str
    hidden: tuple[str, ...]
    """What the link leaves out."""
    contrast: Contrast | None
    """What is pinned beside it, where something is."""

    def words(self, between: str) -> str:
        """The sentence, word by word."""
        return between.join(chip.text for chip in self.chips)


def make_view(
    run: Run,
    typed: Mapping[str, str],
    presentation: Presentation,
    problems: list[Problem],
    words: Words,
    influence: Influence | None = None,
    pinned: Run | None = None,
) -> View:
    """Gather what the page shows; beside a pinned run, what was before the edits gives way to what is there."""
    place = find_place(run, presentation, space=True)
    order = [*([TOKENS] if run.tokens else []), *run.trace, *([SPACE] if has_space(run) else [])]
    at = order.index(place.step)
    head, query = looked_at(run, place)
    whole = place.step not in run.trace  # the sentence or its points: no array
    step = None if whole else make_step(run, place.step, words)
    small = not whole and fits(run, place.step)
    contrast = make_contrast(pinned, run, place, words, influence) if pinned else None
    changes = Changes({}, {}) if contrast else find_changes(run)
    groups = make_controls(run, typed, problems, words)
    hidden = read_hidden(presentation.hide)
    groups = hide_groups(groups, hidden_groups(hidden))
    shown = {control.field.name for group in groups if not group.hidden for control in group.controls}
    return View(
        query=write_query(run.query),
        place=place,
        cell="" if place.step == TOKENS else reference("x" if whole else place.step, place.index),
        space=make_space_view(run, place, presentation.turn, words) if place.step == SPACE else None,
        typed=typed,
        text_error=next((words.problem(problem) for problem in problems if problem.field == "text"), ""),
        other_errors=[words.problem(problem) for problem in problems if problem.field not in (*shown, "text")],
        chips=_chips(run, place, query),
        groups=groups,
        sections=make_map(run, place, head, words, changes.before, influence),
        part=part_title(run, place_of(place.step), words),
        step=step,
        formula=Markup("") if whole else formula_html(formula(run, place.step)),
        checks=[] if whole else checks_of(run, place.step, words),
        notices=notices_in_words(run.notices, words),
        facts=notices_in_words(facts(run), words),
        legend=None if whole else legend_of(run, place.step),
        picture=contrast.picture
        if contrast
        else Painter(run, place.step, place.index, words, changes, influence).picture()
        if small and not place.all_heads
        else None,
        heads=head_tabs(run, place, words),
        shape="" if step is None else shape_of(run, place.step, words),
        dials=[] if whole else make_dials(run, place),
        sharing=make_sharing(run),
        arcs=make_arcs(run, place.step, head, query),
        arcs_head=head + 1 if run.sizes.n_heads > 1 else 0,
        why=None if whole else make_spoken_why(run, place.step, place.index, words),
        onward=None if whole else make_onward(run, place.step, place.index, words),
        moved=make_slope_summary(influence, place.step, place.index, words) if influence else None,
        was="" if whole else changes.was(place.step, place.index),
        edits=[reference(name, index) for name, cells in (run.scenario.edits or {}).items() for index in cells],
        choosers=[] if whole or step is None else _choosers(step, place, words),
        previous=order[at - 1] if at else "",
        following=order[at + 1] if at + 1 < len(order) else "",
        hidden=hidden,
        contrast=contrast,
    )


def looked_at(run: Run, place: Place) -> tuple[int, int]:
    """The query head and the query word that the arcs are drawn for."""
    if place.step not in run.trace:
        return 0, min(place.index[0], run.sizes.n_q - 1)
    found = dict(zip(axes_of(run, place.step), place.index, strict=True))
    first = readers_of(found.get("kv_head", 0), run.sizes.n_heads, run.sizes.n_kv_heads)[0]
    head = min(found.get("head", first), run.sizes.n_heads - 1)
    query = found.get("query", found.get("token", found.get("key", run.sizes.n_q - 1)))
    return head, min(query, run.sizes.n_q - 1)


def _chips(run: Run, place: Place, query: int) -> list[Chip]:
    """One chip a token; its cell is the one of the present step that is about this word."""
    chips = []
    for row, token in enumerate(run.tokens):
        if place.step not in run.trace:
            ref = reference("x", (row, 0))
        else:
            axes = axes_of(run, place.step)
            words_axis = next((axis for axis in ("query", "token", "key") if axis in axes), None)
            moved = [row if axis == words_axis else old for axis, old in zip(axes, place.index, strict=True)]
            there = words_axis and row < run.trace[place.step].shape[axes.index(words_axis)]
            ref = reference(place.step, tuple(moved)) if there else reference("x", (row, 0))
        chips.append(Chip(token.text, ref, row == query))
    return chips


def head_tabs(run: Run, place: Place, words: Words) -> list[tuple[str, str]]:
    """The tabs of heads or channels: name, and the cell that shows the same place there."""
    if place.step not in run.trace or len(run.trace[place.step].shape) != 3 or run.trace[place.step].shape[0] == 1:
        return []
    kind = lead_of(place.step)
    return [
        (words(f"cell.{kind}_title", head=head + 1), reference(place.step, (head, *place.index[1:])))
        for head in range(run.trace[place.step].shape[0])
    ]


def _choosers(step: Step, place: Place, words: Words) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """For each axis, the cells that differ from the chosen one along it: a way to any cell without a pointer."""
    choosers = []
    for axis, name in enumerate(step.axes):
        if step.shape[axis] == 1:
            continue
        cells = []
        for number, label in enumerate(step.labels[axis]):
            index = (*place.index[:axis], number, *place.index[axis + 1 :])
            cells.append((reference(step.name, index), label, number == place.index[axis]))
        choosers.append((words(f"axis.{name}"), cells))
    return choosers
