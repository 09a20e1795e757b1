"""Bad input: every fault is refused by the name of its field, in the caller's language, in a small strict document."""

import json
import re
from html import unescape
from typing import Any

import pytest

from app import limits
from app.language.words import LANGUAGES
from tests.support.asking import ATTENTION, EXPLAIN, Api, in_words, message, step, strict, write, wrong
from tests.support.reference import asked

SQUARE = [[1, 2], [3, 4]]
IN_QUERY: dict[str, tuple[str, str]] = {
    "empty text": ("text=", "text"),
    "only spaces": ("text=%20%E3%80%80", "text"),
    "long text": ("text=" + "a" * 10_000, "text"),
    "ragged matrix": ("text=a&x=1,2;3", "x"),
    "ragged table": ("text=a b&table=a:1,2;b:1", "table"),
    "wrong shape": ("text=a&d_model=4&w_q=1,2,3;4,5,6", "w_q"),
    "too few rows": ("text=a b c&x=1,2;3,4", "x"),
    "NaN": ("x=1,NaN", "x"),
    "Infinity": ("x=1,Infinity", "x"),
    "minus infinity": ("x=-inf", "x"),
    "1e999": ("x=1e999", "x"),
    "1e300": ("x=1e300", "x"),
    "hexadecimal": ("x=0x10", "x"),
    "underscore": ("x=1_000", "x"),
    "empty cell": ("x=1,,2", "x"),
    "word for a number": ("x=1,two", "x"),
    "truth for a number": ("x=true", "x"),
    "huge whole number": ("text=a&seed=" + "9" * 5000, "seed"),
    "past 64 bits": ("text=a&seed=1180591620717411303424", "seed"),
    "past a double": ("text=a&seed=9007199254740993", "seed"),
    "fraction of a head": ("text=a&n_heads=1.5", "n_heads"),
    "exponent of heads": ("text=a&n_heads=1e3", "n_heads"),
    "no heads": ("text=a&n_heads=0", "n_heads"),
    "minus heads": ("text=a&n_heads=-1", "n_heads"),
    "heads that do not divide": ("text=a&d_model=6&n_heads=4", "n_heads"),
    "heads that do not share": ("text=a&n_heads=4&n_kv_heads=3", "n_kv_heads"),
    "NUL": ("text=a%00b", "text"),
    "NUL in a name": ("q=1&k=1&v=1&labels_q=a%00", "labels_q"),
    "unknown field": ("text=a&colour=red", "colour"),
    "unknown field of a later version": ("text=a&windowed=2", "windowed"),
    "name in capitals": ("text=a&W_q=1", "W_q"),
    "unknown choice": ("text=a&mask=diagonal", "mask"),
    "unknown scale": ("text=a&scale=root", "scale"),
    "scale too large": ("text=a&scale=1e9", "scale"),
    "given twice": ("text=a&seed=1&seed=2", "seed"),
    "custom mask without rows": ("text=a&mask=custom", "allow"),
    "mask of twos": ("text=a&allow=2", "allow"),
    "mask of another shape": ("text=a b&allow=1", "allow"),
    "q alone": ("q=1,2", "k"),
    "q, k and v with a sentence": ("q=1&k=1&v=1&text=a", "text"),
    "q, k and v with positions": ("q=1&k=1&v=1&position=sinusoidal", "position"),
    "k of another width": ("q=1,2&k=1&v=1", "k"),
    "v of another length": ("q=1&k=1;2&v=1", "v"),
    "q that heads do not divide": ("q=1,2,3&k=1,2,3&v=1&n_heads=2", "q"),
    "too many rows of q": ("q=" + ";".join("1" * 65) + "&k=1&v=1", "q"),
    "too many rows of k": ("q=1&k=" + ";".join("1" * 65) + "&v=1", "k"),
    "too many rows of x": ("x=" + ";".join("1" * 65), "x"),
    "x too wide": ("x=" + ",".join("1" * 65), "x"),
    "v too wide": ("n_heads=16&n_kv_heads=1&q=" + ",".join("1" * 16) + "&k=1&v=" + ",".join("1" * 17), "v"),
    "heads too wide": ("text=a&d_model=4&n_heads=8&d_head=64", "d_head"),
    "too many scores": ("n_heads=16&text=" + "+".join("a" * 64) + "&d_model=16", "n_heads"),
    "table without numbers": ("text=a&table=a", "table"),
    "table with a word twice": ("text=a&table=a:1;a:2", "table"),
    "table of another width": ("text=a&d_model=4&table=a:1,2", "table"),
    "names with a sentence": ("text=a&labels_q=b", "labels_q"),
    "too few names": ("q=1;2&k=1&v=1&labels_q=a", "labels_q"),
    "empty name": ("q=1;2&k=1&v=1&labels_q=a,", "labels_q"),
    "edit of no step": ("text=a&edits=y[0,0]=1", "edits"),
    "edit of no cell": ("text=a&edits=x[0,9]=1", "edits"),
    "edit of another rank": ("text=a&edits=x[0]=1", "edits"),
    "edit of a hidden form": ("text=a&edits=x(0,0)=1", "edits"),
    "edit twice": ("text=a&edits=x[0,0]=1;x[0,0]=2", "edits"),
    "edit to NaN": ("text=a&edits=x[0,0]=nan", "edits"),
    "edit too large": ("text=a&edits=x[0,0]=1e101", "edits"),
    "edit of a mask to 2": ("text=a&edits=mask[0,0]=2", "edits"),
    "too many edits": ("text=a&edits=" + ";".join(f"x[0,{place}]=1" for place in range(limits.EDITS + 1)), "edits"),
    "not UTF-8": ("text=%FF", "query"),
    "lone surrogate": ("text=%ED%A0%80", "query"),
    "query too long": ("text=" + "a" * limits.QUERY, "query"),
}
IN_BODY: dict[str, tuple[str, str]] = {
    "empty text": ('{"text": ""}', "text"),
    "number for a text": ('{"text": 1}', "text"),
    "ragged matrix": ('{"x": [[1, 2], [3]]}', "x"),
    "no rows": ('{"x": []}', "x"),
    "no columns": ('{"x": [[]]}', "x"),
    "numbers for rows": ('{"x": [1, 2]}', "x"),
    "rows of rows": ('{"x": [[[1]]]}', "x"),
    "text for a matrix": ('{"w_q": "[[1]]"}', "w_q"),
    "object for a matrix": ('{"x": {"0": [1]}}', "x"),
    "NaN": ('{"x": [[NaN]]}', "x"),
    "Infinity": ('{"x": [[-Infinity]]}', "x"),
    "nameless field": ('{"text": "a", "": 1}', "“”"),
    "1e999": ('{"x": [[1e999]]}', "x"),
    "minus 1e999": ('{"scale": -1e999}', "scale"),
    "1e999 heads": ('{"n_heads": 1e999}', "n_heads"),
    "truth for a number": ('{"x": [[true]]}', "x"),
    "nothing for a number": ('{"x": [[null]]}', "x"),
    "text for a number": ('{"x": [["1.5"]]}', "x"),
    "NaN as a text": ('{"x": [["NaN"]]}', "x"),
    "text for a whole number": ('{"seed": "1"}', "seed"),
    "truth for a whole number": ('{"seed": true}', "seed"),
    "fraction": ('{"n_heads": 1.5}', "n_heads"),
    "exponent of heads": ('{"n_heads": 1e3}', "n_heads"),
    "huge whole number": ('{"seed": ' + "9" * 5000 + "}", "seed"),
    "huge negative whole number": ('{"seed": -' + "9" * 5000 + "}", "seed"),
    "past 64 bits": ('{"seed": 1180591620717411303424}', "seed"),
    "huge whole number in a cell": ('{"x": [[' + "9" * 5000 + "]]}", "x"),
    "huge whole number as a scale": ('{"scale": ' + "9" * 400 + "}", "scale"),
    "past a double": ('{"seed": 9007199254740993}', "seed"),
    "many heads": ('{"n_heads": 99999999999}', "n_heads"),
    "lone surrogate": ('{"text": "a\\ud800"}', "text"),
    "lone surrogate in a name": ('{"labels_k": ["\\udfff"]}', "labels_k"),
    "lone surrogate in the table": ('{"table": {"\\ud800": [1]}}', "table"),
    "lone surrogate in edits": ('{"edits": "\\ud800"}', "edits"),
    "lone surrogate as a choice": ('{"mask": "\\ud800"}', "mask"),
    "NUL": ('{"text": "a\\u0000b"}', "text"),
    "unknown field": ('{"text": "a", "colour": 1}', "colour"),
    "name of a field with capitals": ('{"W_q": [[1]]}', "W_q"),
    "text for a choice": ('{"mask": ["causal"]}', "mask"),
    "table as a list": ('{"table": [["a", 1]]}', "table"),
    "empty table": ('{"table": {}}', "table"),
    "table with an empty word": ('{"table": {" ": [1]}}', "table"),
    "table with a word twice": ('{"table": {"a": [1], " a ": [2]}}', "table"),
    "empty name": ('{"labels_q": [" "]}', "labels_q"),
    "number as a name": ('{"labels_q": [1]}', "labels_q"),
    "long name": (json.dumps({"labels_q": ["a" * 201]}), "labels_q"),
    "mask of numbers": ('{"allow": [[0.5]]}', "allow"),
    "edits as an object": ('{"text": "a", "edits": {"x": 5}}', "edits"),
    "edits as an object of objects": ('{"text": "a", "edits": {"x": {"01": 5}}}', "edits"),
    "deep matrix": ('{"x": ' + "[" * 900 + "1" + "]" * 900 + "}", "x"),
    "deep unknown field": ('{"y": ' + "[" * 900 + "]" * 900 + "}", "y"),
    "very deep matrix": ('{"x": ' + "[" * 20_000 + "]" * 20_000 + "}", "body"),
    "empty body": ("", "body"),
    "spaces": ("  ", "body"),
    "half an object": ('{"text": "a"', "body"),
    "a list": ("[]", "body"),
    "a text": ('"x"', "body"),
    "nothing": ("null", "body"),
    "body too large": ('{"text": "a"}' + " " * limits.BODY, "body"),
    "large matrix": (json.dumps({"x": [["a"] * 256] * 256}), "x"),
    "matrix with too many rows": (json.dumps({"x": [[1]] * 257}), "x"),
}


