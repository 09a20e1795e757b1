"""The meaning space as the page shows it beside the figure: what the plane keeps, a table of numbers, facts, the chosen word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.core.measures.nearness import closest_pair, cosines, distances, mean_distance, twins
from app.core.operations.numbers import is_rounded, show
from app.core.operations.ops import Values
from app.drawing.space import NAMED, Space, Turn, axis_titles, make_space, percent, read_turn, short_titles, stage_name
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import Place
from app.text.spelling import same_words

_WRITTEN = 4
"""Components up to which the distance is written out."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: a word before and after, how far it moved, how alike its direction stayed."""

    name: str
    ref: str
    chosen: bool
    before: list[str]
    after: list[str]
    moved: str
    cosine: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chosen word with all its numbers, and where they come from: name of the stage, step, colour, numbers."""

    name: str
    vectors: list[tuple[str, str, str, str]]
    distance: str
    """The distance, written out where the numbers are few."""
    cosine: str
    spoken: str
    """All of it for the ear."""


@dataclass(frozen=True, slots=True)
class SpaceView:
    """All that the page says of the meaning space."""

    said: list[str]
    """What the axes are, what is kept, what is left out."""
    facts: list[str]
    axes: list[str]
    rows: list[Row]
    before: str
    after: str
    loadings: list[tuple[str, list[str]]]
    """What each principal axis is made of."""
    components: list[str]
    chosen: Chosen
    turn: str
    """From where three components are seen; nothing for fewer or more."""
    turned: str
    """The direction of view as the address writes it; empty where it is the usual one."""
    turns: list[tuple[str, str]]
    """The ways to turn the figure: what it is called, and the direction it leads to."""


def make_space_view(run: Run, place: Place, turn: str, words: Words) -> SpaceView:
    """Describe the meaning space in the reader's language."""
    space, chosen = make_space(run), place.index[0]
    axes, seen_from = short_titles(space, words), read_turn(turn)
    loadings = space.plane.axes if space.plane else np.zeros((0, 0))
    return SpaceView(
        said=_said(space, axis_titles(space, words), words),
        facts=_facts(space, words),
        axes=axes,
        rows=_rows(space, chosen),
        before=stage_name(space.before, words),
        after=stage_name(space.after, words) if space.after else "",
        loadings=[(axis, _shown(numbers)) for axis, numbers in zip(axes, loadings, strict=False)],
        components=space.components,
        chosen=_chosen(space, chosen, words),
        turn=str(seen_from) if space.width == 3 else "",
        turned=str(seen_from) if space.width == 3 and seen_from != Turn() else "",
        turns=_turns(seen_from) if space.width == 3 else [],
    )


def _turns(turn: Turn) -> list[tuple[str, str]]:
    ways = {"left": (-15, 0), "right": (15, 0), "up": (0, 10), "down": (0, -10)}
    return [(way, str(turn.moved(*degrees))) for way, degrees in ways.items()]


def _said(space: Space, axes: list[str], words: Words) -> list[str]:
    """Sentences on the picture: the axes and what they keep, then whatever is not as usual."""
    if space.still:
        said = [words("space.still")]
    elif space.plane:
        said = [words("space.plane", share=percent(space.plane.kept), axes=", ".join(axes), width=space.width)]
    else:
        said = [words(f"space.whole.{space.width}", axes=", ".join(axes))]
    if space.left_out:
        said.append(words(f"space.left_out.{space.left_out}", step=space.last))
    if len(space.names) > NAMED:
        said.append(words("space.many", count=NAMED))
    return said


def _facts(space: Space, words: Words) -> list[str]:
    """Sentences on words: which are nearest, whether words moved together or apart, whether one word stayed one."""
    told = [_nearest(space, "before", space.before.vectors, words)]
    if space.after:
        told.append(_nearest(space, "after", space.after.vectors, words))
        told += _apart(space, space.before.vectors, space.after.vectors, words)
    return [fact for fact in told if fact]


def _apart(space: Space, before: Values, after: Values, words: Words) -> list[str]:
    """The mean distance of the words, and the distance of two that are the same word, before and after."""
    told, means = [], (mean_distance(before), mean_distance(after))
    if means[0] is not None and means[1] is not None:
        told.append(words("space.mean", before=show(means[0]), after=show(means[1])))
    if pair := twins(same_words(space.tokens)):
        first, second = (distances(points[[pair[0]]], points[[pair[1]]])[0] for points in (before, after))
        names = {"first": space.names[pair[0]], "second": space.names[pair[1]]}
        told.append(words("space.twins", **names, before=show(first), after=show(second)))
    return told


def _nearest(space: Space, when: str, vectors: Values, words: Words) -> str:
    pair = closest_pair(vectors, same_words(space.tokens))
    if pair is None:
        return ""
    first, second, distance = pair
    return words(f"space.nearest.{when}", first=space.names[first], second=space.names[second], distance=show(distance))


def _rows(space: Space, chosen: int) -> list[Row]:
    before = space.coordinates(space.before)
    after = space.coordinates(space.after) if space.after else None
    moved = _shown(distances(space.before.vectors, space.after.vectors)) if space.after else [""] * len(before)
    alike = _alike(space)
    return [
        Row(
            name,
            f"x[{row},0]",
            row == chosen,
            _shown(before[row]),
            [] if after is None else _shown(after[row]),
            moved[row],
            alike[row],
        )
        for row, name in enumerate(space.names)
    ]


def _alike(space: Space) -> list[str]:
    """The cosine of every word; a dash where a vector is zero and points nowhere."""
    if space.after is None:
        return [""] * len(space.names)
    found = cosines(space.before.vectors, space.after.vectors)
    return ["–" if value is None else show(value) for value in found]


def _shown(numbers: Values) -> list[str]:
    return [show(value) for value in numbers]


def _chosen(space: Space, row: int, words: Words) -> Chosen:
    name, stages = space.names[row], space.stages
    vectors = [(stage_name(stage, words), stage.step, stage.hue, ", ".join(_shown(stage.vectors[row]))) for stage in stages]
    said = f"{name}. " + ". ".join(f"{stage}: {numbers}" for stage, _, _, numbers in vectors)
    if space.after is None:
        return Chosen(name, vectors, "", "", said)
    before, after = space.before.vectors[row], space.after.vectors[row]
    moved = f"{words('space.moved')}: {show(distances(before[None], after[None])[0])}"
    return Chosen(name, vectors, _written(before, after), _alike(space)[row], f"{said}. {moved}")


def _written(before: Values, after: Values) -> str:
    """Write a distance as a root of squares: √((3 − 1)² + (0 − 2)²) = 2.828."""
    distance = float(distances(before[None], after[None])[0])
    if len(before) > _WRITTEN:
        return show(distance)
    parts = " + ".join(f"({show(new)} − {_bracketed(old)})²" for old, new in zip(before, after, strict=True))
    rounded = any(map(is_rounded, np.array([*before, *after, distance])))
    return f"√({parts}) {'≈' if rounded else '='} {show(distance)}"


def _bracketed(value: float) -> str:
    text = show(value)
    return f"({text})" if value < 0 else text
