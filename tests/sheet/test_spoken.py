"""Spoken: where a number comes from, in words: no sign is left, and the numbers are those of the sum."""

import re
from collections import Counter

import pytest

from app.core.operations.expression import Equal
from app.core.operations.numbers import show
from app.language.words import LANGUAGES, words_of
from app.sheet.spoken import MOST, make_spoken_why, say_number, unsaid
from app.sheet.why import Why
from tests.support.computing import computed
from tests.support.walking import FORMS, reasons

SIGNS = set("×÷√^−∞→≈=∈∉Φ{}+/·⁻")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_MORE = re.compile(r", and (\d+) more terms|、ほか(\d+)項")
HEADS = "text=a b c&n_heads=2&d_model=4"


def numbers(text: str) -> Counter[str]:
    return Counter(re.findall(r"\d+(?:\.\d+)?", text.translate(_LOWERED)))


def said_of(why: Why) -> str:
    """What is said of the number, without what the cell is called and without the note."""
    said = why.spoken.removesuffix(why.note)
    assert why.name in said
    return said.replace(why.name, "", 1)


def speak(query: str, lang: str, step: str, *index: int) -> str:
    return make_spoken_why(computed(query), step, index, words_of(lang)).spoken


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("form", FORMS)
def test_every_cell_of_every_step_is_said_without_signs_and_with_its_numbers(form: str, lang: str) -> None:
    for why in reasons(form, lang):
        said = said_of(why)
        assert not SIGNS & set(said), (why.expression, said)
        if not _MORE.search(said):
            printed = numbers("" if why.value == "-Infinity" and "→" not in why.expression else why.expression)
            twice = numbers(why.text) if "→" in why.expression else Counter()  # a result is said first, then what it comes from
            if isinstance(why.tree, Equal):  # said: what is asked, and its last step; not the sum in numbers between them
                asked, *_, last = (
                    why.expression.split(" = ") if why.relation == "≈" else why.expression.rsplit(" = ", 1)[0].split(" = ")
                )
                printed = numbers(asked) + numbers(last) + (numbers(why.text) if why.relation == "=" else Counter())
            assert numbers(said) == printed + twice, (why.expression, said)


DIRECT = "q=1,0,2&k=2,1,1;0,3,0&v=2,5,1;0,1,3&labels_q=走る&labels_k=犬,が&scale=sqrt"


@pytest.mark.parametrize(
    ("step", "index", "en", "ja"),
    [
        ("scores", (0, 0, 0), "the score of “走る” for “犬” is 4: 1 times 2, plus 0 times 1, plus 2 times 1",
         "「走る」のクエリと「犬」のキーの点数は4。1かける2、足す、0かける1、足す、2かける1"),
        ("scaled", (0, 0, 0), "the scaled score of “走る” for “犬” is about 2.309: 4 divided by the square root of 3",
         "「走る」から「犬」へのスケール後の点数は約2.309。4わるルート3"),
        ("weights", (0, 0, 0), "the weight of “犬” for “走る” is about 0.910: e to the power of 2.309, "
         "divided by the sum of e to the power of 2.309 and e to the power of 0; that is 10.07 divided by 11.07",
         "「走る」が「犬」から受け取る割合は約0.910。eの2.309乗、わる、eの2.309乗とeの0乗の和。つまり、10.07わる11.07"),
    ],
)  # fmt: skip
def test_a_sum_is_said_as_a_teacher_says_it(step: str, index: tuple[int, ...], en: str, ja: str) -> None:
    assert speak(DIRECT, "en", step, *index) == en
    assert speak(DIRECT, "ja", step, *index) == ja


def test_a_hidden_score_is_said_to_be_hidden() -> None:
    query = "text=a b&n_heads=1&mask=causal"
    assert speak(query, "en", "masked", 0, 0, 1) == "the masked score of “a” for “b” is hidden: the mask is 0, so it is hidden"
    assert (
        speak(query, "ja", "masked", 0, 0, 1) == "「a」から「b」へのマスク後の点数は隠されています。マスクが0なので、隠されます"
    )
    assert "the mask is 1, so it stays" in speak(query, "en", "masked", 0, 1, 0)


def test_a_largest_score_of_nothing_is_no_hidden_score() -> None:
    said = speak("text=a b c&mechanism=tiled&tile_q=3&tile_k=3&n_heads=1", "en", "tile.0.start.m", 0, 0, 0)
    assert "minus infinity" in said
    assert "hidden" not in said


def test_negative_numbers_are_said_as_minus() -> None:
    query = "q=-1,2&k=3,-4&v=1&scale=none"
    assert speak(query, "en", "scores", 0, 0, 0).endswith("is minus 11: minus 1 times 3, plus 2 times minus 4")
    assert speak(query, "ja", "scores", 0, 0, 0).endswith("はマイナス11。マイナス1かける3、足す、2かけるマイナス4")


@pytest.mark.parametrize(("width", "more"), [(MOST, None), (MOST + 1, 3), (32, 26)])
def test_of_a_long_sum_the_first_terms_are_said_and_the_others_counted(width: int, more: int | None) -> None:
    row = ",".join(["1"] * width)
    for lang in LANGUAGES:
        said = speak(f"q={row}&k={row}&v=1&scale=none", lang, "scores", 0, 0, 0)
        found = _MORE.search(said)
        assert (int(found[1] or found[2]) if found else None) == more
        times = "times" if lang == "en" else "かける"
        assert said.count(times) + (more or 0) == width


def test_a_given_number_says_where_it_comes_from() -> None:
    assert speak("x=1,2", "en", "x", 0, 1) == f"the vector of “1”, number 2 is 2. {words_of('en')('why.given.x')}"


def test_what_may_not_be_known_yet_is_named_without_its_number() -> None:
    why = make_spoken_why(computed(DIRECT), "scores", (0, 0, 0), words_of("en"))
    assert unsaid(why, words_of("en")) == "the score of “走る” for “犬”: not shown yet"
    assert show(4) not in unsaid(why, words_of("en"))


@pytest.mark.parametrize(
    ("text", "en", "ja"),
    [
        ("2×10⁻¹⁶", "2 times 10 to the power of minus 16", "2かける10のマイナス16乗"),
        ("−1.5×10³", "minus 1.5 times 10 to the power of 3", "マイナス1.5かける10の3乗"),
        ("(−2)", "minus 2", "マイナス2"),
        ("−∞", "minus infinity", "マイナス無限大"),
    ],
)
def test_a_number_with_a_power_of_ten_is_said(text: str, en: str, ja: str) -> None:
    assert (say_number(text, words_of("en")), say_number(text, words_of("ja"))) == (en, ja)


def test_an_exponent_that_is_a_sum_is_said_as_its_result() -> None:
    tiled = "text=a b&n_heads=1&mechanism=tiled&tile_k=1"
    assert "e to the power of the result of " in speak(tiled, "en", "tile.0.1.powers", 0, 0, 0)
    assert re.search("eの、.*引く.*、乗", speak(tiled, "ja", "tile.0.1.powers", 0, 0, 0))
