"""Controls: the form, drawn from the fields of the scenario."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache

from app import limits
from app.address.hiding import hidden_groups, read_hidden
from app.core.operations.numbers import write
from app.errors import Problem
from app.language.words import Words
from app.pages.sheet.request import SheetRequest
from app.run.run import Run
from app.scenario import notation
from app.scenario.opening import NEWLY_DRAWN
from app.scenario.table import SCENARIO_FIELDS, choices_of, conditions_of, group_of, is_used, notation_of, write_field
from app.sheet.field_words import applies, default_of, field_help, is_number

_PRESETS = ("identity", "zero", "permutation", "random")
_ONE_LINE = (notation.NUMBER, notation.SCALE, notation.WHOLES, notation.LABELS)


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field of the form without its value. ``kind``: ``choice``, ``number``, ``line`` or ``lines``."""

    name: str
    kind: str
    label: str
    help: str
    choices: tuple[tuple[str, str], ...]
    presets: tuple[tuple[str, str], ...]
    """Matrices that can be put in by name."""
    conditions: str
    """What other fields must be for this one to be used: ``mask=dilated,global``, several with ``;``."""


@dataclass(frozen=True, slots=True)
class Control:
    """A field of the form with its present value."""

    field: Field
    value: str
    placeholder: str
    error: str
    offer: tuple[str, str] | None
    used: bool


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """Fields that belong together; ``summary`` is what the closed group says."""

    name: str
    label: str
    help: str
    summary: str
    controls: tuple[Control, ...]
    hidden: bool = False
    """Not shown; what stands in its fields stays in force."""

    @property
    def wrong(self) -> bool:
        return any(control.error for control in self.controls)


_BOUNDS = {
    "characters": limits.TEXT,
    "tokens": limits.TOKENS,
    "number": write(limits.NUMBER),
    "label": limits.LABEL,
    "edits": limits.EDITS,
    "width": limits.WIDTH,
    "scores": limits.SCORES,
    "steps": limits.STEPS,
}
_BOUNDED = ("text", "matrices")


@dataclass(frozen=True, slots=True)
class ControlsPanel:
    """The form: its fields in groups, what is wrong with what stands in none of them, and what the link leaves out."""

    groups: list[ControlGroup]
    errors: list[str]
    hidden: tuple[str, ...]


def make_controls_panel(page: SheetRequest) -> ControlsPanel:
    """Gather the form; a problem of a field that is not shown is said beside it."""
    hidden = read_hidden(page.presentation.reader.hide)
    groups = hide_groups(make_controls(page.run, page.typed, page.problems, page.words), hidden_groups(hidden))
    shown = {control.field.name for group in groups if not group.hidden for control in group.controls}
    errors = [page.words.problem(problem) for problem in page.problems if problem.field not in (*shown, "text")]
    return ControlsPanel(groups, errors, hidden)


def make_controls(run: Run, typed: Mapping[str, str], problems: list[Problem], words: Words) -> list[ControlGroup]:
    """All groups in the order of the fields; what was typed stands in them as it was typed."""
    groups: dict[str, list[Control]] = {}
    wrong = {problem.field: problem for problem in problems}
    for name in SCENARIO_FIELDS:
        if name != "text":
            control = _control(run, name, typed.get(name, ""), wrong.get(name), words)
            groups.setdefault(group_of(name), []).append(control)
    return [_group(run, name, tuple(controls), words) for name, controls in groups.items()]


def hide_groups(groups: list[ControlGroup], names: Collection[str]) -> list[ControlGroup]:
    """Mark the groups of controls that the link hides."""
    return [replace(group, hidden=True) if group.name in names else group for group in groups] if names else groups


def _group(run: Run, name: str, controls: tuple[Control, ...], words: Words) -> ControlGroup:
    help_ = words(f"limits.{name}", **_BOUNDS) if name in _BOUNDED else ""
    return ControlGroup(name, words(f"group.{name}"), help_, _summary(run, name, words), controls)


def _control(run: Run, name: str, value: str, problem: Problem | None, words: Words) -> Control:
    return Control(
        field=_field(name, words),
        value=value or default_of(name),
        placeholder=applies(run, name),
        error=words.problem(problem) if problem else "",
        offer=problem.offer if problem else None,
        used=is_used(run.scenario, name) or problem is not None,
    )


@cache
def _field(name: str, words: Words) -> Field:
    choices = choices_of(name) if name != "scale" else ()
    presets = _PRESETS if notation_of(name) is notation.LEARNED else ()
    return Field(
        name=name,
        kind="choice" if choices else _kind(name),
        label=words(f"field.{name}.label"),
        help=field_help(name, words),
        choices=tuple((choice, words(f"choice.{choice}")) for choice in choices),
        presets=tuple((preset, words(f"choice.{preset}")) for preset in presets),
        conditions=";".join(f"{only.name}={','.join(only.values)}" for only in conditions_of(name)),
    )


def _kind(name: str) -> str:
    if is_number(name):
        return "number"
    return "line" if notation_of(name) in _ONE_LINE or name in ("padding", "text_k") else "lines"


def _summary(run: Run, group: str, words: Words) -> str:
    scenario, sizes = run.scenario, run.sizes
    if group == "scale":
        named = isinstance(scenario.scale, str)
        return words(f"choice.{scenario.scale}") if named else write_field("scale", scenario.scale)
    if group == "matrices":
        own = [name for name in scenario.given() if group_of(name) == "matrices" and name != NEWLY_DRAWN[0]]
        return str(len(own))
    shared = f"{sizes.n_heads}/{sizes.n_kv_heads}"
    return {
        "text": words(f"choice.{scenario.split}"),
        "sizes": str(sizes.d_model),
        "heads": str(sizes.n_heads) if sizes.n_heads == sizes.n_kv_heads else shared,
        "position": words(f"choice.{scenario.position}"),
        "block": str(scenario.n_layers) if scenario.n_layers else words("choice.none"),
        "mechanism": words(f"choice.{scenario.mechanism}"),
        "mask": words(f"choice.{scenario.mask or 'none'}"),
        "normalizer": words(f"choice.{scenario.normalizer}"),
    }[group]
