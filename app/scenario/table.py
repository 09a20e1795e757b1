"""Scenario: the one object that holds everything that decides the numbers.

A field is declared once, here: its bounds, its default, and its marks (``app.scenario.marks``), which say its place on the page,
how it is written in a query string, and when it has a part.
The form, the query string, the OpenAPI document and the validation all read this table.

What the core has is read from there and not said again. The words of a choice are the names of its registry. The default of
an option is that of the core's option object (``MASK.window``); what stands here as a number or a word is in no such object.
Which masks and positions have a part for an option is read from the functions themselves (``masks_with("window")``).
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from app import limits
from app.core import masks, positions, variants
from app.core.attention import NORMALIZERS
from app.core.layers.block import ORDERS
from app.core.layers.feed_forward import NETWORKS
from app.core.layers.layer import LayerForm
from app.core.layers.norms import NORMS
from app.core.masks import MASKS
from app.core.mechanisms import linear, state_space
from app.core.mechanisms.kinds import MECHANISMS
from app.core.positions import POSITIONS
from app.errors import Problem, Refusal
from app.scenario import notation
from app.scenario.field_types import (
    Bits,
    Edits,
    Labels,
    Learned,
    Matrix,
    Positive,
    Scale,
    Sentence,
    Table,
    Wholes,
    YesNo,
    one_of,
)
from app.scenario.marks import (
    EXPERTS,
    FIXED,
    LABELS,
    LAYERED,
    LEARNED,
    MATRIX,
    PLAIN,
    READS,
    SHARED,
    STATES,
    Group,
    Only,
    choice,
    count,
    mask_with,
    position_with,
    yes_no,
)
from app.scenario.notation import Notation
from app.text.tokens import SPLITS
from app.text.vectors import NEWEST, RULES

Position = Annotated[str, one_of("none", *POSITIONS)]
MaskName = Annotated[str, one_of(*MASKS, "custom")]
Network = Annotated[str, one_of(*NETWORKS)]
MASK, POSITION, FORM = masks.DEFAULT, positions.DEFAULT, variants.PLAIN
LAYER = LayerForm(n_heads=1, n_kv_heads=1)


class Scenario(BaseModel):
    """Everything that decides the numbers, as it was asked for. None: not given, so a default applies."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)

    text: Annotated[Sentence | None, notation.TEXT, Group("text")] = None
    text_k: Annotated[Sentence | None, notation.TEXT, Group("text"), Only("mechanism", ("attention", "tiled", "linear"))] = None
    split: Annotated[str, one_of(*SPLITS), notation.TEXT, Group("text")] = "words"
    d_model: Annotated[int | None, Field(ge=1, le=limits.D_MODEL), notation.WHOLE, Group("sizes")] = None
    d_head: Annotated[int | None, Field(ge=1, le=limits.D_MODEL), notation.WHOLE, Group("sizes")] = None
    seed: Annotated[int, Field(ge=0, le=limits.SEED), notation.WHOLE, Group("sizes")] = 0
    n_heads: Annotated[int | None, Field(ge=1, le=limits.HEADS), notation.WHOLE, Group("heads")] = None
    n_kv_heads: Annotated[int | None, Field(ge=1, le=limits.HEADS), notation.WHOLE, Group("heads")] = None
    heads_off: Annotated[Wholes | None, notation.WHOLES, Group("heads"), PLAIN] = None
    position: Annotated[Position, *choice("position")] = "none"
    max_positions: Annotated[int, *count(1, limits.TOKENS, "position", position_with("max_positions"))] = POSITION.max_positions
    max_distance: Annotated[int, *count(1, 128, "position", position_with("max_distance"))] = POSITION.max_distance
    n_buckets: Annotated[int, *count(4, 32, "position", position_with("n_buckets"))] = POSITION.n_buckets
    mask: Annotated[MaskName | None, *choice("mask", READS)] = None
    window: Annotated[int, *count(1, limits.TOKENS, "mask", mask_with("window"))] = MASK.window
    two_sided: Annotated[YesNo, *yes_no("mask", mask_with("two_sided"))] = MASK.two_sided
    prefix: Annotated[int, *count(0, limits.TOKENS, "mask", mask_with("prefix"))] = MASK.prefix
    dilation: Annotated[int, *count(1, limits.TOKENS, "mask", mask_with("dilation"))] = MASK.dilation
    n_global: Annotated[int, *count(0, limits.TOKENS, "mask", mask_with("n_global"))] = MASK.n_global
    block: Annotated[int, *count(1, limits.TOKENS, "mask", mask_with("block"))] = MASK.block
    allow: Annotated[Bits | None, notation.BITS, Group("mask"), Only("mask", ("custom",))] = None
    padding: Annotated[Bits | None, notation.BITS, Group("mask"), READS] = None
    mask_place: Annotated[str, one_of(*variants.MASK_PLACES), *choice("mask", PLAIN)] = FORM.mask_place
    scale: Annotated[Scale, notation.SCALE, Group("scale"), Only("mechanism", ("attention", "tiled", "cached"))] = FORM.scale
    temperature: Annotated[Positive, notation.NUMBER, Group("scale"), PLAIN] = FORM.temperature
    softcap: Annotated[Positive | None, notation.NUMBER, Group("scale"), PLAIN] = FORM.softcap
    qk_norm: Annotated[YesNo, *yes_no("scale", PLAIN)] = False
    normalizer: Annotated[str, one_of(*NORMALIZERS), *choice("normalizer", SHARED)] = FORM.normalizer
    inside: Annotated[YesNo, *yes_no("normalizer", PLAIN, Only("normalizer", ("softmax",)))] = FORM.inside
    sink: Annotated[YesNo, *yes_no("normalizer", PLAIN, Only("normalizer", ("softmax",)))] = False
    n_layers: Annotated[int, *count(0, 4, "block", Only("mechanism", ("attention", "tiled", "linear")))] = 0
    norm_place: Annotated[str, one_of(*ORDERS), *choice("block", LAYERED)] = LAYER.norm_place
    norm: Annotated[str, one_of(*NORMS), *choice("block", LAYERED)] = LAYER.norm
    activation: Annotated[Network, *choice("block", LAYERED)] = LAYER.activation
    d_ff: Annotated[int | None, *count(1, limits.WIDTH, "block", LAYERED)] = None
    n_experts: Annotated[int, *count(0, 8, "block", LAYERED)] = LAYER.n_experts
    top_k: Annotated[int | None, *count(1, 8, "block", LAYERED, EXPERTS)] = None
    renormalise: Annotated[YesNo, *yes_no("block", LAYERED, EXPERTS)] = LAYER.renormalise
    mechanism: Annotated[str, one_of(*MECHANISMS), *choice("mechanism")] = "attention"
    tile_q: Annotated[int, *count(1, limits.TOKENS, "mechanism", Only("mechanism", ("tiled",)))] = 2
    tile_k: Annotated[int, *count(1, limits.TOKENS, "mechanism", Only("mechanism", ("tiled",)))] = 2
    linear_form: Annotated[str, one_of(*linear.FORMS), *choice("mechanism", Only("mechanism", ("linear",)))] = "quadratic"
    selective: Annotated[YesNo, *yes_no("mechanism", STATES)] = False
    ssm_form: Annotated[str, one_of(*state_space.FORMS), *choice("mechanism", STATES, FIXED)] = "scan"
    ssm_rule: Annotated[str, one_of(*state_space.RULES), *choice("mechanism", STATES)] = "zoh"
    d_state: Annotated[int, *count(1, 16, "mechanism", STATES)] = 4
    delta: Annotated[Positive, notation.NUMBER, Group("mechanism"), STATES, FIXED] = 0.5
    n_channels: Annotated[int, *count(1, 16, "mechanism", STATES)] = 2
    toy: Annotated[int, *count(RULES[0], NEWEST, "matrices")] = RULES[0]
    table: Annotated[Table | None, notation.TABLE, Group("matrices")] = None
    x: Annotated[Matrix | None, *MATRIX] = None
    w_q: Annotated[Learned | None, *LEARNED, READS] = None
    w_k: Annotated[Learned | None, *LEARNED, READS] = None
    w_v: Annotated[Learned | None, *LEARNED, READS] = None
    w_o: Annotated[Learned | None, *LEARNED, READS] = None
    q: Annotated[Matrix | None, *MATRIX] = None
    k: Annotated[Matrix | None, *MATRIX] = None
    v: Annotated[Matrix | None, *MATRIX] = None
    labels_q: Annotated[Labels | None, *LABELS] = None
    labels_k: Annotated[Labels | None, *LABELS] = None
    labels_d: Annotated[Labels | None, *LABELS] = None
    labels_v: Annotated[Labels | None, *LABELS] = None
    edits: Annotated[Edits | None, notation.EDITS, Group("matrices")] = None

    @classmethod
    def check(cls, fields: Mapping[str, Any]) -> Self:
        """Validate typed fields (a JSON body). Errors: Refusal that names each field."""
        if nameless := [name for name in fields if clean(name) != name and name not in SCENARIO_FIELDS]:
            raise Refusal([Problem(clean(name), "unknown_field") for name in nameless])  # no name that can be looked up
        try:
            return cls.model_validate(dict(fields))
        except ValidationError as error:
            details = error.errors(include_url=False, include_input=False)
            raise Refusal(_problems(details)) from None

    @classmethod
    def from_query(cls, pairs: Iterable[tuple[str, str]]) -> Self:
        """Read a scenario from the fields of a query string; an empty field counts as not given, but for ``text``.

        Errors: Refusal that names each field.
        """
        fields: dict[str, Any] = {}
        problems: list[Problem] = []
        for name, text in pairs:
            try:
                _read_field(fields, name, text)
            except notation.Unreadable as error:
                problems.append(Problem(name, error.code, error.details))
        if problems:
            raise Refusal(problems)
        if not str(fields.get("text", "-")).strip() and fields.keys() & {"x", "q"}:
            del fields["text"]  # an empty field of the form beside vectors: no sentence was meant
        return cls.check(fields)

    def given(self) -> dict[str, Any]:
        """The fields that differ from their defaults, in the order of the table."""
        return {name: value for name, info in SCENARIO_FIELDS.items() if (value := getattr(self, name)) != info.default}

    def written(self) -> list[tuple[str, str]]:
        """The given fields as the pairs of a query string."""
        return [(name, write_field(name, value)) for name, value in self.given().items()]

    def without(self, names: Iterable[str]) -> Self:
        """Return a copy with some fields back at their defaults."""
        return self.model_copy(update={name: SCENARIO_FIELDS[name].default for name in names})


