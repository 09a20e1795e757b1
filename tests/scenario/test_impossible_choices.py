"""Choices that cannot be: refused by name, with what would be possible, in both languages, on the page beside the field."""

import json
import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.language.words import LANGUAGES
from app.scenario.table import SCENARIO_FIELDS, choices_of, conditions_of
from tests.support.asking import ATTENTION, Api, Json, good, in_words, message, strict, write, wrong
from tests.support.examples import examples

FAULTS: dict[str, tuple[Json, str, list[str]]] = {
    "rotary with an odd head width": ({"position": "rope", "d_head": 3}, "position", ["3", "4"]),
    "rotary of odd heads": ({"position": "rope_interleaved", "d_model": 10, "n_heads": 2}, "position", ["5", "6"]),
    "rotary in a layer": ({"position": "rope", "n_layers": 1, "d_model": 6}, "position", ["3", "4"]),
    "table too short": ({"position": "learned", "max_positions": 2}, "max_positions", ["2", "4"]),
    "table too short for a second sentence": (
        {"position": "learned", "max_positions": 4, "text_k": "a b c d e"},
        "max_positions",
        ["4", "5"],
    ),
    "more experts than there are": ({"n_layers": 1, "n_experts": 3, "top_k": 4}, "top_k", ["4", "3"]),
    "one state and a window": ({"mechanism": "linear", "linear_form": "recurrent", "mask": "sliding_window"}, "linear_form", []),
    "one state and padding": (
        {"mechanism": "linear", "linear_form": "recurrent", "mask": "causal", "padding": "1110"},
        "linear_form",
        [],
    ),
    "a cache and the future": ({"mechanism": "cached"}, "mask", []),
    "a cache and a prefix": ({"mechanism": "cached", "mask": "prefix", "prefix": 3}, "mask", []),
    "rotary in tiles": ({"mechanism": "tiled", "position": "rope"}, "position", []),
    "ALiBi in a state": ({"mechanism": "state_space", "position": "alibi"}, "position", []),
    "buckets of a linear layer": ({"mechanism": "linear", "n_layers": 1, "position": "t5"}, "position", []),
    "a head that is not there": ({"heads_off": "0,2"}, "heads_off", ["2"]),
    "a head below 0": ({"heads_off": "-1"}, "heads_off", []),
    "half a head": ({"heads_off": "0.5"}, "heads_off", []),
    "padding too short": ({"padding": "111"}, "padding", ["1 × 3", "1 × 4"]),
    "padding too long": ({"mask": "padding", "padding": "11111"}, "padding", ["1 × 5", "1 × 4"]),
    "padding of two rows": ({"padding": "1111;1111"}, "padding", ["2 × 4", "1 × 4"]),
    "padding for the other sentence": ({"padding": "1111", "text_k": "a b"}, "padding", ["1 × 4", "1 × 2"]),
    "padding of twos": ({"padding": "1112"}, "padding", []),
    "too many tiles": ({"text": " ".join("a" * 40), "mechanism": "tiled", "tile_q": 1, "tile_k": 1}, "tile_q", ["1600", "256"]),
    "too many steps": (
        {"text": " ".join("a" * 16), "mechanism": "tiled", "tile_q": 1, "tile_k": 1, "n_layers": 4},
        "tile_q",
        ["3000"],
    ),
    "no cap": ({"softcap": 0}, "softcap", ["0.001", "1000"]),
    "temperature below 0": ({"temperature": -1}, "temperature", ["0.001", "1000"]),
    "no step length": ({"mechanism": "state_space", "delta": 0}, "delta", ["0.001"]),
    "odd buckets": ({"position": "t5", "n_buckets": 5}, "n_buckets", ["5", "4"]),
    "buckets without far words": ({"position": "t5", "n_buckets": 32, "max_distance": 8}, "max_distance", ["32", "9"]),
    "second sentence too long": ({"text_k": "a" * 1001}, "text_k", ["1001", "1000"]),
    "second sentence of too many words": ({"text_k": " ".join("a" * 65)}, "text_k", ["65", "64"]),
    "five layers": ({"n_layers": 5}, "n_layers", ["0", "4"]),
    "nine experts": ({"n_layers": 1, "n_experts": 9}, "n_experts", ["0", "8"]),
    "too wide a network": ({"n_layers": 1, "d_ff": 257}, "d_ff", ["1", "256"]),
    "no window": ({"mask": "sliding_window", "window": 0}, "window", ["1", "64"]),
    "no block": ({"mask": "block", "block": 0}, "block", ["1", "64"]),
    "custom mask without rows": ({"mask": "custom"}, "allow", []),
    "layer's matrix of another shape": ({"n_layers": 1, "w_q": "1,2;3,4"}, "w_q", ["2 × 2", "4 × 4"]),
    "edit of a tile that is not there": ({"mechanism": "tiled", "edits": "tile.9.9.m[0,0,0]=1"}, "edits", ["tile.9.9.m"]),
}
CHOICES = [name for name in SCENARIO_FIELDS if choices_of(name) and name != "scale"]


