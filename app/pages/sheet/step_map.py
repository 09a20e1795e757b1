"""The map: every step as a thumbnail in order of computation, in rows that belong together and parts that open."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby

from app.drawing.space import has_space
from app.drawing.thumbnail import Thumbnail, make_thumbnail
from app.glossary import SPACE, TOKENS, entry_of
from app.language.words import Words
from app.pages.sheet.beside import BesidePanel
from app.pages.sheet.request import SheetRequest
from app.run.run import Run
from app.sheet.cells import Place
from app.sheet.idle import is_idle
from app.sheet.labels import part_title, place_of
from app.sheet.slopes import HUE, Influence

_ABREAST, _LETTERS = 3, 18
"""Steps, and letters of their names, that fit beside the title of their row."""


@dataclass(frozen=True, slots=True)
class MapStep:
    """A step in the map."""

    name: str
    thumbnail: Thumbnail | None
    hue: str
    current: bool
    changed: bool
    """True where a number differs from what it was before the edits."""
    idle: bool
    """True where the step changes nothing here."""
    feeds: str
    """What it is made from, in words."""
    still: bool = False
    """True where a cell is asked about and this step does not move it."""

    @property
    def looks(self) -> str:
        """The CSS classes of the step."""
        return f"stop hue-{self.hue}" + " idle" * self.idle + " changed" * self.changed + " still" * self.still


@dataclass(frozen=True, slots=True)
class MapRow:
    """A row of the map: steps that belong together."""

    number: int
    title: str
    steps: list[MapStep]

    @property
    def looks(self) -> str:
        """The classes it is drawn with: several steps stand side by side, lots of them or long names in a line of their own."""
        count, letters = len(self.steps), sum(len(step.name.rpartition(".")[2]) for step in self.steps)
        current, lots = any(step.current for step in self.steps), count > _ABREAST or letters > _LETTERS
        return (" current" * current + " many" * (count > 1) + " lots" * lots).lstrip()


@dataclass(frozen=True, slots=True)
class MapSection:
    """A part of the computation, such as a layer; a closed one shows its heading alone, which leads to ``first``."""

    title: str
    first: str
    open: bool
    rows: list[MapRow]


@dataclass(frozen=True, slots=True)
class MapPanel:
    """Every step, in the parts of the computation."""

    sections: list[MapSection]


def make_map_panel(page: SheetRequest, beside: BesidePanel) -> MapPanel:
    """Draw the map for the head that is looked at."""
    head, _ = page.looked_at
    return MapPanel(make_map(page.run, page.place, head, page.words, beside.changes.before, page.influence))


def make_map(
    run: Run, place: Place, head: int, words: Words, changed: Collection[str], influence: Influence | None = None
) -> list[MapSection]:
    """All steps; of the parts only the one that is looked at is open."""
    sections: list[MapSection] = []
    number = 1 if run.tokens else 0
    for part, names in groupby(run.steps, place_of):
        steps = list(names)
        is_open = not part or part == place_of(place.step)
        rows = _rows(run, steps, place, head, words, number, changed, influence) if is_open else []
        number += len(rows)
        sections.append(MapSection(part_title(run, part, words), steps[0], is_open, rows))
    return _with_space(run, _with_tokens(run, sections, place, words), place, number, words)


def _with_space(run: Run, sections: list[MapSection], place: Place, before: int, words: Words) -> list[MapSection]:
    """Append the words as points, the last row of the map."""
    if not has_space(run):
        return sections
    step = MapStep(SPACE, None, "weights", place.step == SPACE, False, False, "")
    return [*sections, MapSection("", SPACE, True, [MapRow(before + 1, words(f"row.{SPACE}"), [step])])]


def _with_tokens(run: Run, sections: list[MapSection], place: Place, words: Words) -> list[MapSection]:
    """Put the sentence itself before all steps, as the first row of the map."""
    if not run.tokens:
        return sections
    step = MapStep(TOKENS, None, "x", place.step == TOKENS, False, False, "")
    return [MapSection("", TOKENS, True, [MapRow(1, words(f"row.{TOKENS}"), [step])]), *sections]


def _rows(
    run: Run,
    names: list[str],
    place: Place,
    head: int,
    words: Words,
    before: int,
    changed: Collection[str],
    influence: Influence | None,
) -> list[MapRow]:
    rows: dict[tuple[str, str], list[MapStep]] = {}
    for name in names:
        key = (name.rpartition(".")[0], entry_of(name).row)
        rows.setdefault(key, []).append(_step(run, name, place, head, words, name in changed, influence))
    return [MapRow(before + number + 1, words(f"row.{row}"), steps) for number, ((_, row), steps) in enumerate(rows.items())]


def _step(run: Run, name: str, place: Place, head: int, words: Words, changed: bool, influence: Influence | None) -> MapStep:
    shape = run.shape(name)
    heads = shape[0] if len(shape) == 3 else 1
    inputs = run.inputs(name)
    return MapStep(
        name=name,
        thumbnail=make_thumbnail(run, name, head * heads // run.sizes.n_heads, influence),
        hue=HUE if influence else entry_of(name).hue,
        current=name == place.step,
        changed=changed,
        idle=not influence and is_idle(run, name),
        feeds=words("map.from", inputs=", ".join(inputs)) if inputs else "",
        still=influence is not None and influence.bond(name) != "moves",
    )