SCENARIO_FIELDS: dict[str, FieldInfo] = Scenario.model_fields


@cache
def notation_of(name: str) -> Notation:
    """How a field is written in a query string."""
    return next(item for item in SCENARIO_FIELDS[name].metadata if isinstance(item, Notation))


@cache
def group_of(name: str) -> str:
    """The group of controls a field belongs to."""
    return next(item.name for item in SCENARIO_FIELDS[name].metadata if isinstance(item, Group))


@cache
def conditions_of(name: str) -> tuple[Only, ...]:
    """What other fields must be for this one to be used."""
    return tuple(item for item in SCENARIO_FIELDS[name].metadata if isinstance(item, Only))


def is_used(scenario: Scenario, name: str) -> bool:
    """True where a field has a part in the numbers of this scenario."""
    return not hindered_by(scenario, name)


def hindered_by(scenario: Scenario, name: str) -> str:
    """The field whose choice leaves this one without a part; nothing where it has a part.

    A field that itself has no part hinders too: no window without a mask, no mask in a state space.
    """
    for only in conditions_of(name):
        chosen = write_field(only.name, getattr(scenario, only.name)) or ("none" if only.name == "mask" else "0")
        found = hindered_by(scenario, only.name) or ("" if chosen in only.values else only.name)
        if found:
            return found
    return ""


