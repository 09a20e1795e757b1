"""What the OpenAPI document says of each route, made from the fields of the scenario and the catalogues."""

from typing import Any

from pydantic import TypeAdapter

from app.drawing.comparison_sides import SIDES
from app.drawing.theme import THEMES
from app.language.words import DEFAULT, words_of
from app.scenario.table import SCENARIO_FIELDS, Scenario, choices_of, json_schemas
from app.sheet.comparison_json import ComparisonOut
from app.sheet.field_words import field_help
from app.sheet.slopes import Gradient
from app.sheet.steps import Sheet
from app.sheet.why import Why

_REF = "#/components/schemas/{model}"


def _parameters() -> list[dict[str, Any]]:
    """One query parameter a field. In a query string matrices, tables, labels and edits are texts."""
    return [
        {"name": name, "in": "query", "required": False, "description": _help(name), "schema": _query_schema(name)}
        for name in SCENARIO_FIELDS
    ]


def _help(name: str) -> str:
    return field_help(name, words_of(DEFAULT))


def _query_schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json_schemas()[name]
    kinds = [part for part in schema.get("anyOf", [schema]) if part.get("type") != "null"]
    if len(kinds) == 1 and kinds[0].get("type") == "integer":
        return {**kinds[0], **({"default": schema["default"]} if schema.get("default") is not None else {})}
    if choices := choices_of(name):
        return {"type": "string"} if name == "scale" else {"type": "string", "enum": list(choices)}
    return {"type": "string", **({"maxLength": kinds[0]["maxLength"]} if "maxLength" in kinds[0] else {})}


def _extra(name: str, required: bool = False, **schema: Any) -> dict[str, Any]:
    description = words_of(DEFAULT)(f"api.parameter.{name}")
    return {"name": name, "in": "query", "required": required, "description": description, "schema": {"type": "string", **schema}}


def _responses(answer: dict[str, Any]) -> dict[int | str, dict[str, Any]]:
    problem = {"content": {"application/problem+json": {"schema": {"$ref": _REF.format(model="Problem")}}}}
    said = {code: words_of(DEFAULT)(f"api.status.{code}") for code in (200, 400, 413, 414, 415, 422)}
    refusals: dict[int | str, dict[str, Any]] = {code: {"description": text, **problem} for code, text in said.items()}
    return {**refusals, 200: {"description": said[200], "content": {"application/json": {"schema": answer}}}}


_LANG = _extra("lang")
_EXAMPLE = {"text": "the dog runs", "mask": "causal"}


def _route(name: str, answer: dict[str, Any], parameters: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "summary": words_of(DEFAULT)(f"api.route.{name}.summary"),
        "description": words_of(DEFAULT)(f"api.route.{name}.description"),
        "response_model": None,
        "responses": _responses(answer),
        "openapi_extra": {"parameters": parameters, **more},
    }


GET_ATTENTION = _route("get", {"$ref": _REF.format(model="Sheet")}, [*_parameters(), _LANG])
_BODY = {
    "required": True,
    "content": {"application/json": {"schema": {"$ref": _REF.format(model="Scenario")}, "example": _EXAMPLE}},
}
POST_ATTENTION = _route("post", {"$ref": _REF.format(model="Sheet")}, [_LANG], requestBody=_BODY)
EXPLAIN = _route(
    "explain",
    {"$ref": _REF.format(model="Why")},
    [
        _extra("step", required=True),
        _extra("index", required=True),
        *_parameters(),
        _LANG,
    ],
)
GRADIENT = _route("gradient", {"$ref": _REF.format(model="Gradient")}, [_extra("of", required=True), *_parameters(), _LANG])
COMPARE = _route(
    "compare",
    {"$ref": _REF.format(model="ComparisonOut")},
    [
        _extra("pin", required=True, example="mask="),
        *_parameters(),
        _LANG,
    ],
)
FIGURE = _route(
    "figure",
    {"type": "object", "required": ["data", "layout"]},
    [
        *_parameters(),
        _extra("head"),
        _extra("of"),
        _extra("cell"),
        _extra("turn"),
        _extra("theme", enum=list(THEMES)),
        _extra("pin"),
        _extra("side", enum=list(SIDES)),
        _LANG,
    ],
)
POST_FIGURE = _route(
    "post_figure",
    {"type": "object", "required": ["data", "layout"]},
    [_extra("head"), _extra("theme", enum=list(THEMES)), _LANG],
    requestBody=_BODY,
)


def schemas() -> dict[str, Any]:
    """The shapes of request and answers."""
    found: dict[str, Any] = {}
    kinds = (("Scenario", Scenario), ("Sheet", Sheet), ("Why", Why), ("Gradient", Gradient), ("ComparisonOut", ComparisonOut))
    for name, kind in kinds:
        schema = TypeAdapter(kind).json_schema(ref_template=_REF)
        found.update(schema.pop("$defs", {}))
        found[name] = schema
    for name, field in found["Scenario"]["properties"].items():
        field["description"] = _help(name)
        field.pop("title", None)
    found["Problem"] = _PROBLEM
    return found


_ERROR = {
    "type": "object",
    "required": ["field", "message"],
    "properties": {
        "field": {"type": "string"},
        "message": {"type": "string"},
        "offer": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "errors"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {"type": "array", "items": _ERROR},
    },
}


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """Put the shapes into the document that FastAPI made from the routes."""
    document.setdefault("components", {}).setdefault("schemas", {}).update(schemas())
    return document
