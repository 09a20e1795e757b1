"""Two scenarios in one picture: the numbers are those of A, of B, and what the comparison says."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import pytest

from app.core.operations.numbers import show, signed
from app.language.words import LANGUAGES, words_of
from tests.exports.test_svg import SVG, is_self_contained, stays_inside, texts
from tests.support.asking import Api, good, message, values
from tests.support.exporting import sheet_of

MASKED = {"text": "the dog runs", "mask": "causal", "pin": "mask="}
SIDES = ("a", "b", "difference")


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    with Api() as made:
        yield made


def drawn(api: Api, fields: dict[str, str], lang: str = "en", **more: str) -> Element:
    answer = api.get("/export.svg", urlencode({**fields, "lang": lang, **more}))
    assert answer.status_code == 200, answer.text
    picture = ElementTree.fromstring(answer.content)
    is_self_contained(picture)
    stays_inside(picture)
    return picture


def matrices(picture: Element, lang: str = "en") -> list[tuple[str, dict[str, str]]]:
    """Every matrix in the order it is drawn: its side, and its numbers by the names of their cells."""
    w, found = words_of(lang), []
    for group in picture.iter(f"{SVG}g"):
        if title := group.findtext(f"{SVG}title"):
            side = next(side for side in reversed(SIDES) if title.startswith(f"{w(f'compare.{side}')}: "))
            found.append((side, {name: text.text or "" for text in group.iter(f"{SVG}text") if (name := text.get("data-cell"))}))
    return found


def sides(api: Api, fields: dict[str, str], step: str) -> tuple[Any, Any, Any]:
    """A, B and B − A of a step as the API has them; A by leaving out what is pinned."""
    b = {name: value for name, value in fields.items() if name != "pin"}
    a = {name: value for name, value in b.items() if f"{name}=" not in fields["pin"]}
    found = good(api.get("/api/v1/attention/compare", urlencode(fields)))
    difference = next(each["difference"] for each in found["steps"] if each["name"] == step)
    return values(sheet_of(api, a), step), values(sheet_of(api, b), step), difference


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_and_b_and_their_difference_stand_side_by_side(api: Api, lang: str) -> None:
    picture = drawn(api, MASKED, lang, at="weights", cell="weights[1,2,0]")
    (one, in_a), (two, in_b), (three, change) = matrices(picture, lang)
    assert (one, two, three) == SIDES
    a, b, by = sides(api, MASKED, "weights")
    for row, column in np.ndindex(3, 3):
        ref = f"weights[1,{row},{column}]"
        assert in_a[ref] == show(a[1][row][column])
        assert in_b[ref] == show(b[1][row][column])
        assert change[ref] == signed(by[1][row][column])
    words = words_of(lang)
    said = texts(picture)
    assert f"{words('field.mask.label')}{words('compare.of')}A {words('choice.none')} → B {words('choice.causal')}" in said
    largest = max(np.abs(np.array(by)).ravel())
    assert any(
        signed(largest) in line or signed(-largest) in line for line in said if line.startswith(words("compare.largest")[:8])
    )
    assert {"A, B", "B − A"} <= set(said), "each scale is named"


def test_all_heads_are_rows_of_three_and_of_other_counts_a_row_for_each_side(api: Api) -> None:
    picture = drawn(api, {**MASKED, "d_model": "4", "n_heads": "2"}, at="weights", head="all")
    drawn_sides = matrices(picture)
    assert [side for side, _ in drawn_sides] == [*SIDES, *SIDES]
    heads = [{name.split("[")[1][0] for name in numbers} for _, numbers in drawn_sides]
    assert heads == [{"0"}] * 3 + [{"1"}] * 3
    fields = {"text": "a b", "d_model": "4", "n_heads": "2", "pin": "n_heads=4"}
    other = drawn(api, fields, at="weights", head="all", theme="dark")
    assert [side for side, _ in matrices(other)] == ["a"] * 4 + ["b"] * 2
    assert "Not comparable, because the shapes differ" in " ".join(texts(other))


def test_two_sentences_name_their_rows_both(api: Api) -> None:
    fields = {"text": "a cat runs", "n_heads": "1", "pin": "text=the dog runs"}
    picture = drawn(api, fields, at="scores")
    assert {"the / a", "dog / cat", "runs"} <= set(texts(picture))


def test_large_ones_are_three_heatmaps(api: Api) -> None:
    fields = {"text": " ".join(f"w{number}" for number in range(20)), "mask": "causal", "pin": "mask="}
    picture = drawn(api, fields, at="weights", of="out[0,0]")
    assert matrices(picture) == [(side, {}) for side in SIDES]
    assert texts(picture).count("w7") == 6


def test_a_step_that_only_b_has_stands_alone(api: Api) -> None:
    fields = {"text": "a b", "position": "sinusoidal", "pin": "position="}
    picture = drawn(api, fields, at="pos")
    assert [side for side, _ in matrices(picture)] == ["b"]


def test_without_a_pin_and_of_the_sentence_itself_the_picture_is_as_before(api: Api) -> None:
    plain = {name: value for name, value in MASKED.items() if name != "pin"}
    assert (
        api.get("/export.svg", urlencode({**MASKED, "at": "tokens"})).content
        == api.get("/export.svg", urlencode({**plain, "at": "tokens"})).content
    )


def test_a_pin_that_cannot_be_computed_is_named(api: Api) -> None:
    assert message(api.get("/export.svg", urlencode({"text": "a b", "pin": "mask=nowhere"})), "pin.mask")
    whole = api.get("/export.json", urlencode({"text": "a b", "pin": "mask=nowhere"}))
    assert whole.status_code == 200, "other files hold B alone"