@pytest.mark.parametrize("name", IN_QUERY)
def test_a_query_with_a_fault_is_refused_in_both_languages(api: Api, name: str) -> None:
    query, field = IN_QUERY[name]
    for lang in LANGUAGES:
        asked_by_header = api.get(ATTENTION, query, headers={"accept-language": f"{lang};q=0.9, fr"})
        assert in_words(lang, message(asked_by_header, field))
        if name != "query too long":
            assert api.get(ATTENTION, f"{query}&lang={lang}").content == asked_by_header.content
        if field != "query":
            assert asked_by_header.status_code == 422


@pytest.mark.parametrize("name", IN_BODY)
def test_a_body_with_a_fault_is_refused_in_both_languages(api: Api, name: str) -> None:
    body, field = IN_BODY[name]
    for lang in LANGUAGES:
        asked_by_header = api.post(body.encode(), **{"accept-language": lang})
        assert in_words(lang, message(asked_by_header, field))
        assert api.post(body.encode(), query=f"lang={lang}").content == asked_by_header.content
        if field != "body":
            assert asked_by_header.status_code == 422


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("NaN", 422),
        ("very deep matrix", 400),
        ("empty body", 400),
        ("half an object", 400),
        ("a list", 422),
        ("body too large", 413),
    ],
)
def test_the_status_says_whether_it_was_unreadable_wrong_or_too_much(api: Api, name: str, status: int) -> None:
    assert api.post(IN_BODY[name][0].encode()).status_code == status
    assert api.get(ATTENTION, IN_QUERY["query too long"][0]).status_code == 414


