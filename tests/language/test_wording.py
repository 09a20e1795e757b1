"""The wording: quoted words, one name for a thing, the field's own terms, one spelling."""

import re

import pytest

from app.glossary import GLOSSARY
from app.language.words import LANGUAGES, words_of

OF_WORDS = ("token", "query", "key")
"""Axes along which a row or a column is a word of the sentence."""
WORDS = re.compile(r"%\((word|first|last|row|column|name)\)s")
QUOTED = {"ja": "「{}」", "en": "“{}”"}
NO_WORDS = ("projector.", "spoken.", "part.layer", "error.ragged", "cell.")
"""Messages whose placeholders of these names hold a number, a spoken sum or a step; cells are read with their axes instead."""

TERMS = {
    "ja": "内積 埋め込み アテンションの重み 加重平均 自己注意 クロスアテンション 残差接続 層正規化 ソフトマックス "
    "因果マスク KVキャッシュ パラメーター 誘導ヘッド アテンションシンク ソフトキャップ スライディングウィンドウ RoPE バケット",
    "en": "dot_product embedding attention_weights weighted_average self-attention cross-attention "
    "residual_connection layer_normalization softmax causal_mask KV_cache parameters induction_head attention_sink softcap "
    "sliding_window RoPE bucket",
}
"""What a pupil will search for: each stands in a catalogue at least once."""

GONE = {
    "ja": "段階|模様|埋め草|詰め物|自作|隠した点数|スライド窓|飛び飛び|間をあけた|近所|くらべる|映す|切るヘッド|切りました|近視"
    "|帰納|漸化式|2乗の形|全ヘッド|全チャンネル|しくみ|場所ごと|誰が|本当の数|後から消した|配る割合|スコア|コンピューター"
    "|スマートフォン",
    "en": r"colour|centre|neighbour|favour|normalis|behaviour|is none|split by commas|\bbend|Toy:|hands? (over|on)\b|come by\b"
    r"|travel|has its say|\bMend\b|\bmachine\b|are possible|takes? off|taking off|Experts a token|(Queries|Keys) a tile",
}
"""Other names of what has one name, and what nobody would say."""


def texts(lang: str) -> dict[str, str]:
    return {key: words_of(lang)(key) for key in words_of(lang).keys()}  # noqa: SIM118 - a catalogue is no dictionary


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("step", GLOSSARY)
def test_the_words_in_the_name_of_a_cell_are_quoted_and_its_numbers_are_not(step: str, lang: str) -> None:
    axes = ("", *GLOSSARY[step].axes)[-2:]
    name = words_of(lang)(f"cell.{step}", row="ROW", column="COLUMN", number="COLUMN")
    for axis, said in zip(axes, ("ROW", "COLUMN"), strict=True):
        if said in name:
            assert (QUOTED[lang].format(said) in name) == (axis in OF_WORDS), name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_word_in_a_sentence_stands_in_quotation_marks(lang: str) -> None:
    found = 0
    for key, text in texts(lang).items():
        if not key.startswith(NO_WORDS) or key == "projector.row":
            for place in WORDS.finditer(text):
                found += 1
                assert QUOTED[lang].format(place[0]) in text, (key, text)
    assert found > 25


@pytest.mark.parametrize("lang", LANGUAGES)
def test_quotation_marks_come_in_pairs_and_are_those_of_the_language(lang: str) -> None:
    opening, closing = QUOTED[lang].split("{}")
    for key, text in texts(lang).items():
        assert text.count(opening) == text.count(closing), key
        assert '"' not in text, key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_term_of_the_field_stands_beside_ours_at_least_once(lang: str) -> None:
    whole = "\n".join(texts(lang).values()).casefold()
    assert not [term for term in TERMS[lang].split() if term.casefold().replace("_", " ") not in whole]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_second_name_comes_back(lang: str) -> None:
    assert not {key: text for key, text in texts(lang).items() if re.search(GONE[lang], text)}


def test_a_choice_is_called_alike_in_the_drawer_and_on_its_card() -> None:
    for lang in LANGUAGES:
        said = texts(lang)
        shared = [key.split(".")[1] for key in said if key.startswith("choice.") and f"form.{key.split('.')[1]}.title" in said]
        own = {"none", "after", "recurrent", "state_space", "convolution", "cached", "block"}  # a card says more than a choice
        differ = {name for name in shared if said[f"choice.{name}"].lower() != said[f"form.{name}.title"].lower()} - own
        assert not differ, {name: (said[f"choice.{name}"], said[f"form.{name}.title"]) for name in differ}