def asked(fields: Json) -> Json:
    return {"text": "a b c d", "split": "spaces", **fields}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", FAULTS)
def test_an_impossible_choice_is_refused_by_its_name(api: Api, name: str, lang: str) -> None:
    fields, field, named = FAULTS[name]
    query = write({**asked(fields), "lang": lang})
    text = message(api.get(ATTENTION, query), field)
    assert in_words(lang, text)
    assert all(number in text for number in named), text
    page = api.get("/", f"{query}&good=text%3Dkeepsake", headers={"accept": "text/html"})
    assert page.status_code == 422
    found = re.search(rf'id="error-{field}"[^>]*>([^<]*)<', page.text)
    assert found
    assert unescape(found[1]).strip() == text
    assert "keepsake" in page.text
    control = re.search(rf'<div class="control"([^>]*)>\s*<label for="c-{field}"', page.text)
    assert control
    assert "hidden" not in control[1]


@pytest.mark.parametrize("field", CHOICES)
def test_an_unknown_choice_is_refused_with_those_there_are(api: Api, field: str) -> None:
    for lang in LANGUAGES:
        for choice in ("neither", "YES", "1"):
            text = message(api.get(ATTENTION, write({**asked({}), field: choice, "lang": lang})), field)
            assert all(known in text for known in choices_of(field))


@pytest.mark.parametrize(
    ("fields", "field"), [({"n_layers": 1}, "n_layers"), ({"mechanism": "cached"}, "mechanism"), ({"text_k": "a"}, "text_k")]
)
def test_given_vectors_go_with_no_sentence_and_no_layers(api: Api, fields: Json, field: str) -> None:
    vectors = {"q": [[1, 2]], "k": [[1, 2]], "v": [[1, 2]]}
    for lang in LANGUAGES:
        assert message(api.get(ATTENTION, write({**vectors, **fields, "lang": lang})), field)


UNUSED: dict[str, tuple[Json, Json, str]] = {
    "window": ({"mask": "causal"}, {"window": 3}, "mask"),
    "window in a state space": ({"mechanism": "state_space"}, {"mask": "sliding_window", "window": 3}, "mechanism"),
    "allow": ({"mask": "causal"}, {"allow": "1"}, "mask"),
    "padding in a state space": ({"mechanism": "state_space"}, {"padding": "11"}, "mechanism"),
    "two sides": ({"mask": "dilated"}, {"two_sided": "yes"}, "mask"),
    "table length": ({"position": "sinusoidal"}, {"max_positions": 2}, "position"),
    "distance": ({"position": "alibi"}, {"max_distance": 1}, "position"),
    "top_k": ({"n_layers": 1}, {"top_k": 8, "renormalise": "no"}, "n_experts"),
    "experts without layers": ({}, {"n_experts": 3, "top_k": 5, "d_ff": 3, "norm": "rms_norm", "activation": "relu"}, "n_layers"),
    "layers of a cache": (
        {"mechanism": "cached", "mask": "causal"},
        {"n_layers": 3, "norm_place": "post", "n_experts": 2, "top_k": 3},
        "mechanism",
    ),
    "second sentence of a cache": ({"mechanism": "cached", "mask": "causal"}, {"text_k": "e f"}, "mechanism"),
    "second sentence of a state": ({"mechanism": "state_space"}, {"text_k": "e f g h i"}, "mechanism"),
    "heads off in tiles": ({"mechanism": "tiled"}, {"heads_off": "0,9"}, "mechanism"),
    "heads off in a cache": ({"mechanism": "cached", "mask": "causal"}, {"heads_off": "1"}, "mechanism"),
    "shape of scores in tiles": (
        {"mechanism": "tiled"},
        {"temperature": 2, "softcap": 1, "qk_norm": "yes", "inside": "yes", "sink": "yes", "mask_place": "after"},
        "mechanism",
    ),
    "scale of linear attention": ({"mechanism": "linear"}, {"scale": "none", "normalizer": "division"}, "mechanism"),
    "sink of a division": ({"normalizer": "division", "scale": "none"}, {"sink": "yes", "inside": "yes"}, "normalizer"),
    "tiles of plain attention": ({}, {"tile_q": 1, "tile_k": 64, "linear_form": "recurrent", "d_state": 3}, "mechanism"),
    "step length of a selective one": (
        {"mechanism": "state_space", "selective": "yes"},
        {"delta": 2, "ssm_form": "convolution"},
        "selective",
    ),
    "matrices of a state space": ({"mechanism": "state_space"}, {"w_q": "1", "w_o": "1"}, "mechanism"),
}


