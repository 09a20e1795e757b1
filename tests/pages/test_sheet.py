"""The sheet: what its map and its controls say of a scenario."""

import re

import pytest

from app.address.presentation import Presentation, find_place
from app.language.words import LANGUAGES, words_of
from app.pages.sheet.controls import make_controls
from app.pages.sheet.step_map import make_map
from tests.support.asking import Api
from tests.support.computing import computed


@pytest.mark.parametrize(
    ("query", "idle"),
    [
        ("scale=none", ["scaled", "masked"]),
        ("scale=1&mask=causal", ["scaled"]),
        ("mask=none", ["masked"]),
        ("mask=causal", []),
        ("scale=0&mask=causal", []),
        ("scale=none&mask=causal&n_layers=1&at=layer.0.scores", ["layer.0.scaled"]),
        ("mask=none&mechanism=tiled&tile_q=3&tile_k=3&at=tile.0.0.scores", ["tile.0.0.masked"]),
    ],
)
def test_a_step_that_changes_nothing_is_pale_in_the_map(query: str, idle: list[str]) -> None:
    scenario, _, at = query.partition("&at=")
    run = computed(f"text=the dog runs&{scenario}")
    sections = make_map(run, find_place(run, Presentation.of(at=at)), 0, words_of("en"), [])
    steps = [step for section in sections for row in section.rows for step in row.steps]
    assert [step.name for step in steps if step.idle] == idle
    assert [step.name for step in steps if "idle" in step.looks] == idle


@pytest.mark.parametrize(
    ("query", "group", "summary"),
    [
        ("d_model=8&n_heads=4&n_kv_heads=2", "heads", "4/2"),
        ("d_model=8&n_heads=4", "heads", "4"),
        ("d_model=8", "sizes", "8"),
        ("w_q=identity&w_k=zero", "matrices", "2"),
        ("scale=0.5", "scale", "0.5"),
        ("n_layers=2", "block", "2"),
        ("mask=causal", "mask", words_of("en")("choice.causal")),
    ],
)
def test_a_closed_group_says_what_is_chosen(query: str, group: str, summary: str) -> None:
    groups = {each.name: each for each in make_controls(computed(f"text=a b&{query}"), {}, [], words_of("en"))}
    assert groups[group].summary == summary


@pytest.mark.parametrize(
    ("query", "name"), [("mask=nonsense", "mask"), ("d_model=x", "d_model"), ("scale=x", "scale"), ("edits=x", "edits")]
)
def test_the_field_that_is_wrong_is_marked_whatever_it_looks_like(api: Api, query: str, name: str) -> None:
    page = api.get("/", f"text=a b&lang=en&{query}").text
    marked = [tag for tag in re.findall(r"<(?:input|select|textarea)\b[^>]*>", page) if "aria-invalid" in tag]
    assert [re.findall(r'name="(\w+)"', tag) for tag in marked] == [[name]]
    assert f'id="error-{name}"' in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_posted_page_that_no_address_holds_says_so_without_scripts_too(api: Api, lang: str) -> None:
    matrix = ";".join(",".join(["0.1234"] * 32) for _ in range(12))
    kind = {"content-type": "application/x-www-form-urlencoded"}
    said = words_of(lang)("page.long_address")
    for query, shown in ((f"q={matrix}&k={matrix}&v={matrix}&lang={lang}", True), (f"text=a&lang={lang}", False)):
        page = api.ask("POST", "/", content=query.encode(), headers=kind).text
        found = re.search(r'<p class="notice too-long"[^>]*?( hidden)?>([^<]*)(?:\s*<(button|a) ([^>]*))', page)
        assert found
        assert said in found[2]
        assert (found[1] is None) == shown
        assert "/export.json" in found[4]
        assert not shown or 'id="export-form"' in page
