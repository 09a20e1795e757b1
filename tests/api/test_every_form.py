"""Every mechanism, in layers or not, with experts or not, at every place: an answer or a refusal, never a fault of ours."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.address.fields import FIELDS
from app.core.mechanisms import linear, state_space
from app.core.mechanisms.kinds import MECHANISMS
from app.core.positions import POSITIONS
from app.drawing.space import make_space
from app.glossary import SPACE, TOKENS
from app.sheet.labels import place_of
from tests.support.asking import ATTENTION, FIGURES, Api, write, wrong
from tests.support.computing import computed
from tests.support.examples import examples

FORMS = [
    *({"mechanism": name} for name in MECHANISMS),
    *({"mechanism": "linear", "linear_form": form} for form in linear.FORMS),
    *({"mechanism": "state_space", "ssm_form": form} for form in state_space.FORMS),
    {"mechanism": "state_space", "selective": "yes"},
    {"mechanism": "tiled", "tile_q": "1", "tile_k": "1"},
]
PAGES = ("/", "/worksheet", "/export.svg", "/export.html", "/export.json", "/export.py", "/export.tex", f"{FIGURES}{SPACE}")


@examples(150)
@given(
    form=st.sampled_from(FORMS),
    layers=st.integers(0, 2),
    experts=st.sampled_from((0, 2)),
    mask=st.sampled_from(("none", "causal")),
    position=st.sampled_from(list(POSITIONS)),
    place=st.sampled_from((TOKENS, SPACE, "x", "out", "layer.1.out", "layer.0.token.0.state")),
    path=st.sampled_from(PAGES),
)
def test_every_form_at_every_place_is_answered_or_refused(
    api: Api, form: dict[str, str], layers: int, experts: int, mask: str, position: str, place: str, path: str
) -> None:
    fields = {"text": "a b", **form, "n_layers": str(layers), "n_experts": str(experts), "mask": mask, "position": position}
    answer = api.get(path, write({**fields, "at": place}))
    assert answer.status_code in (200, 422), answer.text[:200]


def test_recurrent_layers_have_points_at_the_ends_of_whole_layers_alone() -> None:
    run = computed("text=a b&mechanism=linear&linear_form=recurrent&n_layers=2&mask=causal")
    assert {place_of(step) for step in run.steps} >= {"layer.0", "layer.0.start", "layer.1", "layer.1.start"}
    stages = [(stage.kind, place_of(stage.step)) for stage in make_space(run).stages]
    assert stages == [("before", ""), ("layer", "layer.0"), ("after", "layer.1")]


@pytest.mark.parametrize("path", [ATTENTION, f"{FIGURES}scores", "/export.svg"])
@pytest.mark.parametrize("name", sorted(FIELDS))
def test_half_a_character_in_any_field_beside_the_scenario_is_refused(api: Api, name: str, path: str) -> None:
    body = json.dumps({"text": "a b", name: "\ud800"}).encode()
    answer = api.ask("POST", path, content=body, headers={"content-type": "application/json"})
    wrong(answer, name)
    assert "U+D800" in answer.text
    assert answer.status_code == 422


@pytest.mark.parametrize("path", [ATTENTION, f"{FIGURES}scores", "/export.svg"])
def test_null_in_any_field_beside_the_scenario_is_not_given(api: Api, path: str) -> None:
    kind = {"content-type": "application/json"}
    without = api.ask("POST", path, content=b'{"text": "a b"}', headers=kind)
    nulls = json.dumps({"text": "a b", **dict.fromkeys(FIELDS)}).encode()
    assert api.ask("POST", path, content=nulls, headers=kind).content == without.content