@pytest.mark.parametrize("name", UNUSED)
def test_a_field_that_has_no_part_says_so_and_changes_no_number(api: Api, name: str) -> None:
    base, more, other = UNUSED[name]
    plain = api.sheet(**asked(base))
    for lang in LANGUAGES:
        answer = api.get(ATTENTION, write({**asked({**base, **more}), "lang": lang}))
        sheet = good(answer)
        told = [notice["text"] for notice in sheet["notices"] if notice["code"] == "unused"]
        assert len(told) == len(more)
        for field in more:
            assert any(field in text and other in text for text in told), (field, told)
        assert [made["values"] for made in sheet["steps"]] == [made["values"] for made in plain["steps"]]
        if lang == "en":
            rest = [notice for notice in sheet["notices"] if notice["code"] != "unused"]
            assert (sheet["steps"], sheet["checks"], rest) == (plain["steps"], plain["checks"], plain["notices"])
        assert api.get(ATTENTION, f"{sheet['query']}&lang={lang}").content == answer.content
        assert api.get("/", write({**asked({**base, **more}), "lang": lang})).status_code == 200


def test_every_condition_names_a_field_and_choices_that_there_are() -> None:
    for name in SCENARIO_FIELDS:
        for only in conditions_of(name):
            known = choices_of(only.name)
            assert only.name in SCENARIO_FIELDS
            assert not known or set(only.values) <= set(known)


SMALL = {"text", "text_k", "split", "q", "k", "v", "x", "table", "allow", "padding", "heads_off", "edits", "labels_q", "labels_k"}
SMALL |= {"labels_d", "labels_v", "w_q", "w_k", "w_v", "w_o", "scale", "seed"}


def strategy_of(name: str) -> st.SearchStrategy[Any]:
    """Values a field may have, most of them possible."""
    if choices_of(name):
        return st.sampled_from(choices_of(name))
    own: dict[str, st.SearchStrategy[Any]] = {
        "text_k": st.sampled_from(["e", "e f", "e f g h i j"]),
        "padding": st.sampled_from(["1110", "0000", "11", "111111"]),
        "heads_off": st.sampled_from([[0], [1], [0, 1], [5]]),
        "temperature": st.sampled_from([0.001, 0.5, 1, 1000]),
        "softcap": st.sampled_from([0.001, 2, 1000]),
        "delta": st.sampled_from([0.001, 0.5, 1000]),
        "scale": st.sampled_from(["sqrt", "none", 0, -3, 1000]),
        "edits": st.sampled_from(["x[0,0]=1e6", "x[0,0]=0", "out[0,0]=1", "layer.0.w_1[0,0]=9", "mask[0,0]=0", "z[0,0,0]=-1e6"]),
        "d_model": st.sampled_from([1, 2, 4, 6, 8]),
        "d_head": st.integers(1, 4),
        "n_heads": st.integers(1, 4),
        "n_kv_heads": st.integers(1, 2),
        "d_ff": st.integers(1, 5),
    }
    return own.get(name, st.integers(0, 9))


FREE = [name for name in SCENARIO_FIELDS if name not in SMALL or name in ("text_k", "padding", "heads_off", "scale", "edits")]
TOGETHER = st.fixed_dictionaries({}, optional={name: strategy_of(name) for name in FREE})
"""Any of the fields at once."""


@st.composite
def some(draw: st.DrawFn) -> Json:
    """A handful of fields at once: where all are given something is always impossible."""
    names = draw(st.lists(st.sampled_from(FREE), max_size=6, unique=True))
    return {name: draw(strategy_of(name)) for name in names}


def fine(api: Api, fields: Json) -> None:
    answer = api.post(json.dumps(asked(fields)).encode())
    assert answer.status_code in (200, 422), answer.text
    strict(answer.content)
    assert b"NaN" not in answer.content
    if answer.status_code == 422:
        wrong(answer)
        return
    sheet = good(answer)
    assert api.get(ATTENTION, sheet["query"]).content == answer.content
    for made in sheet["steps"]:
        assert [len(labels) for labels in made["labels"]] == made["shape"]


@examples(120)
@given(fields=TOGETHER)
def test_all_fields_at_once(api: Api, fields: Json) -> None:
    fine(api, fields)


@examples(400)
@given(fields=some())
def test_some_fields_at_once(api: Api, fields: Json) -> None:
    fine(api, fields)


@examples(100)
@given(
    fields=some(),
    at=st.sampled_from(["", "out", "scores", "tile.0.0.m", "layer.0.hidden", "token.1.k"]),
    of=st.sampled_from(["", "out[0,0]", "weights[0,0,0]", "layer.0.ffn_out[0,1]", "token.0.h[0,0,0]"]),
)
def test_some_fields_at_once_on_the_page(api: Api, fields: Json, at: str, of: str) -> None:
    page = api.get("/", write({**asked(fields), "at": at, "of": of}), headers={"accept": "text/html"})
    assert page.status_code in (200, 422)
    assert not re.search(r">\s*(?:nan|None)\s*<", page.text)


def test_a_row_of_more_than_sixteen_numbers_has_its_page(api: Api) -> None:
    page = api.get("/", "text=a b&n_layers=1&d_ff=20&at=layer.0.b_1&of=layer.0.ffn_out[0,0]")
    assert page.status_code == 200
    table = page.text.partition('<table class="plain">')[2].partition("</table>")[0]
    assert table.count("<td>0<br><small>") == 20
