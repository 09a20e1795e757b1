"""Projector: one step a screen, ready for its template. Numbers, names and arithmetic are those of the sheet."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.address.looking import head_and_query, head_tabs
from app.address.presentation import Presentation
from app.address.unknown_fields import LEFT_OUT
from app.drawing.formulas import formula_html
from app.drawing.painter import Painter
from app.drawing.picture import Picture, fits
from app.errors import Problem
from app.glossary import TOKENS, base_of, entry_of
from app.language.words import Words
from app.pages.projector.arithmetic import Panel, make_panel
from app.pages.projector.headline import Headline, make_headline
from app.pages.projector.large import Heat, Strip, best_across, make_heats, make_strip
from app.pages.projector.measure import PanelSize, ems, measure_panel
from app.pages.projector.stage import INNER, ProjectorStage, arrange, fit_panel
from app.pages.projector.walk import Stop, Walk
from app.run.run import Run
from app.sheet.cells import reference
from app.sheet.changes import Changes
from app.sheet.labels import names_at, part_title, place_of
from app.sheet.spoken import make_spoken_why, unsaid
from app.sheet.steps import formula, notices_in_words
from app.sheet.why import Why
from app.text.tokens import shorten

_DOTS = 20
"""Steps up to which each has its dot."""
_CHIP, _NAME, _TOKEN = 12, 20, 40
"""Letters of a word as a chip, in a question, and as a token by itself."""


@dataclass(frozen=True, slots=True)
class Projection:
    """One screen, all words included."""

    walk: Walk
    links: dict[str, str]
    stops: list[Stop]
    fields: list[tuple[str, str]]
    cell: str
    hue: str
    part: str
    title: str
    question: str
    headline: Headline
    head: str
    why: Why | None
    label: str
    panel: Panel | None
    picture: Picture | None
    stage: ProjectorStage | None
    heats: Sequence[Heat]
    strip: Strip | None
    tokens: list[tuple[str, str, bool]]
    token_size: int
    unsaid: str
    messages: list[str]

    @property
    def across(self) -> int:
        """How many heads stand beside each other."""
        return best_across(len(self.heats), self.headline.stage)

    @property
    def reveals(self) -> bool:
        """True where the numbers are worked out, so that they can be predicted first."""
        return bool(self.panel and self.why and self.why.parts)

    @property
    def plays(self) -> bool:
        """True for a product that can be played term by term."""
        return bool(self.picture and self.picture.layout == "product" and self.panel and self.panel.kind == "sum")


def project(run: Run, presentation: Presentation, problems: Sequence[Problem], words: Words) -> Projection:
    """One screen of a run."""
    walk = Walk(run, presentation, words)
    place, step = walk.place, walk.place.step
    why = None if step == TOKENS else make_spoken_why(run, step, place.index, words)
    part = part_title(run, place_of(step), words)
    title = words(f"step.{base_of(step)}.name")
    question, label = _question(run, walk, why, words)
    head = _head(run, walk, words)
    messages = [*(words.problem(problem) for problem in problems), *([words("projector.last_good")] if problems else [])]
    messages += [notice.text for notice in notices_in_words(run.notices, words) if notice.code in LEFT_OUT]
    drawn = Markup("") if step == TOKENS else formula_html(formula(run, step))
    headline = make_headline(f"{part} {title}", drawn, question, _chips(run, walk), head, messages)
    panel = None if why is None or place.all_heads else make_panel(why)
    scene = _set(run, walk, measure_panel(panel, label) if panel else None, headline.stage, words)
    return Projection(
        walk=walk,
        links=walk.links(),
        stops=walk.stops() if len(walk.order) <= _DOTS else [],
        fields=[*run.query, ("view", "projector"), *walk.carried.items()],
        cell="" if step == TOKENS else reference(step, place.index),
        hue="x" if step == TOKENS else entry_of(step).hue,
        part=part,
        title=title,
        question=question,
        headline=headline,
        head=head,
        why=why,
        label=label,
        panel=panel,
        picture=scene.picture,
        stage=scene.stage,
        heats=scene.heats,
        strip=scene.strip,
        tokens=_tokens(run, walk),
        token_size=_token_size(run, headline.stage) if step == TOKENS else 0,
        unsaid=unsaid(why, words) if why else "",
        messages=messages,
    )


def _question(run: Run, walk: Walk, why: Why | None, words: Words) -> tuple[str, str]:
    """The question about the chosen cell; else the caption of the step. And what stands above the arithmetic."""
    step = walk.place.step
    if why is None:
        return words("step.tokens.caption", split=words(f"choice.{run.scenario.split}")), ""
    key = f"question.{base_of(step)}"
    if key not in words or walk.place.all_heads:
        return words(f"step.{base_of(step)}.caption"), f"{why.name}\n{why.note}".strip()
    row, column = names_at(run, step, tuple(why.index))
    return words(key, row=shorten(row, _NAME), column=shorten(column, _NAME)), why.note


def _chips(run: Run, walk: Walk) -> list[tuple[str, bool]]:
    """Make the words of the sentence, the chosen one marked; the step of the tokens shows them itself."""
    _, query = head_and_query(run, walk.place)
    tokens = [] if walk.place.step == TOKENS else run.tokens
    return [(shorten(token.text, _CHIP), row == query) for row, token in enumerate(tokens)]


def _head(run: Run, walk: Walk, words: Words) -> str:
    """Say which head is shown, and of how many."""
    tabs = head_tabs(run, walk.place, words)
    if not tabs or walk.place.all_heads:
        return words("heads.all") if tabs else ""
    return words("projector.head", name=tabs[walk.place.index[0]][0], count=len(tabs))


@dataclass(frozen=True, slots=True)
class _Scene:
    """What stands on the stage: matrices in numbers, or colours and one row."""

    picture: Picture | None = None
    stage: ProjectorStage | None = None
    heats: Sequence[Heat] = ()
    strip: Strip | None = None


def _set(run: Run, walk: Walk, arithmetic: PanelSize | None, height: float, words: Words) -> _Scene:
    """Matrices in numbers where they fit; else colours, the chosen row and the arithmetic; or the colours of all heads."""
    place, zoom = walk.place, walk.zoom / 100
    if place.step == TOKENS:
        return _Scene()
    if arithmetic is None:
        return _Scene(heats=make_heats(run, place, height, words))
    painter = Painter(run, place.step, place.index, words, Changes({}, {}))
    if fits(run, place.step):
        picture = painter.picture()
        if stage := arrange(picture, arithmetic, height, zoom):
            return _Scene(picture, stage)
    strip = make_strip(painter)
    free = height - strip.height - 20
    size, columns = fit_panel(arithmetic, INNER * 0.5, free, zoom) or (28, 2)
    return _Scene(None, ProjectorStage("beside", 28, 28, size, columns, INNER * 0.5), make_heats(run, place, free, words), strip)


def _tokens(run: Run, walk: Walk) -> list[tuple[str, str, bool]]:
    """Every token, the cell that it leads to, and whether it is looked at."""
    if walk.place.step != TOKENS:
        return []
    row = walk.place.index[0]
    return [(shorten(token.text, _TOKEN), reference("x", (n, 0)), n == row) for n, token in enumerate(run.tokens)]


def _token_size(run: Run, height: float) -> int:
    """The largest letters with which all tokens and their numbers fit."""
    widths = [ems(shorten(token.text, _TOKEN)) for token in run.tokens]
    for size in range(110, 28, -4):
        lines, taken = 1, 0.0
        for width in widths:
            room = max(width * size + size * 1.0, 64) + 20
            lines, taken = (lines, taken + room) if taken + room <= INNER else (lines + 1, room)
        if lines * (size * 1.6 + 66) <= height - 30:
            return size
    return 28
