"""Meaning space: the words as points, before and after attention, and from where they are looked at."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from app import limits
from app.core.measures.camera import seen
from app.core.measures.plane import Plane, on_plane, principal_plane
from app.core.operations.ops import Values
from app.run.run import Run
from app.sheet.labels import axes_of, labels_of, place_of
from app.text.spelling import same_words

Kind = Literal["before", "position", "layer", "after"]


@dataclass(frozen=True, slots=True)
class SpaceStage:
    """The words at one point of the computation: which step that is, and every word's vector there."""

    step: str
    kind: Kind
    vectors: Values

    @property
    def hue(self) -> str:
        """The colour by meaning: words as they came in grey, what attention made of them in its purple."""
        return "x" if self.kind in ("before", "position") else "weights"


@dataclass(frozen=True, slots=True)
class Turn:
    """The direction from which three components are looked at, in degrees."""

    azimuth: int = 25
    elevation: int = 20

    def moved(self, azimuth: int, elevation: int) -> Turn:
        return Turn((self.azimuth + azimuth) % 360, min(90, max(-90, self.elevation + elevation)))

    def __str__(self) -> str:
        return f"{self.azimuth},{self.elevation}"


@dataclass(frozen=True, slots=True)
class Space:
    """The stages in order, the words, and the plane they are drawn on where they have over three numbers.

    ``left_out`` is why there is no stage after: its ``width`` is another one, or its numbers are too ``large``.
    """

    tokens: tuple[str, ...]
    names: list[str]
    """The words told apart, where they come more than once: 犬 1, 犬 2."""
    components: list[str]
    stages: list[SpaceStage]
    plane: Plane | None
    left_out: Literal["", "width", "large"]
    last: str
    """The step that stands at the end of the computation."""

    @property
    def width(self) -> int:
        return int(self.stages[0].vectors.shape[1])

    @property
    def before(self) -> SpaceStage:
        return self.stages[0]

    @property
    def after(self) -> SpaceStage | None:
        return self.stages[-1] if self.stages[-1].kind == "after" else None

    @property
    def ends(self) -> Values:
        """The points before and after together."""
        return np.vstack([stage.vectors for stage in self.stages if stage.kind in ("before", "after")])

    @property
    def still(self) -> bool:
        """True where all points before and after are one."""
        return self.plane.kept == 0 if self.plane else bool((self.ends == self.ends[0]).all())

    def coordinates(self, stage: SpaceStage) -> Values:
        """The coordinates of a stage as they are drawn: the components themselves, or the shadow on the plane."""
        return on_plane(self.plane, stage.vectors) if self.plane else stage.vectors

    def on_paper(self, stage: SpaceStage, turn: Turn) -> Values:
        """The coordinates of the words of a stage in the picture: right and up. A single component has a row for each word."""
        numbers = self.coordinates(stage)
        if self.width == 1:
            return np.column_stack([numbers, -np.arange(len(numbers), dtype=float)])
        return seen(numbers, turn.azimuth, turn.elevation) if numbers.shape[1] == 3 else numbers


def has_space(run: Run) -> bool:
    """True where the words have vectors before attention; queries, keys and values given directly have none."""
    return "x" in run.steps


def make_space(run: Run) -> Space:
    """Gather the words' vectors, from the first to the last."""
    *through, last = _ends(run)
    left_out = _left_out(run, [*through, last])
    kinds: dict[str, Kind] = {"x": "before", **({"x_pos": "position"} if "x_pos" in run.steps else {})}
    if not left_out:
        kinds |= {**dict.fromkeys(through, "layer"), last: "after"}
    stages = [SpaceStage(step, kind, run.values(step)) for step, kind in kinds.items()]
    space = Space(run.names_q, _told_apart(run.names_q), labels_of(run, "x")[1], stages, None, left_out, last)
    return space if space.width <= 3 else replace(space, plane=principal_plane(space.ends))


def last_step(run: Run) -> str:
    """The last step of the computation that has a row for each word."""
    return _ends(run)[-1]


_LAYER = re.compile(r"layer\.\d+")
"""A whole layer; inside it may be parts of its own, such as one for each token."""


def _ends(run: Run) -> list[str]:
    """The steps that the layers hand on; without layers, the output."""
    parts = [part for part in dict.fromkeys(map(place_of, run.steps)) if _LAYER.fullmatch(part)]
    return [_last(run, part) for part in parts or [""]]


def _last(run: Run, part: str) -> str:
    """The last step of a part that was computed and has a row for each word."""
    names = [name for name in run.steps if place_of(name) == part and _is_of_words(run, name)]
    return names[-1]


def _is_of_words(run: Run, name: str) -> bool:
    shape = run.shape(name)
    by_word = len(shape) == 2 and shape[0] == run.sizes.n_q and axes_of(run, name)[0] in ("token", "query")
    return by_word and run.is_computed(name)


def _left_out(run: Run, steps: list[str]) -> Literal["", "width", "large"]:
    if run.shape(steps[-1])[1] != run.shape("x")[1]:
        return "width"
    return "large" if max(float(np.abs(run.values(step)).max()) for step in steps) > limits.DRAWN else ""


def _told_apart(words: tuple[str, ...]) -> list[str]:
    """Number the words that come more than once, so that their labels differ."""
    keys = same_words(words)
    many, so_far = Counter(keys), Counter[str]()
    names = []
    for word, key in zip(words, keys, strict=True):
        so_far[key] += 1
        names.append(f"{word} {so_far[key]}" if many[key] > 1 else word)
    return names


def read_turn(text: str) -> Turn:
    """Read a direction from a URL, ``25,20``; the usual one where the text is none."""
    found = re.fullmatch(r"(-?\d{1,4}),(-?\d{1,3})", text, re.ASCII)
    return Turn(0, 0).moved(int(found[1]), int(found[2])) if found else Turn()
