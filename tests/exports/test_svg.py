"""A step as a picture in SVG: true to the sheet, whole, and at nobody's mercy."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from hypothesis import given

from app.address.presentation import split_fields
from app.core.operations.numbers import show
from app.drawing.theme import DARK, LIGHT
from app.exports import EXPORTS, ExportRequest
from app.exports.svg.marks import hatching
from app.glossary import base_of
from app.language.words import words_of
from app.run.run import Run, compute
from app.scenario.table import Scenario
from app.text.widths import ems, fit
from tests.support.asking import Api, Json, good, values, wrong
from tests.support.examples import examples
from tests.support.exporting import EVERY, SCENES, sheet_of
from tests.support.scenes import scenarios

SVG = "{http://www.w3.org/2000/svg}"
WORKED = {"q": "1,0,2", "k": "2,1,1;0,3,0;1,1,1", "v": "2,5,1;0,1,3;4,0,2", "labels_q": "runs", "labels_k": "dog,the,runs"}


@pytest.fixture(scope="module")
def api() -> Iterator[Api]:
    with Api() as made:
        yield made


def computed(fields: dict[str, str]) -> Run:
    return compute(Scenario.from_query(split_fields(fields.items())[0]))


def drawn(run: Run, lang: str = "en", **shown: str) -> Element:
    """The picture as a tree: it must be XML."""
    return ElementTree.fromstring(EXPORTS["svg"].make(ExportRequest(run, words_of(lang), split_fields(shown.items())[1])))


def texts(picture: Element) -> list[str]:
    return [text.text or "" for text in picture.iter(f"{SVG}text")]


def numbers(picture: Element) -> dict[str, str]:
    """Every number in a cell, by the name of its cell."""
    return {name: text.text or "" for text in picture.iter(f"{SVG}text") if (name := text.get("data-cell"))}


def new_steps() -> Iterator[tuple[Run, str]]:
    """Every kind of step once, and of every form the opening step and the last one."""
    seen = set[str]()
    for fields in EVERY.values():
        made = computed(fields)
        steps = list(made.trace)
        for step in steps:
            if (kind := f"{base_of(step)} {len(made.trace[step].shape)}") not in seen or step == steps[-1]:
                seen.add(kind)
                yield made, step


def test_every_step_of_every_form_is_whole_and_true() -> None:
    count = 0
    for made, step in new_steps():
        many = len(made.trace[step].shape) == 3
        for head in ("0", "all") if many else ("",):
            picture = drawn(made, at=step, head=head)
            is_self_contained(picture)
            stays_inside(picture)
            is_true(made, step, picture, head)
            count += 1
    assert count > 250


def is_self_contained(picture: Element) -> None:
    allowed = {"svg", "title", "desc", "g", "rect", "path", "text", "tspan", "circle"}
    for element in picture.iter():
        assert element.tag.removeprefix(SVG) in allowed
        assert not [value for value in element.attrib.values() if re.search(r"https?:|url\(|javascript|NaN|currentColor", value)]
        assert not [name for name in element.attrib if name.startswith("on") or name.endswith("href") or name == "style"]
        assert element.get("font-family", "sans-serif") in ("sans-serif", "monospace")


def stays_inside(picture: Element) -> None:
    width, height = float(picture.get("width", "0")), float(picture.get("height", "0"))
    assert picture.get("viewBox") == f"0 0 {picture.get('width')} {picture.get('height')}"
    formulas = {id(part) for group in picture.iter(f"{SVG}g") if group.get("transform") for part in group}
    for box in picture.iter(f"{SVG}rect"):
        if id(box) in formulas:  # the bar of a fraction, in the formula's own measure
            continue
        x, y, w, h = (float(box.get(name, "0")) for name in ("x", "y", "width", "height"))
        assert min(x, y) >= 0
        assert x + w <= width + 0.01
        assert y + h <= height + 0.01
    for line in picture.iter(f"{SVG}text"):
        if not line.get("transform"):
            room = (
                ems(line.text or "")
                * float(line.get("font-size", "0"))
                * {"middle": 0.5, "end": 0}.get(line.get("text-anchor", ""), 1)
            )
            assert float(line.get("x", "0")) > 0
            assert float(line.get("x", "0")) + room <= width


def is_true(run: Run, step: str, picture: Element, head: str) -> None:
    """Every number is the one of the cell that it stands in, and no cell of the step is left out."""
    shown = numbers(picture)
    for name, text in shown.items():
        other, places = name.rstrip("]").split("[")
        assert text == show(float(run.trace[other].value[tuple(map(int, places.split(",")))]))
    shape = run.trace[step].shape
    cells = [index for index in np.ndindex(*shape) if len(shape) < 3 or head == "all" or index[0] == 0]
    own = [name for name in shown if name.startswith(f"{step}[")]
    if max(shape[-2:]) > 16:
        boxes = sum(
            (path.get("d") or "").count("z") for path in picture.iter(f"{SVG}path") if path.get("fill", "").startswith("#")
        )
        assert own == []
        assert boxes >= len(cells)
    else:
        assert set(own) == {f"{step}[{','.join(map(str, index))}]" for index in cells}


def test_the_worked_product_is_laid_out_as_on_the_board() -> None:
    """By hand: (1, 0, 2) times the columns (2, 1, 1), (0, 3, 0), (1, 1, 1) is 4, 0, 3."""
    picture = drawn(computed(WORKED), at="scores")
    assert numbers(picture) == {
        **{f"q[0,0,{place}]": text for place, text in enumerate("102")},
        **{f"k[0,{word},{place}]": "211030111"[3 * word + place] for word in range(3) for place in range(3)},
        **{f"scores[0,0,{place}]": text for place, text in enumerate("403")},
    }
    at = {
        name: (float(text.get("x", "0")), float(text.get("y", "0")))
        for text in picture.iter(f"{SVG}text")
        if (name := text.get("data-cell"))
    }
    for word in range(3):
        assert at[f"scores[0,0,{word}]"][0] == at[f"k[0,{word},0]"][0], "the key stands above its score"
        assert at[f"k[0,{word},0]"][1] < at[f"k[0,{word},1]"][1] < at[f"scores[0,0,{word}]"][1]
    assert len({at[f"q[0,0,{place}]"][1] for place in range(3)} | {at["scores[0,0,0]"][1]}) == 1, "the query stands beside it"
    assert at["q[0,0,2]"][0] < at["scores[0,0,0]"][0]
    assert [text for text in texts(picture) if text in ("dog", "the", "runs")].count("dog") == 2
    assert texts(picture)[0] == "Scores — each query meets each key"


def test_colours_have_their_meaning_in_light_and_in_dark() -> None:
    made = computed({**WORKED, "k": "-2,1,1;0,3,0;1,1,1"})
    for theme, colours in (("light", LIGHT), ("dark", DARK)):
        picture = drawn(made, at="scores", theme=theme)
        first = next(picture.iter(f"{SVG}rect"))
        assert first.get("fill") == colours.page["paper"]
        fills = [group.get("fill") for group in picture.iter(f"{SVG}text") if group.get("font-weight") == "bold"]
        assert fills == [colours.page["ink"], *(colours.text[hue] for hue in "kqq")]
        boxes = [box.get("fill") or "" for box in picture.iter(f"{SVG}rect") if box.get("rx")]
        cells = dict(zip(numbers(picture), boxes, strict=True))
        strongest = {"light": 0.68, "dark": 0.58}[theme]
        assert cells["k[0,1,1]"] == mixed(colours.page["cell"], colours.positive["k"], strongest)
        assert cells["k[0,0,0]"] == mixed(colours.page["cell"], colours.negative["k"], strongest * 0.67)
        assert cells["k[0,1,0]"] == colours.page["cell"]


def mixed(low: str, high: str, share: float) -> str:
    pairs = [(int(low[place : place + 2], 16), int(high[place : place + 2], 16)) for place in (1, 3, 5)]
    return "#" + "".join(f"{round((1 - share) * one + share * other):02x}" for one, other in pairs)


def test_only_a_cell_that_is_asked_for_is_outlined() -> None:
    made = computed(WORKED)
    thick = [drawn(made, cell="scores[0,0,2]"), drawn(made, at="scores")]
    counts = [
        [sum(box.get("stroke-width") == width for box in picture.iter(f"{SVG}rect")) for width in ("2", "3")] for picture in thick
    ]
    assert counts == [[6, 1], [0, 0]]


def test_slopes_stand_below_their_numbers(api: Api) -> None:
    fields = {"text": "a b c", "n_heads": "1", "d_model": "2", "mask": "causal"}
    made = computed(fields)
    picture = drawn(made, at="z", of="out[2,0]")
    below = {name: text.text or "" for text in picture.iter(f"{SVG}text") if (name := text.get("data-slope"))}
    answer = good(api.get("/api/v1/attention/gradient", urlencode({**fields, "of": "out[2,0]"})))
    exact = next(step["values"] for step in answer["steps"] if step["name"] == "z")
    assert {name for name in below if name.startswith("z[")} == {f"z[0,{i},{j}]" for i in range(3) for j in range(2)}
    for row in range(3):
        for column in range(2):
            text = below[f"z[0,{row},{column}]"].replace("−", "-")
            assert float(text) == pytest.approx(exact[0][row][column], abs=5.1e-4)
    assert "out[2,0]: how much it grows with each number of z" in texts(picture)
    apart = drawn(made, at="out", of="scores[0,2,0]")
    assert not [text for text in apart.iter(f"{SVG}text") if text.get("data-slope")]
    assert wrong(api.get("/export.svg", urlencode({**fields, "of": "out[9,9]"})), "of")


def test_hidden_scores_are_hatched_and_marked() -> None:
    made = computed({"text": "a b c", "mask": "causal", "n_heads": "1", "d_model": "2"})
    picture = drawn(made, at="masked")
    assert list(numbers(picture).values()).count("−∞") == 3
    hatch = [path for path in picture.iter(f"{SVG}path") if path.get("stroke") == LIGHT.page["hatch"]]
    assert len(hatch) == 3
    assert hatching(0, 0, 12, 6) == "M6 0L0 6M12 0L6 6"


def test_a_large_step_is_a_heatmap_with_all_names_and_signs(api: Api) -> None:
    fields = {"text": " ".join(f"w{number}" for number in range(40)), "d_model": "4", "n_heads": "2", "mask": "causal"}
    picture = drawn(computed(fields), at="masked", head="1")
    assert numbers(picture) == {}
    assert [text for text in texts(picture) if re.fullmatch(r"w\d+", text)] == 2 * fields["text"].split()
    masked = values(sheet_of(api, fields), "masked")[1]
    dashes = [path.get("d", "") for path in picture.iter(f"{SVG}path") if path.get("stroke") == LIGHT.page["ink-soft"]]
    assert dashes[0].count("M") == int((np.isfinite(masked) & (masked < 0)).sum())


def test_the_words_of_the_reader_stay_words() -> None:
    awkward = {"text": '<script>alert(1)</script> & "x" ]]> <!--', "split": "spaces"}
    for fields in (awkward, SCENES["script"], SCENES["emoji"], SCENES["right-to-left"]):
        made = computed(fields)
        for step in ("tokens", "scores", "weights"):
            picture = drawn(made, at=step)
            is_self_contained(picture)
            shown = set(texts(picture))
            assert {fit(token.text, 7.3 if step == "scores" else 9) for token in made.tokens} & shown
    assert "<script>alert(1)</script>" in texts(drawn(computed(awkward), at="tokens"))


def test_what_xml_cannot_hold_is_replaced() -> None:
    picture = drawn(computed({**WORKED, "labels_k": "a\ufffe,b,c"}), at="scores")
    assert "a\ufffd" in texts(picture)


@examples(25, patient=True)
@given(fields=scenarios)
def test_any_scenario_can_be_drawn(api: Api, fields: Json) -> None:
    answer = api.ask("POST", "/api/v1/attention", json=fields)
    if answer.status_code == 200:
        made = computed(dict(parse_qsl(answer.json()["query"], keep_blank_values=True)))
        for step in ("scores", "out", "tokens"):
            picture = drawn(made, "ja", at=step)
            is_self_contained(picture)
            stays_inside(picture)


def test_the_file_is_named_after_words_and_step(api: Api) -> None:
    for more, name in (({"at": "weights"}, "weights"), ({"cell": "q[0,1,0]"}, "q"), ({"at": "tokens"}, "tokens"), ({}, "scores")):
        answer = api.get("/export.svg", urlencode({"text": "the dog", **more}))
        assert answer.headers["content-type"] == "image/svg+xml"
        assert f'filename="haibun-the-dog-{name}.svg"' in answer.headers["content-disposition"]
    picture = ElementTree.fromstring(
        api.get("/export.svg", urlencode({"text": "犬 が 走る", "lang": "ja", "at": "weights"})).content
    )
    assert picture.findtext(f"{SVG}title") == "配分（アテンションの重み）— 点数を割合に直す"
    assert picture.get("{http://www.w3.org/XML/1998/namespace}lang") == "ja"


def test_words_are_cut_between_letters_as_people_see_them() -> None:
    assert fit("犬が走る", 4) == "犬が走る"
    assert fit("犬が走る", 3) == "犬が…"
    assert fit("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", 2) == "👨‍👩‍👧…"
    assert ems("") == 0
    assert ems("漢字") == 2
