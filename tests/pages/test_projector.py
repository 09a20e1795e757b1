"""The projector's page: every step of every form has its screen; links say all of it; sizes keep within the screen."""

import html
import re

import pytest

from app.address.fields import Link
from app.address.presentation import Presentation, split_fields
from app.drawing.theme import HUES, LIGHT, blend, contrast, style_sheet
from app.glossary import TOKENS, base_of
from app.language.words import LANGUAGES, words_of
from app.pages.projector import project
from app.pages.projector.arithmetic import MOST, make_panel
from app.pages.projector.headline import make_headline
from app.pages.projector.measure import measure_panel
from app.pages.projector.stage import INNER, SMALLEST, fit_panel
from app.run.run import compute
from app.scenario.table import Scenario
from tests.support.asking import Api
from tests.support.walking import FORMS, reasons, short

PAGE = "view=projector&lang=en&text=the dog runs&n_heads=2&d_model=4"


def page(api: Api, query: str, status: int = 200) -> str:
    answer = api.get("/", query)
    assert answer.status_code == status
    return html.unescape(answer.text)


@pytest.mark.parametrize("form", FORMS)
def test_every_step_of_every_form_has_its_screen(form: str) -> None:
    run = short(form)
    for step in run.trace:
        screen = project(run, Presentation.of(at=step), [], words_of("en"))
        assert screen.title == words_of("en")(f"step.{base_of(step)}.name")
        assert screen.why
        assert screen.panel
        assert screen.stage
        assert screen.stage.panel_font >= SMALLEST
        if screen.picture:
            assert screen.stage.font >= SMALLEST
            assert screen.stage.width <= INNER
            assert screen.stage.small >= SMALLEST
        else:
            assert screen.strip
            assert screen.heats


@pytest.mark.parametrize("form", FORMS)
def test_the_arithmetic_on_the_screen_has_every_term_or_counts_those_left_out(form: str) -> None:
    for why in reasons(form, "en"):
        panel = make_panel(why)
        left_out = panel.more + panel.more_below
        lines = len(panel.lines) + len(panel.below)
        assert max(len(panel.lines), len(panel.below)) <= MOST
        if panel.kind == "sum" and why.products:
            assert len(panel.lines) + panel.more == len(why.products)
        assert panel.kind == "given" or lines >= 1
        assert left_out == 0 or lines >= 6


def test_every_key_leads_to_an_address_that_says_all_of_it(api: Api) -> None:
    text = page(api, f"{PAGE}&cell=scores[1,2,1]&theme=dark&hide=x&zoom=115")
    links = dict(re.findall(r'"(\w+)": "(/\?[^"]+)"', text))
    assert set(links) == {"previous", "following", "up", "number", "head", "language", "larger", "smaller", "sheet"}
    for href in links.values():
        assert "hide=x" in href
        assert "theme=dark" in href
        assert api.get(href).status_code == 200
    assert "cell=scores[1,1,1]" in links["up"]
    assert "cell=scores[1,2,2]" in links["number"]
    assert "cell=scores[0,2,1]" in links["head"]
    assert "cell=scaled[1,2,0]" in links["following"], "the first number of the row"
    assert "lang=ja" in links["language"]
    assert "view=" not in links["sheet"]
    assert "cell=scores[1,2,1]" in links["sheet"]


def test_the_sheet_and_the_projector_lead_to_each_other_in_the_same_state(api: Api) -> None:
    sheet = page(api, "lang=en&text=the dog runs&mask=causal&cell=weights[1,2,0]&hide=x")
    there = re.search(r'class="tool present" href="([^"]+)"', sheet)
    assert there
    assert "view=projector" in there[1]
    screen = page(api, there[1].removeprefix("/?"))
    assert 'data-cell="weights[1,2,0]"' in screen
    back = re.search(r'href="(/[^"]+)" data-act="leave"', screen)
    assert back
    assert 'name="cell" value="weights[1,2,0]"' in page(api, back[1].removeprefix("/?"))


def test_it_is_light_unless_dark_is_asked_for(api: Api) -> None:
    assert 'data-theme="light"' in page(api, PAGE)
    assert 'data-theme="dark"' in page(api, f"{PAGE}&theme=dark")


def test_a_size_that_there_is_not_is_the_usual_size(api: Api) -> None:
    sizes = [
        re.search(r'class="stage[^"]*"\s[^>]*style="([^"]+)"', page(api, f"{PAGE}{zoom}"))
        for zoom in ("", "&zoom=9999", "&zoom=a")
    ]
    assert len({found[1] for found in sizes if found}) == 1


