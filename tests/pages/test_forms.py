"""Every form with a card: each step, each label, each figure and each page of it, in both languages."""

import html
import re
from itertools import product

import numpy as np
import plotly.graph_objects as go
import pytest

from app.language.words import LANGUAGES
from app.scenario.presets import PRESETS, Preset, fields_of
from app.sheet.steps import write_query
from tests.support.asking import ATTENTION, FIGURES, Api, Json, good, numbers, step, values

ALL = {preset.name: preset for presets in PRESETS.values() for preset in presets}
EXPLAINED = 3
"""Cells of each step that are explained."""
UNSAID = re.compile(r"\b(?:nan|NaN|None(?!:)|undefined|Infinity)\b|%\(|\{\{|\w+\.\w+\.(?:title|caption|name)\b")


def query_of(preset: Preset, lang: str) -> str:
    """The query of a card, in the reader's language."""
    return write_query(fields_of(preset, lang))


def sheet_of(api: Api, name: str, lang: str) -> Json:
    return good(api.get(ATTENTION, f"{query_of(ALL[name], lang)}&lang={lang}"))


def text_of(page: str) -> str:
    """What a person reads, and hears, of a page."""
    body = re.sub(r"<(script|style|svg|math)\b.*?</\1>", " ", page, flags=re.DOTALL)
    spoken = " ".join(re.findall(r'(?:title|aria-label|placeholder|alt)="([^"]*)"', body))
    return html.unescape(re.sub(r"<[^>]*>", " ", body) + spoken)


@pytest.mark.parametrize("name", ALL)
def test_a_preset_is_answered_the_same_way_again(api: Api, name: str) -> None:
    for lang in LANGUAGES:
        answer = api.get(ATTENTION, f"{query_of(ALL[name], lang)}&lang={lang}")
        again = api.get(ATTENTION, f"{good(answer)['query']}&lang={lang}")
        assert again.content == answer.content
        assert api.body({**good(answer)["scenario"], "lang": lang})["steps"] == good(answer)["steps"]


@pytest.mark.parametrize("name", ALL)
def test_every_check_of_a_preset_holds(api: Api, name: str) -> None:
    checks = sheet_of(api, name, "en")["checks"]
    assert checks
    wrong = [check for check in checks if not check["ok"]]
    if name == "after":
        assert [(check["step"], check["kind"]) for check in wrong] == [("weights_cut", "row_sums")]
        assert wrong[0]["value"] > 0.1
    else:
        assert wrong == []


@pytest.mark.parametrize("name", ALL)
def test_every_label_stands_at_a_row_or_a_column(api: Api, name: str) -> None:
    english, japanese = (sheet_of(api, name, lang) for lang in LANGUAGES)
    assert [made["name"] for made in english["steps"]] == [made["name"] for made in japanese["steps"]]
    for sheet in (english, japanese):
        for made in sheet["steps"]:
            assert [len(labels) for labels in made["labels"]] == made["shape"] == list(np.shape(made["values"]))
            assert len(made["axes"]) == len(made["shape"])
            assert made["title"]
            assert made["formula"]
            assert not UNSAID.search(f"{made['title']} {made['caption']}")
            assert all(known in [other["name"] for other in sheet["steps"]] for known in made["inputs"])
            if "key" in made["axes"] and made["shape"][made["axes"].index("key")] == len(sheet["tokens"]):
                words = [token["text"] for token in sheet["tokens"]]
                assert made["labels"][made["axes"].index("key")] == words


@pytest.mark.parametrize("name", ALL)
def test_cells_of_every_step_are_explained_by_the_numbers_they_point_at(api: Api, name: str) -> None:
    for lang in LANGUAGES:
        sheet = sheet_of(api, name, lang)
        found = {made["name"]: numbers(made["values"]) for made in sheet["steps"]}
        for made in sheet["steps"]:
            cells = list(product(*map(range, made["shape"])))
            for place in {len(cells) * part // EXPLAINED for part in range(EXPLAINED)} if lang == "en" else {len(cells) - 1}:
                why = api.why(f"{sheet['query']}&lang={lang}", made["name"], *cells[place])
                assert float(why["value"]) == found[made["name"]][cells[place]]
                assert not UNSAID.search(why["name"])
                for term in [*why["terms"], *why["onward"]]:
                    assert float(term["value"]) == found[term["step"]][tuple(term["index"])]


@pytest.mark.parametrize("name", ALL)
def test_every_step_of_a_preset_is_a_figure(api: Api, name: str) -> None:
    lang = LANGUAGES[len(name) % len(LANGUAGES)]
    sheet = sheet_of(api, name, lang)
    for made in sheet["steps"]:
        figure = good(api.get(FIGURES + made["name"], f"{sheet['query']}&lang={lang}"))
        go.Figure(figure)
        assert len(figure["data"]) == (made["shape"][0] if len(made["shape"]) == 3 else 1)
        assert not UNSAID.search(figure["layout"]["title"]["text"])


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ALL)
def test_every_step_of_a_preset_is_a_page(api: Api, name: str, lang: str) -> None:
    query = query_of(ALL[name], lang)
    for made in sheet_of(api, name, lang)["steps"]:
        page = api.get("/", f"{query}&lang={lang}&at={made['name']}", headers={"accept": "text/html"})
        assert page.status_code == 200
        assert f'data-step="{made["name"]}"' in page.text
        assert html.escape(made["title"], quote=False) in page.text.replace("&#39;", "'").replace("&#34;", '"')
        assert not (wrong := UNSAID.findall(text_of(page.text))), (made["name"], wrong)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_of_all_forms_has_a_card_for_each(api: Api, lang: str) -> None:
    page = api.get("/forms", f"lang={lang}").text
    links = [html.unescape(link) for link in re.findall(r'class="form-card" href="/\?([^"]*)"', page)]
    assert len(links) == len(ALL)
    assert not UNSAID.search(text_of(page))
    for link, preset in zip(links, ALL.values(), strict=True):
        opened = api.get("/", link)
        assert opened.status_code == 200
        assert f'data-step="{preset.at}"' in opened.text


def test_each_preset_differs_from_plain_attention(api: Api) -> None:
    plain = sheet_of(api, "none", "en")
    for name in ALL:
        if name != "none":
            sheet = sheet_of(api, name, "en")
            same = [made["name"] for made in sheet["steps"]] == [made["name"] for made in plain["steps"]]
            assert not same or values(sheet, "weights").tolist() != values(plain, "weights").tolist() or (
                step(sheet, "out")["values"] != step(plain, "out")["values"]
            ), name  # fmt: skip
