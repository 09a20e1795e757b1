"""A word is one word, however it is typed: が as one character, or as か and a mark of its own."""

import json
import unicodedata
from urllib.parse import quote

import pytest

from app.text.spelling import same_word
from app.text.vectors import toy_vector
from tests.support.asking import ATTENTION, Api, good, wrong

COMPOSED, APART = "が", "か\u3099"
CAFE, CAFE_APART = "caf\u00e9", "cafe\u0301"


def test_both_spellings_have_one_vector() -> None:
    assert COMPOSED != APART
    assert (toy_vector(COMPOSED, 4, 0) == toy_vector(APART, 4, 0)).all()
    assert (toy_vector("か", 4, 0) != toy_vector("が", 4, 0)).any()


@pytest.mark.parametrize(("first", "second"), [(CAFE, CAFE_APART), (CAFE_APART, CAFE)])
def test_the_same_word_has_the_same_row_and_stands_as_it_was_typed(first: str, second: str) -> None:
    with Api() as api:
        sheet = good(api.get(ATTENTION, f"text={quote(first)}%20{quote(second)}"))
    x = next(step for step in sheet["steps"] if step["name"] == "x")
    assert x["values"][0] == x["values"][1]
    assert [token["text"] for token in sheet["tokens"]] == [first, second] == x["labels"][0]


@pytest.mark.parametrize("table", [COMPOSED, APART])
@pytest.mark.parametrize("text", [COMPOSED, APART])
def test_the_table_reaches_a_word_by_either_spelling(table: str, text: str) -> None:
    with Api() as api:
        sheet = good(api.get(ATTENTION, f"text={quote(text)}&table={quote(table)}:1,2,0"))
        why = good(api.get(f"{ATTENTION}/explain", f"text={quote(text)}&table={quote(table)}:1,2,0&step=x&index=0,1&lang=en"))
    assert next(step for step in sheet["steps"] if step["name"] == "x")["values"] == [[1, 2, 0]]
    assert why["note"] != good_note_of_a_toy_word()


def good_note_of_a_toy_word() -> str:
    with Api() as api:
        note: str = good(api.get(f"{ATTENTION}/explain", "text=a&step=x&index=0,1&lang=en"))["note"]
    return note


def test_a_word_in_both_spellings_stands_twice_in_the_table() -> None:
    with Api() as api:
        refused = api.get(ATTENTION, f"text=a&table={quote(COMPOSED)}:1,2;{quote(APART)}:3,4")
        posted = api.post(json.dumps({"text": "a", "table": {COMPOSED: [1, 2], APART: [3, 4]}}).encode())
    assert wrong(refused)["errors"] == wrong(posted)["errors"]
    assert wrong(refused)["errors"][0]["field"] == "table"


def test_a_repeated_word_is_seen_to_repeat() -> None:
    with Api() as api:
        for words in ((COMPOSED, "犬", COMPOSED), (COMPOSED, "犬", APART)):
            query = f"text={quote(' '.join(words))}&split=spaces&n_layers=2&mask=causal&lang=en"
            codes = [notice["code"] for notice in good(api.get(ATTENTION, query))["notices"]]
            page = api.get(f"/?{query}&at=space").text
            assert "induction" in codes
            assert f"{words[0]} 1" in page
            assert f"{words[2]} 2" in page


def test_what_is_compared_is_normal_form_c() -> None:
    assert same_word(APART) == COMPOSED == unicodedata.normalize("NFC", APART)