def test_bad_input_keeps_a_picture_says_why_and_leads_to_the_sheet(api: Api) -> None:
    text = page(api, "view=projector&lang=en&text=a b&w_q=1,2;3&good=text=x y&hide=h", 422)
    assert 'role="alert"' in text
    assert "w_q" in text
    assert 'data-query="text=x%20y"' in text
    assert 'href="/?text=a%20b&w_q=1,2;3&lang=en&hide=h"' in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_question_names_the_words_of_the_chosen_cell(lang: str) -> None:
    run = compute(Scenario.from_query([("text", "犬 が 走る")]))
    asked = {
        step: project(run, Presentation.of(cell=f"{step}[0,2,0]"), [], words_of(lang)).question for step in ("scores", "weights")
    }
    assert all("走る" in question and "犬" in question for question in asked.values())
    assert asked["scores"] != asked["weights"]


@pytest.mark.parametrize("chosen", [0, 20, 63])
def test_of_many_words_those_around_the_chosen_one_are_shown(chosen: int) -> None:
    run = compute(Scenario.from_query([("text", " ".join(f"word{number}" for number in range(64)))]))
    shown = project(run, Presentation.of(cell=f"x[{chosen},0]"), [], words_of("en")).headline.words
    assert [word.place for word in shown if word.chosen] == [chosen]
    assert 5 < len(shown) < 20
    assert any(word.text == "…" for word in shown)


def test_a_longer_question_leaves_less_room() -> None:
    from markupsafe import Markup

    rooms = [make_headline("title", Markup(""), "word " * count, [], "", []).stage for count in (1, 30, 60)]
    assert rooms == sorted(rooms, reverse=True)
    assert len(set(rooms)) == 3


def test_arithmetic_is_set_as_large_as_its_space_allows() -> None:
    why = next(why for why in reasons("opening", "en") if why.step == "scores")
    pieces = measure_panel(make_panel(why), "")
    sizes = [fit_panel(pieces, width, 700, 1.0) for width in (60, 300, 600, 1200)]
    assert sizes[0] is None
    known = [size[0] for size in sizes if size]
    assert known == sorted(known)
    larger = fit_panel(pieces, 1200, 700, 1.5)
    assert larger
    assert larger[0] > known[-1]


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    assert contrast("#ffffff", "#777777") == contrast("#777777", "#ffffff")


def test_the_colours_of_the_projector_are_clear_on_their_grounds() -> None:
    found = re.search(r":root\[data-view=projector\]\{([^}]+)\}", style_sheet())
    assert found
    named = dict(part.split(":") for part in found[1].strip(";").split(";") if part)
    named = {name.removeprefix("--"): value for name, value in named.items()}
    for hue in HUES:
        for colours in (LIGHT.positive, LIGHT.negative):
            cell = blend(LIGHT.page["cell"], colours[hue], float(named["strongest"]))
            assert contrast(LIGHT.page["ink"], cell) >= 7
        tint = blend(LIGHT.page["cell"], LIGHT.positive[hue], float(named["tint"]))
        assert contrast(named[f"{hue}-text"], tint) >= 7


def test_what_travels_along_is_all_but_the_place() -> None:
    pairs = [("text", "a"), ("lang", "en"), ("hide", "x"), ("cell", "x[0,0]"), ("view", "projector"), ("zoom", "90")]
    kept, presentation = split_fields(pairs)
    assert kept == [("text", "a")]
    assert presentation.travelling(Link.SCREEN) == {"lang": "en", "hide": "x", "zoom": "90"}


def test_the_tokens_stand_alone_and_lead_on(api: Api) -> None:
    text = page(api, f"{PAGE}&at={TOKENS}")
    assert re.findall(r'class="token[^"]*">(\w+)<', text) == ["the", "dog", "runs"]
    assert "data-spoken" not in text


def test_the_explanation_of_the_api_has_its_spoken_form(api: Api) -> None:
    why = api.why("q=1,0,2&k=2,1,1&v=1&scale=none", "scores", 0, 0, 0)
    assert why["spoken"].endswith("is 4: 1 times 2, plus 0 times 1, plus 2 times 1")
    schema = api.get("/openapi.json").json()["components"]["schemas"]["Why"]
    assert "spoken" in schema["properties"]
