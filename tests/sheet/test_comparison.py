"""A beside B: their difference by hand, against two separate answers, and whatever the scenarios are."""

import html
import math
import re
from typing import Any
from urllib.parse import parse_qsl, quote

import pytest
from hypothesis import given

from app.address.pin import pinned_scenario, write_pin
from app.address.presentation import Presentation
from app.run.run import compute
from app.scenario.presets import PRESETS, fields_of
from app.scenario.table import Scenario
from tests.support.asking import ATTENTION, FIGURES, Api, Json, good, message, step, write, wrong
from tests.support.examples import examples
from tests.support.scenes import scenarios

COMPARE = f"{ATTENTION}/compare"
TWO = "q=1,0;0,2&k=1,1;3,1&v=2;6&n_heads=1&scale=none&normalizer=division"
"""Two tokens: the scores are 1 3 and 2 2, so the weights 1/4 3/4 and 1/2 1/2, and the mixes 5 and 4."""


def compared(api: Api, query: str, pin: str) -> Json:
    """The comparison of a query with what is pinned."""
    return good(api.get(COMPARE, f"{query}&pin={quote(pin, safe='')}"))


def states(answer: Json) -> dict[str, str]:
    return {found["name"]: found["state"] for found in answer["steps"]}


def test_two_tokens_by_hand(api: Api) -> None:
    answer = compared(api, f"{TWO}&mask=causal", "mask=")
    assert answer["differs"] == ["mask"]
    for name in ("q", "k", "v", "scores", "scaled"):
        assert step(answer, name)["state"] == "unchanged", name
        assert (step(answer, name)["largest"], step(answer, name)["at"]) == (0, None)
    assert step(answer, "mask")["difference"] == [[0, -1], [0, 0]]
    masked = step(answer, "masked")
    assert masked["difference"] == [[[0, "-Infinity"], [0, 0]]]
    assert (masked["state"], masked["largest"], masked["at"]) == ("changed", 0, None)
    assert (masked["hidden_in_a"], masked["hidden_in_b"]) == (0, 1)
    weights = step(answer, "weights")
    assert weights["difference"] == [[[0.75, -0.75], [0, 0]]]
    assert (weights["state"], weights["largest"], weights["at"]) == ("changed", 0.75, [0, 0, 0])
    assert step(answer, "z")["difference"] == [[[-3], [0]]]
    assert (step(answer, "z")["largest"], step(answer, "z")["at"]) == (3, [0, 0, 0])


def test_a_scenario_beside_itself_is_unchanged_everywhere(api: Api) -> None:
    answer = compared(api, f"{TWO}&mask=causal", "-")
    assert answer["a"] == answer["b"]
    assert answer["differs"] == []
    assert set(states(answer).values()) == {"unchanged"}


def test_a_step_of_another_shape_says_both_shapes_and_a_step_of_one_side_says_which(api: Api) -> None:
    answer = compared(api, "text=a b c&position=sinusoidal", "text=a b&position=")
    scores = step(answer, "scores")
    assert (scores["state"], scores["shape_a"], scores["shape_b"]) == ("other_shape", [2, 2, 2], [2, 3, 3])
    assert (scores["difference"], scores["largest"], scores["at"]) == (None, None, None)
    assert step(answer, "w_q")["state"] == "unchanged"
    assert (step(answer, "pos")["state"], step(answer, "pos")["shape_a"]) == ("only_in_b", None)
    back = compared(api, "text=a b", "text=a b c&position=sinusoidal")
    assert (step(back, "pos")["state"], step(back, "pos")["shape_b"]) == ("only_in_a", None)
    assert [found["name"] for found in back["steps"]][-2:] == ["pos", "x_pos"]


def cells(nested: Any) -> list[float]:
    """All numbers, whatever the nesting; a hidden score is a text."""
    return [cell for row in nested for cell in cells(row)] if isinstance(nested, list) else [float(nested)]


def drawn(figure: Json) -> list[float | None]:
    """The numbers of the first heatmap; None where a cell is a gap."""
    return [cell for row in figure["data"][0]["z"] for cell in row]


