"""Sentences over HTTP: tokens as typed, in any script, with nothing invisible left standing."""

from typing import Any

import numpy as np
import pytest

from app.language.words import LANGUAGES
from tests.support.asking import ATTENTION, Api, message, same, step, values, write
from tests.support.reference import asked, expected, identities


def texts(sheet: Any) -> list[str]:
    return [token["text"] for token in sheet["tokens"]]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("犬が走る", ["犬", "が", "走る"]),
        ("川に架かるはし", ["川", "に", "架かる", "はし"]),
        ("the dog runs", ["the", "dog", "runs"]),
        ("The quick brown fox", ["The", "quick", "brown", "fox"]),
        ("나는 너를 좋아해", ["나는", "너를", "좋아해"]),
        ("👨‍👩‍👧 の 家", ["👨‍👩‍👧", "の", "家"]),
        ('<b>x</b> & "y"', ["<", "b", ">", "x", "<", "/", "b", ">", "&", '"', "y", '"']),
    ],
)
def test_a_sentence_is_cut_into_words(api: Api, text: str, tokens: list[str]) -> None:
    sheet = api.sheet(text=text)
    assert texts(sheet) == tokens
    assert all(text[token["start"] : token["end"]] == token["text"] for token in sheet["tokens"])
    assert step(sheet, "weights")["labels"][1:] == [tokens, tokens]


@pytest.mark.parametrize(
    ("text", "tokens"), list(zip(asked("TXT-03")["texts"][:2], expected("TXT-03")["tokens"][:2], strict=True))
)
def test_any_space_splits(api: Api, text: str, tokens: list[str]) -> None:
    assert texts(api.sheet(text=text, split="spaces")) == tokens


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("split", ["words", "characters", "spaces"])
@pytest.mark.parametrize(
    "text", [*asked("TXT-03")["texts"][2:], asked("TXT-04")["texts"][0], asked("TXT-04")["texts"][2], "\ufeff"]
)
def test_a_text_with_nothing_to_see_is_refused(api: Api, text: str, split: str, lang: str) -> None:
    for answer in (
        api.get(ATTENTION, write({"text": text, "split": split, "lang": lang})),
        api.ask("POST", ATTENTION, json={"text": text, "split": split, "lang": lang}),
    ):
        assert message(answer, "text")


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("a\u200bb", "U+200B"),
        ("\ufeffhello world", "U+FEFF"),
        ("abc \u202edef\u202c ghi", "U+202E"),
        ("\u2067open isolate", "U+2067"),
    ],
)
def test_an_invisible_character_is_left_out_with_a_notice(api: Api, text: str, gone: str) -> None:
    sheet = api.sheet(text=text)
    assert not any(chr(int(gone[2:], 16)) in token for token in texts(sheet))
    [notice] = [notice for notice in sheet["notices"] if notice["code"] == "left_out"]
    assert gone in notice["text"]


def test_tabs_and_line_breaks_are_spaces(api: Api) -> None:
    assert texts(api.sheet(text="line1\r\nline2\ttab x\u2028y")) == ["line1", "line2", "tab", "x", "y"]


@pytest.mark.parametrize("char", ["\x00", "\x07", "\x1b", "\x7f", "\x85"])
def test_a_control_character_is_refused_by_its_number(api: Api, char: str) -> None:
    for answer in (api.get(ATTENTION, write({"text": f"a{char}b"})), api.ask("POST", ATTENTION, json={"text": f"a{char}b"})):
        assert f"U+{ord(char):04X}" in message(answer, "text")


@pytest.mark.parametrize("name", ["TXT-05", "TXT-06"])
def test_marks_stay_with_their_letter(api: Api, name: str) -> None:
    text = asked(name)["text"]
    found = texts(api.sheet(text=text, split="characters"))
    assert len(found) == expected(name)["counts"]["graphemes"] == 3
    assert "".join(found) == text


@pytest.mark.parametrize("text", asked("TXT-07")["texts"][:2])
def test_right_to_left_words_keep_the_order_of_typing(api: Api, text: str) -> None:
    assert texts(api.sheet(text=text)) == text.split()


@pytest.mark.parametrize(("text", "least"), list(zip(asked("TXT-08")["texts"], [2, 2, 4], strict=True)))
def test_a_sentence_becomes_several_tokens_and_none_of_it_is_lost(api: Api, text: str, least: int) -> None:
    found = texts(api.sheet(text=text))
    assert len(found) >= least
    assert "".join(found) == text.replace(" ", "")


def test_equal_words_have_equal_rows_and_columns_of_their_own(api: Api) -> None:
    case = asked("TXT-09")
    sheet = api.body({"text": " ".join(case["tokens"]), "x": case["X"], "n_heads": 1, **identities(2)})
    weights = values(sheet, "weights")[0]
    assert same(weights, expected("TXT-09")["weights"], 1e-12)
    assert same(values(sheet, "out"), expected("TXT-09")["output"], 1e-12)
    assert (weights[0] == weights[2]).all()
    assert (weights[:, 0] == weights[:, 2]).all()
    assert step(sheet, "weights")["labels"][2] == case["tokens"]
    placed = values(api.body({"text": "の 花 の", "position": "sinusoidal"}), "weights")[0]
    assert not np.allclose(placed[0], placed[2])


def test_places_count_code_points_and_the_documents_say_so(api: Api) -> None:
    tokens = api.sheet(text=asked("TXT-10")["text"])["tokens"]
    assert [[token["start"], token["end"]] for token in tokens] == expected("TXT-10")["code_point_spans"]
    assert "code points" in api.get("/openapi.json").json()["info"]["description"]


@pytest.mark.parametrize("text", asked("API-11")["tokens"])
def test_markup_in_a_sentence_stays_text_on_the_page(api: Api, text: str) -> None:
    for split in ("spaces", "characters"):
        page = api.get("/", write({"text": text, "split": split})).text
        assert "<script>alert" not in page
        assert "<!--" not in page
        assert page.count("</script") == api.get("/", "text=a").text.count("</script")
        assert "onclick='" not in page


def test_markup_in_names_stays_text_on_the_page(api: Api) -> None:
    names = "<b>x</b>,<img src=x onerror=alert(1)>"
    page = api.get("/", write({"q": [[1], [2]], "k": [[1], [2]], "v": [[1], [2]], "labels_q": names, "labels_k": names})).text
    assert "<b>x" not in page
    assert "<img" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page


def test_a_word_has_its_vector_wherever_it_stands(api: Api) -> None:
    one, two = (values(api.sheet(text=text), "x") for text in ("犬 が 走る", "走る 犬"))
    assert (one[0] == two[1]).all()
    assert (one[2] == two[0]).all()
    listen, silent = values(api.sheet(text="listen silent"), "x")
    assert (listen != silent).any()
    assert (values(api.sheet(text="listen", seed=1), "x")[0] != listen).any()
