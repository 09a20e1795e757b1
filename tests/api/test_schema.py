"""The OpenAPI document: it holds every field and every bound, and the answers are what it promises."""

from typing import Any

import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app import limits
from app.language.words import LANGUAGES, words_of
from app.main import create_app
from app.scenario.table import SCENARIO_FIELDS, choices_of
from app.sheet.field_words import field_help
from tests.support.asking import ATTENTION, Api, Json, strict
from tests.support.examples import examples

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
promised = schemathesis.openapi.from_asgi("/openapi.json", create_app())


@pytest.mark.slow
@promised.parametrize()
@examples(25, patient=True)
def test_every_answer_is_what_the_document_promises(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(checks=CHECKS)


@pytest.fixture(scope="module")
def document(api: Api) -> Json:
    found: Json = strict(api.get("/openapi.json").content)
    return found


def parameters(document: Json, path: str) -> dict[str, Any]:
    return {parameter["name"]: parameter for parameter in document["paths"][path]["get"]["parameters"]}


@pytest.mark.parametrize("path", [ATTENTION, f"{ATTENTION}/explain", "/api/v1/figures/{step}"])
def test_every_field_is_a_parameter_with_its_help(document: Json, path: str) -> None:
    found = parameters(document, path)
    for name in SCENARIO_FIELDS:
        assert found[name]["in"] == "query"
        assert len(found[name]["description"]) > 10
    assert "lang" in found
    assert ("step" in found) == (path != ATTENTION)


def test_every_field_of_a_body_is_there_with_its_help(document: Json) -> None:
    properties = document["components"]["schemas"]["Scenario"]["properties"]
    assert list(properties) == list(SCENARIO_FIELDS)
    assert all(len(schema["description"]) > 10 for schema in properties.values())
    assert document["components"]["schemas"]["Scenario"]["additionalProperties"] is False


def bounds(schema: Json) -> Json:
    """The part of a schema that holds the bounds; a field that may be left out has a second part."""
    parts = [part for part in schema.get("anyOf", [schema]) if part.get("type") != "null"]
    found: Json = parts[0]
    return found


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("d_model", 1, limits.D_MODEL),
        ("d_head", 1, limits.D_MODEL),
        ("n_heads", 1, limits.HEADS),
        ("n_kv_heads", 1, limits.HEADS),
        ("seed", 0, limits.SEED),
    ],
)
def test_every_bound_of_a_number_is_in_the_document_and_in_the_help(document: Json, name: str, low: int, high: int) -> None:
    body = document["components"]["schemas"]["Scenario"]["properties"][name]
    query = parameters(document, ATTENTION)[name]["schema"]
    for schema in (bounds(body), bounds(query)):
        assert (schema["minimum"], schema["maximum"]) == (low, high)
    assert str(high) in body["description"]


def test_the_bounds_of_texts_and_scales_are_in_the_document(document: Json) -> None:
    properties = document["components"]["schemas"]["Scenario"]["properties"]
    assert bounds(properties["text"])["maxLength"] == limits.TEXT
    assert parameters(document, ATTENTION)["text"]["schema"]["maxLength"] == limits.TEXT
    number = next(part for part in properties["scale"]["anyOf"] if part.get("type") == "number")
    assert (number["minimum"], number["maximum"]) == (-limits.SCALE, limits.SCALE)


@pytest.mark.parametrize("name", ["split", "position", "mask", "normalizer"])
def test_every_choice_is_in_the_document(document: Json, name: str) -> None:
    body = bounds(document["components"]["schemas"]["Scenario"]["properties"][name])
    assert tuple(body["enum"]) == tuple(parameters(document, ATTENTION)[name]["schema"]["enum"]) == choices_of(name)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_field_has_its_label_its_help_and_its_choices_in_both_languages(lang: str) -> None:
    for name in SCENARIO_FIELDS:
        assert words_of(lang)(f"field.{name}.label")
        assert "%" not in field_help(name, words_of(lang)).replace("%%", "")
        for choice in choices_of(name):
            assert words_of(lang)(f"choice.{choice}")


def test_the_example_in_the_document_works(api: Api, document: Json) -> None:
    content = document["paths"][ATTENTION]["post"]["requestBody"]["content"]["application/json"]
    assert api.body(content["example"])["steps"]


@pytest.mark.parametrize(("name", "choices"), [("side", ["a", "b", "difference"]), ("theme", ["light", "dark"])])
def test_a_figure_says_what_it_may_be_asked_for(document: Json, name: str, choices: list[str]) -> None:
    assert parameters(document, "/api/v1/figures/{step}")[name]["schema"] == {"type": "string", "enum": choices}