def test_a_body_that_names_its_language_is_refused_in_it(api: Api) -> None:
    answer = api.post(b'{"lang": "ja", "text": ""}', **{"accept-language": "en"})
    assert in_words("ja", message(answer, "text"))
    assert in_words("en", message(api.post(b'{"lang": "en", "n_heads": 0}', query="lang=ja"), "n_heads"))


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("text=a&d_model=4&w_q=1,2,3;4,5,6", ["2 × 3", "4 × 4"]),
        ("text=a b c&x=1,2;3,4", ["2 × 2", "3 × 2"]),
        ("text=a&x=1,2;3", ["1", "2"]),
        ("q=1,2&k=1&v=1", ["1 × 1", "1 × 2"]),
        ("text=a b&allow=1", ["1 × 1", "2 × 2"]),
        ("text=a&edits=x[0,9]=1", ["x[0,9]", "1 × 4"]),
        ("text=a&d_model=6&n_heads=4", ["6", "4"]),
        ("text=" + "a" * 1001, ["1001", "1000"]),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_message_gives_the_numbers_that_were_found_and_needed(api: Api, query: str, numbers: list[str], lang: str) -> None:
    text = wrong(api.get(ATTENTION, f"{query}&lang={lang}"))["errors"][0]["message"]
    assert all(number in text for number in numbers), text


