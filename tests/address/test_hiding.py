"""What a link hides is not offered, stays in force, and stays hidden from page to page."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.address.hiding import GROUPS, HIDEABLE, hidden_groups, read_hidden
from app.language.words import LANGUAGES
from tests.support.asking import ATTENTION, Api, good, message


@given(names=st.lists(st.sampled_from([*HIDEABLE, "nothing", "", " mask "])))
def test_hidden_names_are_read_in_one_way(names: list[str]) -> None:
    found = read_hidden(",".join(names))
    assert read_hidden(",".join(found)) == found
    wanted = {name.strip() for name in names} & set(HIDEABLE)
    assert hidden_groups(found) == hidden_groups(wanted)
    assert {"sentence", "tools"} & set(found) == {"sentence", "tools"} & wanted
    assert not ("controls" in found and GROUPS[0] in found)


def test_all_groups_together_have_one_name() -> None:
    assert read_hidden(",".join(GROUPS)) == ("controls",)
    assert read_hidden("mask, controls,tools") == ("controls", "tools")
    assert read_hidden("nothing,,MASK") == ()


def groups_of(page: str) -> dict[str, bool]:
    """Every group of controls, and whether it is shown."""
    return {name: "hidden" not in rest for name, rest in re.findall(r'data-group="(\w+)"([^>]*)>', page)}


@pytest.mark.parametrize("hide", ["mask", "mask,sizes,matrices", "controls", "nothing"])
def test_a_hidden_group_is_not_shown_and_its_values_stay_in_force(api: Api, hide: str) -> None:
    query = "text=a b&d_model=6&mask=causal&edits=x[0,0]=3"
    page = api.get("/", f"{query}&hide={hide}").text
    unseen = set(GROUPS if hide == "controls" else hide.split(",")) & set(GROUPS)
    assert {name for name, seen in groups_of(page).items() if not seen} == unseen
    assert unescape(re.findall(r'data-query="([^"]*)"', page)[0]) == good(api.get(ATTENTION, query))["query"]
    assert '<option value="causal" selected>' in page
    assert 'name="d_model" value="6"' in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_mistake_in_a_hidden_field_is_still_said(api: Api, lang: str) -> None:
    query = f"text=a&d_model=4&n_heads=3&lang={lang}"
    said = message(api.get(ATTENTION, query), "n_heads")
    for hide in ("heads", "controls", ""):
        page = api.get("/", f"{query}&hide={hide}").text
        errors = page.split('data-live="errors"')[1].split("</div>")[0]
        assert (said in unescape(errors)) == bool(hide)


def test_what_is_hidden_stays_hidden_in_every_link_of_the_page(api: Api) -> None:
    for path in ("/", "/forms"):
        page = api.get(path, "text=a b&hide=mask,gone,matrices&lang=en&theme=dark").text
        links = [unescape(link) for link in re.findall(r'href="(/(?:forms|class)?\?[^"]*)"', page)]
        assert len(links) > 3
        assert all("hide=mask,matrices" in link for link in links), links
    assert 'name="hide" value="mask,tools"' in api.get("/", "text=a b&hide=tools,mask").text


def test_menus_and_sentence_can_be_taken_away(api: Api) -> None:
    plain, bare = (api.get("/", f"text=a b&hide={hide}").text for hide in ("", "tools,sentence,controls"))
    for mark, there in (("/export.csv", True), ("/class?", True), ("/api/v1/attention?", True), ("readonly", False)):
        assert (mark in plain, mark in bare) == (there, not there)
    assert "data-theme-switch" in bare  # language and light are the reader's own
    assert 'class="show" type="submit" hidden' in bare
