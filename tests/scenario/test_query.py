"""The query string: what decides the numbers, written in one way, and nothing else."""

import json
from typing import Any
from urllib.parse import parse_qsl

import pytest
from hypothesis import given

from app.language.words import LANGUAGES
from tests.support.asking import ATTENTION, EXPLAIN, FIGURES, Api, Json, good, values, write, wrong
from tests.support.examples import examples
from tests.support.scenes import scenarios

SHOWN = [
    "lang=ja", "view=projector", "at=weights", "head=0", "head=all", "cell=q[0,0,0]", "hide=1", "theme=dark", "good=text%3Db",
    "lang=xx", "at=nowhere", "cell=%3Cb%3E", "theme=pink", "head=99", "lang=ja&lang=en",
]  # fmt: skip


@examples(150)
@given(fields=scenarios)
def test_the_query_of_an_answer_gives_the_same_bytes(api: Api, fields: Json) -> None:
    first = api.post(json.dumps(fields).encode())
    again = api.get(ATTENTION, good(first)["query"])
    assert good(again)["query"] == good(first)["query"]
    assert again.content == first.content


@examples(60)
@given(fields=scenarios)
def test_the_query_holds_only_known_fields_each_once_and_reads_in_the_same_order(api: Api, fields: Json) -> None:
    sheet = api.body(fields)
    found = [name for name, _ in parse_qsl(sheet["query"], keep_blank_values=True)]
    assert found == [name for name in sheet["scenario"] if name in found]
    assert "#" not in sheet["query"]
    assert " " not in sheet["query"]
    assert sheet["query"].isascii()


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("text=a&seed=0&d_model=4&n_heads=2&mask=none&position=none&scale=sqrt&split=words&n_kv_heads=2&d_head=2", "text=a"),
        ("scale=none&text=a&d_model=&x=", "text=a&scale=none"),
        ("text=a&d_model=6&n_heads=2", "text=a&d_model=6"),
        ("text=a&allow=1", "text=a&mask=custom&allow=1"),
        ("text=a&mask=none&allow=1", "text=a&mask=none&allow=1"),
        ("text=a&mask=causal&allow=[1]".replace("[1]", "1"), "text=a&mask=causal&allow=1"),
        ("x=1.0,2.50;-0,1e1", "x=1,2.5;0,10"),
        ("x=１，２；−３,４", "x=1,2;-3,4"),
        ("text=a&edits=x[0,1]%3D2.0;%20scores[0,0,0]=-0", "text=a&edits=scores[0,0,0]=0;x[0,1]=2"),
        ("text=a&edits=;", "text=a"),
        ("text=a&table=%20a%20:1,2;b\\;c:3,4", "text=a&table=a:1,2;b%5C;c:3,4"),
        ("q=1&k=1&v=1&n_heads=1&labels_q=%20a%20", "q=1&k=1&v=1&labels_q=a"),
        ("text=a%2Bb%26c%3Dd%23%25&lang=ja&at=x", "text=a%2Bb%26c=d%23%25"),
    ],
)
def test_a_scenario_is_written_in_one_way(api: Api, typed: str, query: str) -> None:
    assert good(api.get(ATTENTION, typed))["query"] == query


@pytest.mark.parametrize("typed", ["x=-0,1", "text=a&edits=x[0,0]=-0", "text=a&scale=-0.0", "text=a&table=a:-0,1"])
def test_minus_zero_is_zero(api: Api, typed: str) -> None:
    assert api.get(ATTENTION, typed).content == api.get(ATTENTION, typed.replace("-0", "0")).content


def test_edits_that_are_an_empty_text_are_none(api: Api) -> None:
    assert api.body({"text": "a", "edits": ""}) == api.body({"text": "a"})


@pytest.mark.parametrize("shown", SHOWN)
def test_what_is_looked_at_never_changes_a_number(api: Api, shown: str) -> None:
    query = "text=犬が走る&mask=causal&edits=x[0,0]=3"
    plain, dressed = good(api.get(ATTENTION, query)), good(api.get(ATTENTION, f"{shown}&{query}"))
    assert dressed["query"] == plain["query"]
    assert dressed["scenario"] == plain["scenario"]
    for step in plain["steps"]:
        assert (values(dressed, step["name"]) == values(plain, step["name"])).all()
    cell = "&step=z&index=0,1,0"
    assert good(api.get(EXPLAIN, f"{query}&{shown}{cell}"))["value"] == good(api.get(EXPLAIN, query + cell))["value"]
    if "99" not in shown:
        whole, part = (good(api.get(f"{FIGURES}z", asked))["data"] for asked in (query, f"{query}&{shown}"))
        assert all(trace["z"] in [other["z"] for other in whole] for trace in part)


