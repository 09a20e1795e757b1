"""The ready pairs: each opens without an error, whatever the reader has, and differs where it must."""

import html
import re

import pytest

from app.language.words import LANGUAGES
from tests.support.asking import ATTENTION, Api, Json, good, step

READERS = {
    "opening": "",
    "sentence": "text=東京都に住む猫&seed=5",
    "layers": "text=the dog runs&n_layers=1&mask=causal&position=alibi",
    "vectors": "q=1,0,2;0,1,0&k=2,1,1;0,3,0&v=2,5;0,1&labels_q=a,b",
    "rows": "x=1,2,0,1;3,4,0,2;5,6,1,1",
    "odd": "text=the dog runs&d_model=3&n_heads=1&edits=masked[0,0,1]=7&mask=causal",
    "states": "text=the dog runs&mechanism=state_space",
    "cross": "text=the dog runs&text_k=a cat",
    "custom": "text=a b&allow=10;11&edits=mask[0,1]=1&padding=11",
}
NAMES = ["mask", "scale", "sinusoidal", "rope", "tied", "heads", "sentences"]


def links(api: Api, query: str, lang: str) -> dict[str, str]:
    page = api.get("/", f"{query}&lang={lang}&theme=dark").text
    return {name: html.unescape(link) for link, name in re.findall(r'<a href="/\?([^"]*)"\s+data-follow data-pair="(\w+)"', page)}


def compared(api: Api, query: str, lang: str, name: str) -> Json:
    return good(api.get(f"{ATTENTION}/compare", links(api, query, lang)[name]))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("reader", READERS)
def test_every_pair_opens_and_differs(api: Api, reader: str, lang: str) -> None:
    found = links(api, READERS[reader], lang)
    assert list(found) == NAMES
    for name, query in found.items():
        page = api.get("/", query)
        assert page.status_code == 200, name
        assert "pin_refused" not in page.text, name
        assert 'class="compare-bar"' in page.text, name
        assert query.endswith(f"&lang={lang}&theme=dark"), name
        answer = good(api.get(f"{ATTENTION}/compare", query))
        at = re.search(r"&at=(\w+)", query)[1]  # type: ignore[index]
        looked = [found for found in answer["steps"] if found["name"].endswith(at)]
        assert [found["state"] for found in looked[:1]] == ["changed"], (name, answer["a"], answer["b"])


def test_a_pair_keeps_what_the_reader_has_where_it_can(api: Api) -> None:
    found = links(api, "text=the dog runs&d_model=6&n_heads=3&w_q=identity&edits=x[0,0]=1&mask=causal", "en")
    assert found["scale"].startswith("text=the%20dog%20runs&d_model=6&n_heads=3&mask=causal&w_q=identity&pin=scale=none")
    assert found["rope"].startswith("text=the%20dog%20runs&d_model=8&n_heads=1&position=rope&pin=position=")
    assert all("the%20dog%20runs" in query for name, query in found.items() if name != "sentences")


def test_the_mask_leaves_the_scores_and_changes_the_weights(api: Api) -> None:
    answer = compared(api, "text=a b c", "en", "mask")
    assert answer["differs"] == ["mask"]
    states = {found["name"]: found["state"] for found in answer["steps"]}
    assert {states[name] for name in ("x", "q", "k", "v", "scores", "scaled", "w_o")} == {"unchanged"}
    assert {states[name] for name in ("mask", "masked", "weights", "z", "out")} == {"changed"}


def test_the_root_of_the_width_leaves_the_scores_and_changes_what_follows(api: Api) -> None:
    answer = compared(api, "text=a b c", "en", "scale")
    assert step(answer, "scores")["state"] == "unchanged"
    assert {step(answer, name)["state"] for name in ("scaled", "weights", "out")} == {"changed"}


def test_positions_leave_the_words_and_add_steps(api: Api) -> None:
    answer = compared(api, "text=a b c", "en", "sinusoidal")
    assert step(answer, "x")["state"] == "unchanged"
    assert {step(answer, name)["state"] for name in ("pos", "x_pos")} == {"only_in_b"}
    rotary = compared(api, "text=a b c", "en", "rope")
    assert {step(rotary, name)["state"] for name in ("q", "k", "v")} == {"unchanged"}
    assert {step(rotary, name)["state"] for name in ("q_rot", "k_rot")} == {"only_in_b"}
    assert step(rotary, "weights")["state"] == "changed"


def test_tied_queries_and_keys_are_the_words_themselves_and_their_scores_are_symmetric(api: Api) -> None:
    answer = compared(api, "text=a b c", "en", "tied")
    tied = good(api.get(ATTENTION, answer["a"]))
    [query], [key], [scores] = (step(tied, name)["values"] for name in ("q", "k", "scores"))
    assert query == key == step(tied, "x")["values"]
    assert scores == [list(column) for column in zip(*scores, strict=True)]
    [own] = step(good(api.get(ATTENTION, answer["b"])), "scores")["values"]
    assert own != [list(column) for column in zip(*own, strict=True)]


def test_heads_have_scores_of_another_shape_and_an_output_of_the_same(api: Api) -> None:
    answer = compared(api, "text=a b c", "en", "heads")
    assert step(answer, "scores")["shape_a"] == [1, 3, 3]
    assert step(answer, "scores")["shape_b"] == [4, 3, 3]
    assert step(answer, "out")["state"] == "changed"


@pytest.mark.parametrize(("lang", "row"), [("ja", 3), ("en", 4)])
def test_one_word_in_two_sentences_starts_the_same_and_ends_otherwise(api: Api, lang: str, row: int) -> None:
    answer = compared(api, "text=a", lang, "sentences")
    assert answer["differs"] == ["text"]
    assert {step(answer, name)["state"] for name in ("w_q", "w_k", "w_v", "w_o")} == {"unchanged"}
    assert len(step(answer, "x")["difference"]) == row + 1
    assert set(step(answer, "x")["difference"][row]) == {0}
    assert 0 not in step(answer, "out")["difference"][row]
