"""The words of the meaning space: what a stage is called, and what the axes are."""

from app.core.operations.numbers import show
from app.drawing.space.space import Space, SpaceStage
from app.language.words import Words
from app.sheet.labels import place_of


def stage_name(stage: SpaceStage, words: Words) -> str:
    """The name of a stage: before: x, after: out, layer 1."""
    if stage.kind == "layer":
        return words("space.layer", number=int(place_of(stage.step).rpartition(".")[2]) + 1)
    return words(f"space.stage.{stage.kind}", step=stage.step)


def axis_titles(space: Space, words: Words) -> list[str]:
    """The titles of the axes: the components themselves, or principal axes with what each keeps of the spread."""
    if space.plane is None:
        return [f"{words('axis.d_model')} {name}" for name in space.components]
    return [words("space.axis", number=number + 1, share=percent(share)) for number, share in enumerate(space.plane.shares)]


def short_titles(space: Space, words: Words) -> list[str]:
    """The titles of the axes without their share of the spread, for the head of a table."""
    return axis_titles(space, words) if space.plane is None else [words("space.axis.short", number=n + 1) for n in range(2)]


def percent(share: float) -> str:
    """Print a share as a percentage: 87.1 for 0.871."""
    return show(share * 100, 1)