def test_a_single_row_is_not_stretched_to_the_shape_that_is_needed(api: Api) -> None:
    for shape in ([[1, 1, 1, 1]], [[1], [1], [1], [1]], [[1]]):
        message(api.ask("POST", ATTENTION, json={"text": "a b c d", "w_q": shape}), "w_q")


def test_several_faults_are_told_at_once_and_each_field_once(api: Api) -> None:
    answer = api.ask("POST", ATTENTION, json={"text": 1, "seed": -1, "x": [["a", "b"], [None]], "hue": 1})
    wrong(answer, "text", "seed", "x", "hue")
    query = "text=a&x=1,b&w_q=c&seed=d&hue=1&tone=2"
    wrong(api.get(ATTENTION, query), "x", "w_q", "seed")
    wrong(api.get(ATTENTION, "text=a&hue=1&tone=2"), "hue", "tone")


def test_a_flood_of_faults_gets_a_short_answer(api: Api) -> None:
    flood = {f"field{place}": place for place in range(5000)}
    document = wrong(api.ask("POST", ATTENTION, json=flood))
    assert len(document["errors"]) == limits.PROBLEMS
    assert [error["field"] for error in document["errors"]] == list(flood)[: limits.PROBLEMS]
    long = wrong(api.ask("POST", ATTENTION, json={"a" * 100_000: 1}))
    assert len(long["detail"]) < 200
    wrong(api.get(ATTENTION, "x=" + "a" * 50_000), "x")
    wrong(api.get(ATTENTION, "text=a&edits=" + "%F0%9F%98%80" * 4000), "edits")


@pytest.mark.parametrize("raw", [b"text=\xff", b"text=\xed\xa0\x80", b"\xff=a", b"text=a&lang=\xff", b"text=%FF&lang=%ED%B0%80"])
def test_bytes_that_are_no_text_are_refused(api: Api, raw: bytes) -> None:
    for path in (ATTENTION, "/api/v1/figures/scores"):
        assert message(api.raw(path, raw), "query")
    assert api.raw("/", raw).status_code == 400


@pytest.mark.parametrize("request_", asked("API-08")["requests"])
def test_content_types_and_encodings(api: Api, request_: dict[str, Any]) -> None:
    body = bytes.fromhex(request_["body_bytes_hex"]) if "body_bytes_hex" in request_ else request_["body"].encode()
    answer = api.post(body, request_["content_type"])
    if "charset" in request_["content_type"]:
        assert answer.status_code == 200
        return
    expected = 415 if "json" not in request_["content_type"] else 422 if body in (b"[]", b'"x"') else 400
    assert message(answer, "body")
    assert answer.status_code == expected


def test_a_byte_order_mark_before_a_body_does_not_matter(api: Api) -> None:
    assert api.post(b'\xef\xbb\xbf{"text":"a"}').content == api.post(b'{"text":"a"}').content


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("text=a&step=scores", "index"),
        ("text=a&index=0,0,0", "step"),
        ("text=a&step=zz&index=0", "step"),
        ("text=a&step=scores&index=0,0", "index"),
        ("text=a&step=scores&index=0,0,1", "index"),
        ("text=a&step=scores&index=0,0,-1", "index"),
        ("text=a&step=scores&index=", "index"),
        ("text=a&step=scores&index=0,0,1.0", "index"),
        ("text=a&step=scores&index=" + "9" * 5000, "index"),
        ("text=a&step=scores&index=٠,0,0", "index"),
        ("text=a&step=%3Cb%3E&index=0", "step"),
        ("text=&step=scores&index=0,0,0", "text"),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_cell_that_cannot_be_explained_is_refused(api: Api, query: str, field: str, lang: str) -> None:
    assert in_words(lang, message(api.get(EXPLAIN, f"{query}&lang={lang}"), field))


LEFT_OUT = ("unknown field", "unknown field of a later version", "name in capitals")
"""What the page leaves out with a notice, while the API refuses it."""


@pytest.mark.parametrize("name", [name for name in IN_QUERY if name not in ("query too long", *LEFT_OUT)])
def test_the_page_says_the_same_sentence_and_keeps_what_was_typed(api: Api, name: str) -> None:
    query, field = IN_QUERY[name]
    for lang in LANGUAGES:
        page = api.get("/", f"{query}&lang={lang}&good=text%3Dkeepsake", headers={"accept": "text/html"})
        said = api.get(ATTENTION, f"{query}&lang={lang}")
        assert page.status_code == said.status_code
        assert message(said, field) in unescape(page.text)
        if field != "query":
            assert "keepsake" in page.text