def minus(b: float, a: float) -> float:
    return 0.0 if a == b == -math.inf else b - a


def query_of(api: Api, fields: Json) -> tuple[str, Json]:
    sheet = api.body(fields)
    return sheet["query"], sheet


@examples(35)
@given(one=scenarios, other=scenarios)
def test_a_comparison_is_what_two_answers_say_and_turns_round(api: Api, one: Json, other: Json) -> None:
    (query_a, a), (query_b, b) = query_of(api, one), query_of(api, other)
    answer = compared(api, query_b, query_a + (f"&{missing(query_a, query_b)}"))
    assert (answer["a"], answer["b"]) == (query_a, query_b)
    back = compared(api, query_a, query_b + (f"&{missing(query_b, query_a)}"))
    for found in answer["steps"]:
        turned = step(back, found["name"])
        assert turned["largest"] == found["largest"]
        if found["difference"] is None:
            continue
        ours, theirs = (cells(step(sheet, found["name"])["values"]) for sheet in (a, b))
        assert cells(found["difference"]) == list(map(minus, theirs, ours))
        assert cells(found["difference"]) == [-cell for cell in cells(turned["difference"])]
        assert (found["state"] == "unchanged") == (ours == theirs)


def missing(a: str, b: str) -> str:
    """The fields that only B has, said to be at their defaults."""
    names = [{part.split("=")[0] for part in query.split("&")} for query in (a, b)]
    return "&".join(f"{name}=" for name in sorted(names[1] - names[0]))


@examples(80)
@given(one=scenarios, other=scenarios)
def test_a_pin_gives_back_the_scenario_it_was_made_from(one: Json, other: Json) -> None:
    a, b = compute(Scenario.check(one)).query, compute(Scenario.check(other)).query
    pin = write_pin(a, b)
    assert compute(pinned_scenario(Presentation.of(pin=pin), b)).query == a
    assert (pin == "-") == (a == b)
    assert all(name not in dict(b) or dict(a).get(name) != dict(b)[name] for name in _names(pin))


def _address(page: str) -> dict[str, str]:
    """The fields of the address that a page says of itself."""
    return dict(parse_qsl(html.unescape(page.partition('data-address="/?')[2].partition('"')[0]), keep_blank_values=True))


def _names(pin: str) -> list[str]:
    return [part.split("=")[0] for part in pin.split("&") if part != "-"]


@examples(12)
@given(one=scenarios, other=scenarios)
def test_the_form_holds_the_whole_pin_and_the_links_the_short_one(api: Api, one: Json, other: Json) -> None:
    (query_a, _), (query_b, _) = query_of(api, one), query_of(api, other)
    by_form = api.get("/", f"{query_b}&pinned={quote(query_a, safe='')}&lang=en")
    assert by_form.status_code == 200
    assert "pin_refused" not in by_form.text
    pin = f"pin={quote(_address(by_form.text)['pin'], safe='')}"
    by_link = api.get("/", f"{query_b}&{pin}&lang=en")
    assert by_link.text == by_form.text
    assert not re.search(r"\bnan\b", by_form.text, re.IGNORECASE)


@pytest.mark.parametrize(
    ("pin", "field"),
    [
        ("mask=nowhere", "pin.mask"),
        ("nothing", "pin.nothing"),
        ("text=", "pin.text"),
        ("mask=causal&mask=none", "pin.mask"),
        ("x=1,2;3", "pin.x"),
        ("edits=scores[0,9,9]=1", "pin.edits"),
        ("%ff=1", "pin"),
        ("<b>=1", "pin.<b>"),
    ],
)
def test_a_pin_that_cannot_be_computed_is_named_and_the_page_shows_b_alone(api: Api, pin: str, field: str) -> None:
    wrong(api.get(COMPARE, f"text=a b&mask=causal&pin={quote(pin, safe='')}"), field)
    plain = api.get("/", "text=a b&mask=causal&lang=en").text
    page = api.get("/", f"text=a b&mask=causal&lang=en&pin={quote(pin, safe='')}")
    assert page.status_code == 200
    notice = page.text.partition('data-code="pin_refused">')[2].partition("</p>")[0]
    assert "only B is shown" in notice
    assert "pin" not in _address(page.text)
    assert page.text.replace(f'<p class="notice" role="note" data-code="pin_refused">{notice}</p>', "").split() == plain.split()


