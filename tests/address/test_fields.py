"""What travels where: the table of the fields of presentation against the links of every page."""

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest

from app.address.fields import FIELDS, PARTS, Link
from app.scenario.table import SCENARIO_FIELDS
from tests.support.asking import Api

SENTENCE = "text=the dog runs&n_heads=2&d_model=3&d_head=2"
LONG = f"text={'a b c d e f g ' * 4}&n_heads=2&d_model=4"
"""Too many words for numbers in cells."""
GIVEN = {
    "lang": "en",
    "theme": "dark",
    "hide": "mask",
    "zoom": "90",
    "of": "out[0,0]",
    "pin": "mask=causal",
    "side": "a",
    "good": "text=b",
    "changed": "mask",
    "blanks": "step",
    "steps": "near",
    "paper": "letter",
    "answers": "no",
}
"""Every field beside the place and the view, each with something to say."""
PLACES: tuple[dict[str, str], ...] = (
    {"cell": "scores[1,1,0]"},
    {"cell": "scores[1,1,0]", "head": "all"},
    {"at": "tokens"},
    {"at": "space", "turn": "40,50"},
)
"""Places that together name every field of a place."""


def page(api: Api, path: str, **fields: str) -> str:
    answer = api.get(path, SENTENCE + "".join(f"&{name}={text.replace('&', '%26')}" for name, text in fields.items()))
    assert answer.status_code == 200
    return answer.text


def said(address: str) -> set[str]:
    """The fields beside the scenario that an address names."""
    names = {name for name, _ in parse_qsl(urlsplit(unescape(address)).query, keep_blank_values=True)}
    return names - SCENARIO_FIELDS.keys()


def links(html: str, pattern: str) -> list[str]:
    """The addresses in a page before or after something that marks them."""
    found = re.findall(pattern, " ".join(html.split()))
    assert found, pattern
    return [str(link) for link in found]


def on_the_sheet(pattern: str, **more: str) -> Callable[[Api], set[str]]:
    """What the links of the sheet say that match a pattern, at all places together."""

    def say(api: Api) -> set[str]:
        pages = [page(api, "/", **GIVEN, **place, **more) for place in PLACES]
        return {name for html in pages for link in links(html, pattern) for name in said(link)}

    return say


def onward(api: Api) -> set[str]:
    """What the link to the projector says beside what is shown on the sheet."""
    asked = said(links(page(api, "/", **GIVEN), r'href="([^"]*)"[^>]* data-present')[0])
    light = {"lang", "theme"}  # said as they were asked for, and by other links as they are in force
    shown = on_the_sheet(r'href="([^"]*)"[^>]* hreflang')(api) - light
    return asked - shown - {"view"}


def screen(api: Api) -> set[str]:
    """What the projector says of another language beside the view and the place."""
    pages = [
        page(api, "/", **GIVEN, **pinned, **place, view="projector")
        for place in PLACES[:2]
        for pinned in ({}, {"pinned": "text=b"})
    ]
    own = {"view", "at", "cell", "head"}
    return {name for html in pages for name in said(links(html, r'data-address="([^"]*)"')[0])} - own


def shared(api: Api) -> set[str]:
    """What a link says that is made for a class, and what the Share menu says."""
    wishes = {"reader_lang": "en", "reader_theme": "dark", "view": "projector"}
    made = [page(api, "/class", **GIVEN, **place, **wishes) for place in PLACES]
    return {name for html in made for link in links(html, r'class="address"[^>]*><a href="([^"]*)"') for name in said(link)}


def worksheet(api: Api) -> set[str]:
    pages = [page(api, "/worksheet", **GIVEN, **place) for place in PLACES[:3]]
    return {name for html in pages for name in said(links(html, r'href="(/worksheet[^"]*)"')[0])}


def figure(api: Api) -> set[str]:
    """What the figures are asked with; whether it is dark is known to the browser alone, and said by it."""
    large = [api.get("/", f"{LONG}&lang=en&cell=scores[1,1,0]&{more}").text for more in ("of=out[0,0]", "pin=mask=causal")]
    pages = [*large, page(api, "/", **GIVEN, **PLACES[3])]
    return {name for html in pages for link in links(html, r'data-figure="([^"]*)"') for name in said(link)} | {"theme"}


FOLLOWED: dict[Link, Callable[[Api], set[str]]] = {
    Link.TOP: on_the_sheet(r'href="(/forms[^"]*)"'),
    Link.PICTURE: on_the_sheet(r'href="([^"]*)"[^>]* hreflang'),
    Link.ONWARD: onward,
    Link.SCREEN: screen,
    Link.SHARED: shared,
    Link.WORKSHEET: worksheet,
    Link.FIGURE: figure,
}


@pytest.mark.parametrize("link", list(Link), ids=lambda link: link.name)
def test_each_field_travels_where_its_line_says(api: Api, link: Link) -> None:
    declared = {name for name, field in FIELDS.items() if link in field.travels}
    assert FOLLOWED[link](api) == declared


@pytest.mark.parametrize("ending", ["svg", "html", "csv", "json", "ipynb", "tex"])
def test_a_file_is_of_what_is_shown(api: Api, ending: str) -> None:
    found = on_the_sheet(rf'href="(/export\.{ending}\?[^"]*)"')(api)
    picture = {name for name, field in FIELDS.items() if Link.PICTURE in field.travels}
    assert found == (picture if ending in ("svg", "html") else picture - {"theme"})


def test_the_forms_lead_to_a_scenario_as_the_bar_does(api: Api) -> None:
    html = api.get("/forms", "lang=en&theme=dark&hide=mask&zoom=90&of=out[0,0]").text
    assert {name for link in links(html, r'class="form-card" href="([^"]*)"') for name in said(link)} == {
        "at",
        "lang",
        "theme",
        "hide",
    }


def test_every_field_is_declared_once_and_means_something() -> None:
    assert sum(len(part.__dataclass_fields__) for part in PARTS) == len(FIELDS)
    assert not FIELDS.keys() & SCENARIO_FIELDS.keys()
    for field in FIELDS.values():
        assert field.meaning.endswith(".")
        assert field.meaning[0].isupper()
