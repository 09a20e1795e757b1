"""Anything at all may come in: the answer is never a 500 and always strict JSON."""

import json
from typing import Any
from urllib.parse import quote

import httpx
from hypothesis import given
from hypothesis import strategies as st

from app.address.fields import FIELDS
from app.scenario.table import SCENARIO_FIELDS
from tests.support.asking import ATTENTION, EXPLAIN, FIGURES, PROBLEM, Api, strict, wrong
from tests.support.examples import examples

NAMES = st.one_of(st.sampled_from([*SCENARIO_FIELDS, *FIELDS, "step", "index"]), st.text(max_size=8))
TEXTS = st.text(st.characters(), max_size=20)  # lone surrogates and control characters included
WRITTEN = st.one_of(
    TEXTS,
    st.sampled_from(
        ["1", "0", "-1", "1e999", "nan", "inf", "9" * 400, "1,2;3,4", "a:1,2", "x[0,0]=1", "scores[0,0,0]=-1", "1;1", "11;11"]
    ),
    st.sampled_from(
        ["sqrt", "none", "causal", "custom", "words", "characters", "sinusoidal", "division", "scores", "0,0,0", "all", "ja"]
    ),
    st.text(alphabet="0123456789.,;:[]=-+eE \\x٠１－−", max_size=16),
    st.integers().map(str),
    st.floats().map(str),
)
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.integers(2**63, 2**70), st.floats(), WRITTEN)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=12
)
CELL = st.one_of(st.integers(-3, 3), st.floats(), st.just(True), st.just("1"))
MATRICES = st.lists(st.lists(CELL, max_size=3), max_size=3)


def fine(answer: httpx.Response) -> None:
    """Not a fault of ours, and strict JSON; a refusal is small."""
    assert answer.status_code < 500
    if answer.is_redirect:  # an address with one slash too many
        return
    strict(answer.content)
    if answer.status_code >= 400:
        wrong(answer)
    else:
        assert answer.headers["content-type"] != PROBLEM


def written(pairs: list[tuple[str, str]]) -> str:
    return "&".join(f"{quote(name, errors='surrogatepass')}={quote(text, errors='surrogatepass')}" for name, text in pairs)


@examples(300)
@given(pairs=st.lists(st.tuples(NAMES, WRITTEN), max_size=6), path=st.sampled_from([ATTENTION, EXPLAIN, f"{FIGURES}weights"]))
def test_any_fields_in_a_query(api: Api, pairs: list[tuple[str, str]], path: str) -> None:
    fine(api.get(path, written(pairs)))


@examples(50)
@given(pairs=st.lists(st.tuples(NAMES, WRITTEN), max_size=6))
def test_any_fields_on_the_page(api: Api, pairs: list[tuple[str, str]]) -> None:
    page = api.get("/", written(pairs))
    assert page.status_code < 500
    assert page.headers["content-type"] == "text/html; charset=utf-8"


@examples(150)
@given(name=st.sampled_from(list(SCENARIO_FIELDS)), text=WRITTEN)
def test_anything_in_one_field_of_a_good_query(api: Api, name: str, text: str) -> None:
    query = f"{name}={quote(text, errors='surrogatepass')}"
    base = "q=1,2&k=1,2&v=1,2" if name in "qkv" or name.startswith("labels") else "text=a b" if name != "text" else ""
    rest = "&".join(pair for pair in base.split("&") if not pair.startswith(f"{name}="))
    fine(api.get(ATTENTION, f"{rest}&{query}"))


@examples(200)
@given(raw=st.binary(max_size=40).filter(lambda raw: b"#" not in raw))
def test_any_bytes_as_a_query(api: Api, raw: bytes) -> None:
    fine(api.raw(ATTENTION, raw))


@examples(300)
@given(fields=st.dictionaries(NAMES, st.one_of(VALUES, MATRICES), max_size=5))
def test_any_fields_in_a_body(api: Api, fields: dict[str, Any]) -> None:
    fine(api.post(json.dumps(fields).encode()))  # Python writes NaN and Infinity as such
    fine(api.post(json.dumps({"text": "a b", **fields}).encode()))


@examples(150)
@given(name=st.sampled_from(list(SCENARIO_FIELDS)), value=st.one_of(VALUES, MATRICES))
def test_anything_in_one_field_of_a_good_body(api: Api, name: str, value: Any) -> None:
    vectors = {"q": [[1, 2]], "k": [[1, 2]], "v": [[1, 2]]}
    base = vectors if name in vectors or name.startswith("labels") else {"text": "a b"}
    fine(api.post(json.dumps({**base, name: value}).encode()))


@examples(100)
@given(
    body=st.binary(max_size=40), kind=st.sampled_from(["application/json", "application/problem+json", "text/json", "", "a/b; c"])
)
def test_any_bytes_as_a_body(api: Api, body: bytes, kind: str) -> None:
    fine(api.post(body, kind))


@examples(100)
@given(
    text=st.text(st.characters(exclude_categories=["Cs"]), max_size=30), split=st.sampled_from(["words", "characters", "spaces"])
)
def test_any_sentence(api: Api, text: str, split: str) -> None:
    answer = api.post(json.dumps({"text": text, "split": split}).encode())
    fine(answer)
    if answer.status_code == 200:
        sheet = strict(answer.content)
        assert all(text[token["start"] : token["end"]] == token["text"] != "" for token in sheet["tokens"])
        assert api.get(ATTENTION, sheet["query"]).content == answer.content


@examples(30)
@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20))
def test_any_sentence_on_the_page(api: Api, text: str) -> None:
    assert api.get("/", written([("text", text), ("split", "characters")])).status_code in (200, 422)


@examples(100)
@given(
    step=st.text(st.characters(exclude_categories=["Cs"]), max_size=10), accept=st.text(alphabet="jaen,;q=0.91-* ", max_size=20)
)
def test_any_step_and_any_wish_for_a_language(api: Api, step: str, accept: str) -> None:
    headers = {"accept-language": accept}
    fine(api.get(f"{FIGURES}{quote(step, safe='')}", "text=a", headers=headers))
    fine(api.get(EXPLAIN, f"text=a&index=0&step={quote(step)}", headers=headers))