def test_what_is_wrong_with_b_is_said_of_b(api: Api) -> None:
    wrong(api.get(COMPARE, "text=a b&mask=nowhere&pin=-"), "mask")
    wrong(api.get(COMPARE, "text=a b&edits=scores[0,9,9]=1&pin=mask=causal"), "edits")
    assert message(api.get(COMPARE, "text=a b"), "pin") == "pin is missing."


@pytest.mark.parametrize("pin", ["-", "mask=", "mask=nowhere", "%25FF", "text=x%26y", "pin=pin"])
def test_a_pin_never_changes_an_answer_about_b(api: Api, pin: str) -> None:
    for path in (ATTENTION, f"{FIGURES}z"):
        assert api.get(path, f"text=a b&mask=causal&pin={pin}").content == api.get(path, "text=a b&mask=causal").content


def test_a_page_without_a_pin_has_nothing_of_it_but_the_menu(api: Api) -> None:
    page = api.get("/", "text=a b&lang=en").text
    assert "compare-bar" not in page
    assert "pinned" not in page
    assert 'class="mark"' not in page
    assert "&amp;pin=-" in page or "&pin=-" in page


def test_a_refused_b_keeps_the_pin_beside_the_last_good_picture(api: Api) -> None:
    page = api.get("/", f"text=a b&mask=nowhere&good={quote('text=a b&mask=causal')}&pinned={quote('text=a b')}&lang=en")
    assert page.status_code == 422
    assert 'name="pinned" value="text=a%20b"' in page.text
    assert _address(page.text)["pin"] == "mask="


def test_beside_a_pin_the_marks_of_edits_give_way_to_the_difference(api: Api) -> None:
    query = "text=the dog&n_heads=1&edits=scores[0,0,0]=5&at=scaled&lang=en"
    assert ' changed"' in api.get("/", query).text
    page = api.get("/", f"{query}&pin=edits=").text
    assert ' changed"' not in page
    assert "edit-bar" in page
    assert 'class="why-sides"' in page


@pytest.mark.parametrize("step_name", ["weights", "masked", "z", "mask"])
def test_figures_of_a_and_b_share_one_scale_and_the_difference_has_its_own(api: Api, step_name: str) -> None:
    fields = {"text": "a b c", "n_heads": 1, "mask": "causal", "pin": "mask="}
    a, b, change = (api.figure(step_name, **fields, side=side) for side in ("a", "b", "difference"))
    scales = [(figure["layout"]["coloraxis"]["cmin"], figure["layout"]["coloraxis"]["cmax"]) for figure in (a, b, change)]
    assert scales[0] == scales[1]
    assert scales[2][0] == -scales[2][1] < 0
    for ours, theirs, own in zip(*(drawn(figure) for figure in (a, b, change)), strict=True):
        if None in (ours, theirs):
            assert own == 0 if ours is theirs else own is None
        else:
            assert own == theirs - ours
    assert {figure["layout"]["title"]["text"].split(":")[0] for figure in (a, b, change)} == {"A", "B", "B − A"}


def test_the_strongest_colour_is_the_largest_number_of_both_sides(api: Api) -> None:
    plain = {"text": "a b c", "n_heads": 1}
    a, b = (step(api.sheet(**plain, **more), "scaled")["values"][0] for more in ({"scale": "none"}, {}))
    most = max(map(abs, cells(a) + cells(b)))
    assert most > max(map(abs, cells(b)))
    figure = api.figure("scaled", **plain, pin="scale=none", side="b")
    assert figure["layout"]["coloraxis"]["cmax"] == -figure["layout"]["coloraxis"]["cmin"] == most
    page = api.get("/", f"{write(plain)}&pin=scale=none&at=scaled").text
    drawn = [float(strength) for strength in re.findall(r'value="scaled\[0,\d,\d\]" class="c [^>]*style="--t:([\d.]+)"', page)]
    change = [theirs - ours for ours, theirs in zip(cells(a), cells(b), strict=True)]
    own = max(map(abs, change))
    assert drawn == [*(round(abs(v) / most, 2) for v in cells(a) + cells(b)), *(round(abs(v) / own, 2) for v in change)]