@pytest.mark.parametrize("name", LEFT_OUT)
def test_the_page_leaves_out_a_field_that_it_does_not_have_and_names_it(api: Api, name: str) -> None:
    query, field = IN_QUERY[name]
    for lang in LANGUAGES:
        page = api.get("/", f"{query}&lang={lang}")
        notice = re.search(r'data-code="unknown">([^<]*)<', page.text)
        assert page.status_code == 200
        assert notice
        assert field in notice[1]
        assert in_words(lang, notice[1])
        assert 'data-query="text=a"' in page.text


def test_the_page_names_four_unknown_fields_and_counts_the_rest(api: Api) -> None:
    page = api.get("/", "&".join(["text=a", "lang=en", *(f"old{place}=1" for place in range(7)), "old3=2"]))
    assert page.status_code == 200
    assert "old0, old1, old2, old3 and 3 more" in page.text
    assert "old4" not in page.text


def test_an_unknown_field_beside_a_mistake_is_named_as_well(api: Api) -> None:
    page = api.get("/", "text=a&colour=red&seed=x&lang=en&good=text%3Dkeepsake%26hue%3D1")
    assert page.status_code == 422
    assert 'data-code="unknown"' in page.text
    assert "colour" in page.text
    assert "keepsake" in page.text
    assert "seed" in unescape(page.text)


def test_unknown_fields_alone_open_the_opening_example(api: Api) -> None:
    plain, old = (api.get("/", query).text for query in ("lang=en", "lang=en&hue=1"))
    find = re.compile(r'data-query="[^"]*"')
    assert find.findall(old) == find.findall(plain)


def test_pinned_bodies_of_other_programs_are_refused(api: Api) -> None:
    for raw in [*asked("API-02")["raw_bodies"], '{"w_q": [["1e999"]]}']:
        assert message(api.post(raw.replace("W_q", "w_q").encode()), "w_q")
    for bad in asked("API-03")["bad_values"][:5]:
        assert message(api.ask("POST", ATTENTION, json={"text": "a", "w_q": bad}), "w_q")
    assert api.post(b'{"text":"' + b" " * 50_000_000 + b'"}').status_code == 413


def test_the_largest_seed_comes_back_as_it_was_sent(api: Api) -> None:
    sheet = api.sheet(text="a", seed=limits.SEED)
    assert sheet["scenario"]["seed"] == limits.SEED
    assert step(sheet, "x")["values"] == step(api.body({"text": "a", "seed": limits.SEED}), "x")["values"]


def test_an_address_or_a_method_that_is_not_there_is_said_in_both_forms(api: Api) -> None:
    for path, method, status in (
        ("/nowhere", "GET", 404),
        ("/api/v1/nowhere", "GET", 404),
        (ATTENTION, "PUT", 405),
        ("/", "DELETE", 405),
    ):
        for lang in LANGUAGES:
            headers = {"accept-language": lang}
            answer = api.ask(method, path, headers=headers)
            assert answer.status_code == status
            assert in_words(lang, wrong(answer)["detail"])
            if status == 405:
                assert answer.headers["allow"]
            page = api.ask(method, path, headers={**headers, "accept": "text/html,*/*"})
            assert page.status_code == status
            kind = "application/problem+json" if path.startswith("/api/") else "text/html; charset=utf-8"
            assert page.headers["content-type"] == kind
            assert strict(answer.content)["detail"] in page.text


def test_what_was_not_json_is_told_how_to_be(api: Api) -> None:
    assert "application/json" in message(api.ask("POST", ATTENTION, content=write({"text": "a"}).encode()), "body")


def test_a_field_whose_name_cannot_be_shown_is_refused_by_what_can(api: Api) -> None:
    answer = api.post(b'{"text": "a", "\\ud800": 1, "b\\u0007": 2}')
    wrong(answer, "�", "b�")


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "Row 1 has 2 numbers, row 3 has 1."), ("ja", "1 行目は 2 個、3 行目は 1 個です。")]
)
def test_rows_are_counted_from_one_for_people(api: Api, lang: str, said: str) -> None:
    [error] = wrong(api.get(ATTENTION, f"text=a b&w_q=1,2;3,4;5&lang={lang}"))["errors"]
    assert error["message"].endswith(said)
