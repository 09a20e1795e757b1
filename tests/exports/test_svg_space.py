"""The meaning space as a picture in SVG: every point where the figure has it, named, and an arrow for every word that moves."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import pytest

from app.language.words import LANGUAGES, words_of
from app.text.widths import ems, wrap
from tests.exports.test_svg import SVG, is_self_contained, stays_inside, texts
from tests.support.asking import Api, good

WIDTHS = {
    "one": {"text": "a b c", "d_model": "1", "n_heads": "1"},
    "two": {"text": "the dog runs", "d_model": "2", "n_heads": "1"},
    "three": {"text": "the dog runs", "d_model": "3", "n_heads": "1", "turn": "55,10"},
    "plane": {"text": "the dog runs", "d_model": "8", "n_layers": "2", "position": "sinusoidal"},
    "still": {"text": "a", "w_o": "zero"},
    "many": {"text": " ".join(f"w{number}" for number in range(20))},
    "script": {"text": '<b>x</b> &amp; "y"', "split": "spaces", "d_model": "2", "n_heads": "1"},
}


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    with Api() as made:
        yield made


def drawn(api: Api, fields: dict[str, str], lang: str = "en", **more: str) -> Element:
    answer = api.get("/export.svg", urlencode({**fields, "at": "space", "lang": lang, **more}))
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].endswith("-space.svg")
    return ElementTree.fromstring(answer.content)


def points(picture: Element) -> list[tuple[str, float, float]]:
    """The cell of every point, and where it is drawn: the centre of its circle, or of its corners."""
    found = []
    for mark in picture.iter():
        if cell := mark.get("data-cell"):
            corners = np.array([corner.split() for corner in mark.get("d", "M0 0z")[1:-1].split("L")], dtype=float)
            x, y = (float(mark.get("cx", corners[:, 0].mean())), float(mark.get("cy", corners[:, 1].mean())))
            found.append((cell, x, y))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", WIDTHS)
def test_every_point_stands_where_the_figure_has_it(api: Api, name: str, lang: str) -> None:
    fields = WIDTHS[name]
    picture = drawn(api, fields, lang)
    is_self_contained(picture)
    stays_inside(picture)
    figure: Any = good(api.get("/api/v1/figures/space", urlencode({**fields, "lang": lang})))
    traces = [trace for trace in figure["data"] if "marker" in trace]
    expected = [(cell, x, y) for trace in traces for cell, x, y in zip(trace["customdata"], trace["x"], trace["y"], strict=True)]
    shown = points(picture)
    assert [cell for cell, _, _ in shown] == [cell for cell, _, _ in expected]
    for axis in (1, 2):
        there, here = (np.array([point[axis] for point in found]) for found in (expected, shown))
        if np.ptp(there) > 1e-9:  # one scale and one beginning for all: a straight line; a pixel of play for odd symbols
            slope, start = np.polyfit(there, here, 1)
            assert np.abs(slope * there + start - here).max() < 1.5
            assert slope > 0 if axis == 1 else slope < 0
    assert {trace["name"] for trace in traces} <= set(texts(picture))
    assert texts(picture)[0] == words_of(lang)("step.space.title")


def test_an_arrow_leads_every_word_that_moves(api: Api) -> None:
    picture, still = drawn(api, WIDTHS["two"]), drawn(api, {**WIDTHS["two"], "w_o": "identity", "w_v": "identity", "text": "a"})
    heads = [path for path in picture.iter(f"{SVG}path") if path.get("fill") and path.get("d", "").count("L") == 2]
    assert len(heads) == 3
    assert not [path for path in still.iter(f"{SVG}path") if path.get("fill") and path.get("d", "").count("L") == 2]


def test_the_chosen_word_is_bold_and_a_point_says_its_numbers(api: Api) -> None:
    picture = drawn(api, WIDTHS["two"], cell="x[1,0]")
    bold = [text.text for text in picture.iter(f"{SVG}text") if text.get("font-weight") == "bold"]
    assert bold.count("dog") == 2
    assert "the" not in bold
    said = [mark.findtext(f"{SVG}title") for mark in picture.iter() if mark.get("data-cell") == "x[0,0]"]
    assert said == ["the before (x) (2, 0.7)", "the after (out) (2.687, 1.369)"]


def test_words_stay_words(api: Api) -> None:
    picture = drawn(api, WIDTHS["script"])
    assert {"<b>x</b>", "&amp;", '"y"'} <= set(texts(picture))


def test_turning_three_components_turns_the_picture(api: Api) -> None:
    one, other = (points(drawn(api, {**WIDTHS["three"], "turn": turn})) for turn in ("25,20", "85,20"))
    assert one != other


@pytest.mark.parametrize(
    ("text", "most", "lines"),
    [
        ("a bb ccc", 3, ["a bb", "ccc"]),
        ("犬が走る。", 4, ["犬が走", "る。"]),
        ("", 3, []),
        ("unbreakable", 2, ["unbreakable"]),
        ("犬 (dog) 走", 5, ["犬 (dog)", "走"]),
    ],
)
def test_text_is_broken_between_words_and_between_kanji(text: str, most: float, lines: list[str]) -> None:
    assert wrap(text, most) == lines
    assert all(ems(line) <= most or " " not in line for line in lines)
