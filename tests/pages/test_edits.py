"""Edits on the page: what no longer fits gives way to what the reader has just changed; the API refuses instead."""

import pytest

from tests.support.asking import ATTENTION, Api, good, wrong

FITS_NOT = "text=the dog&n_heads=1&edits=scores[0,2,2]=5"


@pytest.mark.parametrize(
    ("query", "changed", "dropped"),
    [
        (FITS_NOT, "text", "edits"),
        ("text=a b c&x=1,2;3,4", "text", "x"),
        ("text=a b&d_model=3&n_heads=1&w_q=1,0;0,1", "d_model", "w_q"),
        ("text=a b&d_model=3&n_heads=1&table=a:1,2", "d_model", "table"),
        ("text=a b&mask=causal&allow=10;11&edits=layer.0.scores[0,0,0]=1", "n_layers", "edits"),
    ],
)
def test_the_page_drops_what_no_longer_fits_and_says_so(api: Api, query: str, changed: str, dropped: str) -> None:
    page = api.get("/", f"{query}&changed={changed}&lang=en")
    assert page.status_code == 200
    assert f"“{dropped}” no longer fits" in page.text
    wrong(api.get(ATTENTION, query), dropped)


@pytest.mark.parametrize("changed", ["", "edits", "seed", "nonsense"])
def test_what_was_typed_itself_is_refused_and_stays(api: Api, changed: str) -> None:
    page = api.get("/", f"{FITS_NOT}&changed={changed}")
    assert page.status_code == 422
    assert "scores[0,2,2]=5" in page.text


def test_cells_that_follow_an_edit_say_what_they_were(api: Api) -> None:
    page = api.get("/", "text=the dog&n_heads=1&edits=scores[0,0,0]=5&at=scaled&lang=en").text
    values = good(api.get(ATTENTION, "text=the dog&n_heads=1"))["steps"]
    old = next(step["values"][0][0][0] for step in values if step["name"] == "scaled")
    assert f'title="{old:.3f}'.replace("-", "−") in page
    assert page.count(' changed"') >= 2


def test_which_field_was_changed_is_no_number_and_no_part_of_the_link(api: Api) -> None:
    assert good(api.get(ATTENTION, "text=a&changed=text"))["query"] == "text=a"
