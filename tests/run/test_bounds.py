"""Bounds of a whole computation: how many steps there may be, wherever they come from."""

import pytest

from app import limits
from app.core.record.array import given
from app.core.record.trace import TooManySteps, Trace
from app.errors import Refusal
from tests.support.asking import Api, strict
from tests.support.computing import computed

TILES = "text=a b c d e f g h i j k l m n o p&mechanism=tiled&tile_q=1&tile_k=1"


def test_a_record_ends_where_it_is_full_and_its_parts_count() -> None:
    t = Trace(most=2)
    t.a = given([1.0])
    t.part("layer.0").b = given([1.0])
    with pytest.raises(TooManySteps):
        t.part("layer.1").c = given([1.0])
    assert list(t) == ["a", "layer.0.b"]


def test_as_many_tiles_as_are_allowed_fit_and_the_same_in_layers_do_not() -> None:
    assert 2_500 < len(computed(TILES).steps) <= limits.STEPS
    with pytest.raises(Refusal) as refused:
        computed(f"{TILES}&n_layers=2")
    assert [(problem.field, problem.code) for problem in refused.value.problems] == [("tile_q", "steps_many")]


def test_the_bounds_of_an_answer_are_said_to_programmers(api: Api) -> None:
    said = strict(api.get("/openapi.json").content)["info"]["description"]
    for bound in (limits.STEPS, limits.RECORD, limits.EXPORT_CELLS, limits.BLANKS):
        assert str(bound) in said.replace(",", "")
