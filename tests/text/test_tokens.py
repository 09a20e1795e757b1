"""From a sentence to tokens."""

import json
import threading
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.text.tokens import SPLITS, Token, left_out, tokenize

CASES = {
    case["id"]: case for case in json.loads((Path(__file__).parents[1] / "reference" / "cases.json").read_text("utf-8"))["cases"]
}
FAMILY = "👨\u200d👩\u200d👧\u200d👦"


def texts(sentence: str, split: str = "words") -> list[str]:
    return [token.text for token in tokenize(sentence, split)]


def reference(name: str) -> tuple[Any, Any]:
    return CASES[name]["input"], CASES[name]["expected"]


WORDS = [
    ("犬が走る", ["犬", "が", "走る"]),
    ("The quick brown fox", ["The", "quick", "brown", "fox"]),
    ("나는 너를 좋아해", ["나는", "너를", "좋아해"]),
    ("a\x1fb\x07c", ["a", "b", "c"]),
    ("don't stop", ["don't", "stop"]),
    ("Hello, world!", ["Hello", ",", "world", "!"]),
    (f"{FAMILY}が走る", [FAMILY, "が", "走る"]),
    ("犬 が 走る", ["犬", "が", "走る"]),
]


@pytest.mark.parametrize(("sentence", "words"), WORDS)
def test_words_are_found(sentence: str, words: list[str]) -> None:
    assert texts(sentence) == words


def test_a_word_of_kana_is_kept_whole() -> None:
    assert "はし" in texts("川に架かるはし")
    assert "はし" in texts("はしで食べる")


def test_an_emoji_family_is_one_token() -> None:
    for split in SPLITS:
        assert texts(FAMILY, split) == [FAMILY]


def test_characters_are_what_a_reader_calls_characters() -> None:
    assert texts("e\u0301a 🇯🇵x", "characters") == ["e\u0301", "a", "🇯🇵", "x"]


def test_spaces_split_at_the_full_width_space_too() -> None:
    given_input, expected = reference("TXT-03")
    for sentence, tokens in zip(given_input["texts"], expected["tokens"], strict=True):
        assert texts(sentence, "spaces") == (tokens if isinstance(tokens, list) else [])


@pytest.mark.parametrize("split", SPLITS)
def test_a_sentence_of_spaces_or_invisible_characters_has_no_tokens(split: str) -> None:
    nothing = ["", " ", "\u3000\t\n", "\u200b\u200d\u2060", "\ufeff", "\u202e\u202c", "\u00ad"]
    assert [texts(sentence, split) for sentence in nothing] == [[]] * len(nothing)


@pytest.mark.parametrize("split", SPLITS)
def test_an_invisible_character_inside_text_is_left_out_and_said_to_be(split: str) -> None:
    given_input, _ = reference("TXT-04")
    sentence = given_input["texts"][1]
    assert sentence == "a\u200bb"
    tokens = tokenize(sentence, split)
    assert tokens == [Token("a", 0, 1), Token("b", 2, 3)]
    assert left_out(sentence, tokens) == ["U+200B"]


def test_half_width_kana_keep_their_voicing_mark() -> None:
    given_input, expected = reference("TXT-05")
    assert len(texts(given_input["text"], "characters")) == expected["counts"]["graphemes"] == 3


def test_variation_selectors_stay_with_their_character() -> None:
    given_input, _ = reference("TXT-06")
    for split, count in (("characters", 3), ("spaces", 1)):
        tokens = texts(given_input["text"], split)
        assert len(tokens) == count
        assert "".join(tokens) == given_input["text"]
    assert "".join(texts(given_input["text"])) == given_input["text"]


def test_text_from_right_to_left_keeps_the_order_in_which_it_was_typed() -> None:
    given_input, _ = reference("TXT-07")
    hebrew, arabic, override, isolate = given_input["texts"]
    assert texts(hebrew) == hebrew.split()
    assert texts(arabic) == arabic.split()
    assert texts(override) == ["abc", "def", "ghi"]
    assert left_out(override, tokenize(override)) == ["U+202E", "U+202C"]
    assert texts(isolate) == ["open", "isolate"]