def test_a_figure_says_on_which_side_a_cell_is_hidden(api: Api) -> None:
    figure = api.figure("masked", text="a b", n_heads=1, mask="causal", pin="mask=", side="difference")
    assert figure["data"][0]["text"][0][1].endswith("B −∞")
    assert figure["data"][0]["z"][0][1] is None


def test_names_that_differ_stand_both_in_the_figure(api: Api) -> None:
    figure = api.figure("scores", text="c b", n_heads=1, pin="text=a b", side="difference")
    assert figure["layout"]["yaxis"]["ticktext"] == ["a / c", "b"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("side=c&pin=-", "side"),
        ("side=a", "pin"),
        ("side=difference&pin=text=a b c", "side"),
        ("side=a&pin=mask=nowhere", "pin.mask"),
        ("side=a&pin=-&head=9", "head"),
    ],
)
def test_a_side_that_is_not_there_is_refused_by_name(api: Api, query: str, field: str) -> None:
    wrong(api.get(f"{FIGURES}scores", f"text=a b&{query}"), field)


def test_one_head_of_b_is_the_head_of_a_that_stands_in_its_place(api: Api) -> None:
    fields = {"text": "a b", "d_model": 8, "n_heads": 4, "pin": "n_heads=2", "side": "a"}
    whole = api.figure("scores", text="a b", d_model=8, n_heads=2)["data"]
    assert api.figure("scores", **fields, head=3)["data"][0]["z"] == whole[1]["z"]
    assert api.figure("scores", **fields, head=1)["data"][0]["z"] == whole[0]["z"]


@pytest.mark.parametrize("group", PRESETS)
def test_every_form_stands_beside_the_plain_one(api: Api, group: str) -> None:
    for preset in PRESETS[group]:
        fields = fields_of(preset, "en")
        pin = write_pin(fields[:1], fields)
        page = api.get("/", f"{write(dict(fields))}&pin={quote(pin, safe='')}&at={preset.at}&lang=en")
        assert page.status_code == 200
        assert "pin_refused" not in page.text, preset.name
        assert ('class="compare-bar"' in page.text, f'data-step="{preset.at}"' in page.text) == (True, True), preset.name
        assert not re.search(r"\bnan\b", page.text, re.IGNORECASE)


def test_what_differs_only_in_the_last_digits_is_said_to_be_rounding(api: Api) -> None:
    page = api.get("/", "text=the dog runs and the cat sleeps&inside=yes&pin=inside=&at=out&lang=en").text
    assert "The only difference is rounding (at most " in page


@pytest.mark.parametrize("path", ["/", "/class"])
def test_a_link_to_share_keeps_the_pin(api: Api, path: str) -> None:
    page = html.unescape(api.get(path, "text=a b&mask=causal&pin=mask=&at=weights&lang=en").text)
    links = re.findall(r"/\?text=[^\"<\s]*", page)
    assert links
    assert [link for link in links if re.search(r"&pin=mask(=|%3D)(&|$)", link)]


def test_the_projector_brings_the_pin_back_to_the_sheet(api: Api) -> None:
    page = html.unescape(api.get("/", "text=a b&mask=causal&pin=mask=&at=weights&lang=en&view=projector").text).replace(
        "\\u0026", "&"
    )
    backs = [link for link in re.findall(r'/\?text=[^"\s]*', page) if "view=projector" not in link]
    assert backs
    assert all(re.search(r"&pin=mask(=|%3D)(&|$)", link) for link in backs), backs


def test_a_posted_figure_may_have_a_pin_too(api: Api) -> None:
    fields = {"text": "a b", "mask": "causal", "pin": "mask=", "side": "difference"}
    asked = api.figure("weights", **fields)
    assert good(api.ask("POST", f"{FIGURES}weights", json=fields)) == asked
    assert good(api.ask("POST", f"{FIGURES}weights", data=fields)) == asked