@pytest.mark.parametrize("name", ["lang", "view", "at", "head", "cell", "hide", "theme", "good"])
def test_what_is_looked_at_may_stand_in_a_body_in_any_type(api: Api, name: str) -> None:
    plain = api.body({"text": "a b"})
    for value in ("x", 1, None, [1], {"a": 1}):
        assert api.body({"text": "a b", name: value}) == plain


def test_a_body_is_answered_in_the_language_it_asks_for(api: Api) -> None:
    assert api.body({"text": "犬", "lang": "ja"}) == api.sheet(text="犬", lang="ja") != api.sheet(text="犬")


def requests() -> list[str]:
    """Small and large requests of every kind, none like another."""
    long = write({"text": " ".join(["の", "花"] * 32)})
    return [
        *(f"{ATTENTION}?text=犬が走る&d_model={width}&n_heads={heads}" for width in (4, 8) for heads in (1, 2, 4)),
        *(f"{ATTENTION}?text=a b c&position=sinusoidal&d_model={width}" for width in (4, 6, 8)),
        *(f"{ATTENTION}?text=東京都に住む&seed={seed}&mask=causal&lang={lang}" for seed in (1, 2) for lang in LANGUAGES),
        *(f"{ATTENTION}?{long}&seed={seed}" for seed in (1, 2)),
        f"{FIGURES}weights?{long}",
        f"{FIGURES}weights?text=a b&theme=dark",
        f"{EXPLAIN}?text=a b&step=z&index=0,0,0",
        f"{ATTENTION}?text=",
        "/?text=東京都に住む&lang=ja",
    ]


def test_requests_that_run_together_do_not_mix(api: Api) -> None:
    paths = requests()
    assert len(paths) >= 20
    alone = [api.get(path).content for path in paths]
    assert len(set(alone)) == len(paths)
    assert api.together([*paths, *reversed(paths)]) == [*alone, *reversed(alone)]
    assert api.get(paths[0]).content == alone[0]


@pytest.mark.parametrize(
    "name", ["x", "w_q", "w_k", "w_v", "w_o", "q", "k", "v", "scores", "scaled", "masked", "weights", "z", "concat", "out"]
)
def test_an_edit_stands_and_what_follows_uses_it(api: Api, name: str) -> None:
    fields: dict[str, Any] = {"text": "a b c", "n_heads": 1}
    plain = api.sheet(**fields)
    shape = values(plain, name).shape
    cell = f"{name}[{','.join('0' * len(shape))}]"
    sheet = api.sheet(**fields, edits=f"{cell}=7")
    names = [step["name"] for step in sheet["steps"]]
    changed = {step for step in names if (values(sheet, step) != values(plain, step)).any()}
    first = (0,) * len(shape)
    assert values(sheet, name)[first] == 7
    assert (values(sheet, name) != values(plain, name)).sum() == 1
    [edited] = [step for step in sheet["steps"] if step["edited"]]
    assert (edited["name"], edited["edited"]) == (name, [list(first)])
    feeds = {step["name"]: set(step["inputs"]) for step in sheet["steps"]}
    reached = {name}
    for step in names:
        reached |= {step} if feeds[step] & reached else set()
    assert name in changed <= reached


def test_a_head_width_that_does_not_follow_stays(api: Api) -> None:
    sheet = api.sheet(text="a b", d_model=4, n_heads=3, d_head=1)
    assert "d_head=1" in sheet["query"]
    assert good(api.get(ATTENTION, sheet["query"])) == sheet


def test_the_answered_scenario_can_be_sent_back(api: Api) -> None:
    for query in ("text=the dog runs&n_heads=1", "q=1,0,2&k=2,1,1;0,3,0&v=2;5&normalizer=division&scale=none"):
        answer = good(api.get(ATTENTION, query))
        again = api.body(answer["scenario"])
        assert again["steps"] == answer["steps"]


def test_an_empty_text_beside_vectors_is_no_sentence(api: Api) -> None:
    for vectors in ("x=1,2;3,4", "q=1,0&k=2,1&v=2,5"):
        assert good(api.get(ATTENTION, f"text=&{vectors}"))["steps"] == good(api.get(ATTENTION, vectors))["steps"]


def test_sizes_beside_given_vectors_must_be_theirs(api: Api) -> None:
    assert good(api.get(ATTENTION, "q=1,0&k=2,1&v=2,5&d_model=2&d_head=2"))["query"] == "q=1,0&k=2,1&v=2,5"
    wrong(api.get(ATTENTION, "q=1,0&k=2,1&v=2,5&d_model=3"), "d_model")