@cache
def json_schemas() -> dict[str, Any]:
    """JSON Schema of every field, by its name. Made once: pydantic needs 10 ms for it."""
    schemas: dict[str, Any] = Scenario.model_json_schema()["properties"]
    return schemas


@cache
def choices_of(name: str) -> tuple[str, ...]:
    """The words a field may be, or nothing where it is no choice."""
    schema = json_schemas()[name]
    found = schema.get("enum") or next((part["enum"] for part in schema.get("anyOf", ()) if "enum" in part), ())
    return tuple(str(choice) for choice in found)


def write_field(name: str, value: Any) -> str:
    """A field's value as it stands in a query string and in the form."""
    return "" if value is None else notation_of(name).write(value)


def _read_field(fields: dict[str, Any], name: str, text: str) -> None:
    if name not in SCENARIO_FIELDS:
        fields[name] = text  # refused by name with the others
        return
    if name in fields:
        raise notation.Unreadable("given_twice")
    if text.strip() or name == "text":
        fields[name] = notation_of(name).read(text)


_CODES = {
    "extra_forbidden": "unknown_field",
    "greater_than_equal": "out_of_range",
    "less_than_equal": "out_of_range",
    "int_type": "not_whole_type",
    "int_from_float": "not_whole_type",
    "literal_error": "not_choice",
}


_PYDANTICS_OWN = frozenset(get_args(ErrorType))


def _problems(details: list[ErrorDetails]) -> list[Problem]:
    """One problem a field: the first that was found."""
    found: dict[str, Problem] = {}
    for detail in details:
        name = str(detail["loc"][0]) if detail["loc"] else "body"
        found.setdefault(name, _problem(name, detail))
    return list(found.values())


def _problem(name: str, detail: ErrorDetails) -> Problem:
    code = _CODES.get(detail["type"], "invalid" if detail["type"] in _PYDANTICS_OWN else detail["type"])
    if code == "unknown_field":
        return Problem(clean(name), code)
    if code == "out_of_range":
        return Problem(name, code, bounds(name))
    if code == "not_choice":
        return Problem(name, code, {"choices": ", ".join(choices_of(name))})
    return Problem(name, code, detail.get("ctx") or {})


def bounds(name: str) -> dict[str, int]:
    """The smallest and the largest value of a whole-number field, as ``low`` and ``high``."""
    marks = SCENARIO_FIELDS[name].metadata
    return {
        "low": next(mark.ge for mark in marks if hasattr(mark, "ge")),
        "high": next(mark.le for mark in marks if hasattr(mark, "le")),
    }


def clean(name: str) -> str:
    """A caller's own field name, made fit to be repeated: short, and nothing that cannot be shown."""
    shown = "".join(char if char.isprintable() else "�" for char in name[:60]) + ("…" if len(name) > 60 else "")
    return shown if shown.strip() else f"“{shown}”"
