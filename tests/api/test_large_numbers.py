"""Numbers up to 10¹⁰⁰: those that teachers put in the place of a hidden score; what overflows is refused, never NaN."""

import pytest

from app import limits
from app.core.record.checks import rounding
from app.language.words import LANGUAGES
from app.run.run import compute
from app.scenario.table import Scenario
from tests.support.asking import ATTENTION, Api, message, strict, values

HIDING = ["-1e9", "-65504", "-3.4e38", "-1e30", "-1e100"]


@pytest.mark.parametrize("number", HIDING)
def test_a_score_is_hidden_by_a_large_negative_number(number: str) -> None:
    with Api() as api:
        sheet = api.sheet(text="a b", edits=f"scores[0,0,1]={number}", n_heads=1, scale="none")
    assert values(sheet, "scores")[0, 0, 1] == float(number)
    assert values(sheet, "weights")[0, 0].tolist() == [1, 0]
    assert all(check["ok"] for check in sheet["checks"])


def test_it_leaks_where_a_real_score_is_lower_still() -> None:
    with Api() as api:
        sheet = api.sheet(text="a b", edits="scores[0,0,0]=-1e12;scores[0,0,1]=-1e9", n_heads=1)
    assert values(sheet, "weights")[0, 0].tolist() == [0, 1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_bound_is_said_as_a_power_of_ten(lang: str) -> None:
    with Api() as api:
        said = [
            message(api.get(ATTENTION, f"text=a&edits=x[0,0]=1e101&lang={lang}"), "edits"),
            message(api.get(ATTENTION, f"q=-1.1e100&k=1&v=1&lang={lang}"), "q"),
        ]
        page = api.get("/", f"text=a&lang={lang}").text
    assert all("1×10¹⁰⁰" in sentence for sentence in said)
    assert "±1×10¹⁰⁰" in page
    assert limits.NUMBER == 1e100


def test_visible_results_that_overflow_are_refused() -> None:
    with Api() as api:
        fine = api.sheet(q=[[1e100]], k=[[1e100]], v=[[1e100]], scale="none")
        learned = "x=1e100&w_q=1e100&w_k=1e100&w_v=1&w_o=1&n_heads=1"
        refused = [api.get(ATTENTION, f"{learned}&scale={scale}") for scale in ("none", "1000")]
    assert values(fine, "scores").tolist() == [[[1e200]]]
    assert values(fine, "z").tolist() == [[[1e100]]]
    for answer in refused:
        assert answer.status_code == 422
        assert "NaN" not in answer.text
        strict(answer.content)


def test_the_second_way_agrees_beside_large_scores() -> None:
    with Api() as api:
        sheet = api.sheet(
            q=[[999999.999, 2.37], [1, 1]], k=[[999999.999, 1.31], [999999.999, 1.310003]], v=[[1], [2]], scale="none"
        )
        large = api.sheet(q=[[1e30, 1]], k=[[1e30, 0], [1e30, 1]], v=[[1], [2]], scale="none")
        cancelling = api.sheet(q=[[1e30, -1e30, 1]], k=[[1, 1, 3]], v=[[1]], scale="none")
    assert [check for check in (*sheet["checks"], *large["checks"], *cancelling["checks"]) if not check["ok"]] == []
    second = next(check for check in sheet["checks"] if check["step"] == "weights" and check["kind"] == "second_way")
    assert second["value"] < 1e-9, "not only excused: the second way is as exact as the first"
    assert values(large, "weights").tolist() == [[[0.5, 0.5]]]


def test_the_room_for_rounding_stays_far_below_what_is_shown() -> None:
    t = compute(Scenario.check({"text": "the dog runs"})).trace
    assert 0 < rounding(t, "scores") < 1e-12
    assert rounding(t, "weights") == 0