def test_japanese_without_spaces_is_more_than_one_token() -> None:
    given_input, _ = reference("TXT-08")
    japanese, korean, english = (len(texts(sentence)) for sentence in given_input["texts"])
    assert japanese > 1
    assert korean >= 2
    assert english == 4


@pytest.mark.parametrize("split", ["words", "characters"])
def test_offsets_count_code_points(split: str) -> None:
    given_input, expected = reference("TXT-10")
    tokens = tokenize(given_input["text"], split)
    assert [[token.start, token.end] for token in tokens] == expected["code_point_spans"] != expected["utf16_spans"]


ANYTHING = st.text(
    st.one_of(
        st.sampled_from(
            list("犬が走る川ははしカターﾞ々㍿ｶﾞ aé'.,!0123한글שלאبحر\u3000\t\u200b\u200d\u202e\u0301\U000e0100\ufe0f👨👩🇯🇵")
        ),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=30,
)


@pytest.mark.parametrize("split", SPLITS)
@given(sentence=ANYTHING)
@example(sentence="㍿の株")
@example(sentence="か\u3099き\u0301く")
@example(sentence="\r\n犬\r\n")
@example(sentence="ﾞ犬ﾟ")
@example(sentence="\u200d犬\ufe0f")
def test_tokens_and_what_is_between_them_give_the_sentence_back(split: str, sentence: str) -> None:
    tokens = tokenize(sentence, split)
    rebuilt, place = "", 0
    for token in tokens:
        assert token.text == sentence[token.start : token.end] != ""
        assert token.start >= place
        rebuilt += sentence[place : token.start] + token.text
        place = token.end
    assert rebuilt + sentence[place:] == sentence


@pytest.mark.parametrize("split", SPLITS)
@given(sentence=ANYTHING)
def test_only_spaces_and_what_cannot_be_seen_is_between_tokens(split: str, sentence: str) -> None:
    tokens = tokenize(sentence, split)
    taken = {place for token in tokens for place in range(token.start, token.end)}
    rest = [char for place, char in enumerate(sentence) if place not in taken]
    named = left_out(sentence, tokens)
    for char in rest:
        assert char.isspace() or f"U+{ord(char):04X}" in named
        assert char.isspace() or unicodedata.category(char) in {"Cf", "Cc", "Mn", "Lo", "Cn"}
        assert unicodedata.category(char) != "Lo" or char in "\u115f\u1160\u3164\uffa0"


@pytest.mark.parametrize("split", SPLITS)
@given(sentence=ANYTHING)
def test_every_token_shows_something(split: str, sentence: str) -> None:
    for token in tokenize(sentence, split):
        assert token.text.strip()
        assert any(unicodedata.category(char) not in {"Cc", "Cf", "Zs", "Zl", "Zp"} for char in token.text)
        assert not any(char.isspace() for char in token.text)


@given(sentence=ANYTHING)
def test_words_never_cut_a_character_in_two(sentence: str) -> None:
    edges = {edge for token in tokenize(sentence, "characters") for edge in (token.start, token.end)}
    for token in tokenize(sentence, "words"):
        assert {token.start, token.end} <= edges


@given(st.text("abc \t\u3000", max_size=30))
def test_spaces_split_as_python_does(sentence: str) -> None:
    assert texts(sentence, "spaces") == sentence.split()


def test_an_unknown_way_to_split_is_refused() -> None:
    with pytest.raises(KeyError):
        tokenize("犬", "sentences")


def test_a_long_run_of_kana_is_cut() -> None:
    assert "".join(texts("すもももももももものうち" * 80)) == "すもももももももものうち" * 80


def test_many_threads_cut_at_once() -> None:
    expected = texts("犬が走る。川に架かるはし")
    answers: list[list[str]] = []
    faults: list[Exception] = []

    def work() -> None:
        try:
            answers.extend(texts("犬が走る。川に架かるはし") for _ in range(50))
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert answers == [expected] * 400
