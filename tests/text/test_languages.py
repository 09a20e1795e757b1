"""The language of a sentence, and how Chinese is cut."""

import re

import pytest

from app.language.words import choose_han
from app.text.languages import is_chinese, script_language
from app.text.tokens import tokenize
from tests.support.asking import Api

CHINESE = ["我爱自然语言处理", "你好世界", "这是一只狗", "注意力机制这么重要。"]
JAPANESE = ["東京都", "注意機構", "自然言語処理", "直線", "頰骨", "剝製", "髙橋", "犬が走る", "𠮟責"]


@pytest.mark.parametrize("sentence", CHINESE)
def test_forms_that_only_chinese_has_are_chinese_for_every_reader(sentence: str) -> None:
    assert is_chinese(sentence)
    assert {script_language(sentence, reader) for reader in ("ja", "ko", "zh")} == {"zh"}


@pytest.mark.parametrize("sentence", JAPANESE)
def test_what_japanese_writes_is_not_taken_for_chinese(sentence: str) -> None:
    assert not is_chinese(sentence)
    assert script_language(sentence, "ja") == "ja"


def test_kana_and_hangul_tell_the_language_and_letters_tell_none() -> None:
    assert script_language("犬が走る", "zh") == "ja"
    assert script_language("这个カメラ", "zh") == "ja"
    assert script_language("개가 달린다", "ja") == "ko"
    assert script_language("the dog", "ja") == ""


@pytest.mark.parametrize(
    ("lang", "wanted", "accept", "found"),
    [
        ("ja", None, "zh-CN", "ja"),
        ("en", None, "en-US,en;q=0.9,ja;q=0.5,zh;q=0.4", "ja"),
        ("en", None, "zh;q=0.4,ko-KR;q=0.8", "ko"),
        ("en", "zh", "ja", "zh"),
        ("en", "en", "fr,en", "zh"),
        ("en", None, "", "zh"),
    ],
)
def test_shared_characters_are_drawn_for_the_page_then_for_the_reader(
    lang: str, wanted: str | None, accept: str, found: str
) -> None:
    assert choose_han(lang, wanted, accept) == found


def test_a_chinese_sentence_is_cut_into_characters_and_a_japanese_one_by_its_dictionary() -> None:
    assert [token.text for token in tokenize("我爱自然语言处理 GPT 2.")] == [*"我爱自然语言处理", "GPT", "2", "."]
    assert [token.text for token in tokenize("我爱 自然语言", "spaces")] == ["我爱", "自然语言"]
    assert [token.text for token in tokenize("自然言語処理")] == ["自然", "言語", "処理"]


PAGES = ("/?text=直線&", "/worksheet?text=直線&", "/class?text=直線&", "/?text=直線&view=projector&", "/export.html?text=直線&")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("lang", "accept", "drawn"), [("ja", "zh", "ja"), ("en", "en,ja", "ja"), ("en", "en,ko", "ko"), ("en", "en", "zh")]
)
def test_kanji_alone_are_declared_for_the_reader(page: str, lang: str, accept: str, drawn: str) -> None:
    with Api() as api:
        html = api.ask("GET", f"{page}lang={lang}", headers={"Accept-Language": accept}).text
    others = re.sub(r'<a [^>]*hreflang="[^>]*>', "", html)
    assert set(re.findall(r'lang="(\w+)"', others)) == {lang, drawn}


def test_a_kept_page_is_not_shown_to_a_reader_of_another_language() -> None:
    with Api() as api:
        html = [api.ask("GET", "/?text=直&lang=en", headers={"Accept-Language": accept}).text for accept in ("ja", "ko", "ja")]
    assert html[0] == html[2] != html[1]


def test_a_picture_is_drawn_for_the_reader() -> None:
    with Api() as api:
        for accept, drawn in (("ja", "ja"), ("zh-TW", "zh")):
            picture = api.ask("GET", "/export.svg?text=直線&lang=en&at=weights", headers={"Accept-Language": accept}).text
            assert f'xml:lang="{drawn}"' in picture
