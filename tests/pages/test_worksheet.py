"""The worksheet: blanks are blank, answers are true, and nothing is left out without saying so."""

import html
import math
import re
from itertools import product
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
import segno

from app.address.presentation import Presentation, split_fields
from app.core.operations.numbers import show
from app.language.words import LANGUAGES, words_of
from app.pages.worksheet import Worksheet, make_worksheet
from app.pages.worksheet.paper import PAPERS, SIZES
from app.pages.worksheet.parts import operands_of
from app.run.run import Run, compute
from app.scenario.opening import opening
from app.scenario.presets import PRESETS, fields_of
from app.scenario.table import Scenario
from app.sheet.cells import reference
from app.web.qr import QUIET, make_qr
from tests.core.evaluate import calculate
from tests.support.asking import ATTENTION, Api, Json, good, same

WORKSHEET = "/worksheet"
SCENES = {
    "plain": "text=the dog runs&d_model=3&n_heads=1",
    "causal": "text=the quick brown fox jumps&mask=causal&n_heads=2",
    "shared": "text=犬 が 走る&d_model=8&n_heads=4&n_kv_heads=2&position=sinusoidal",
    "inside": "text=a b c&inside=yes&position=rope&d_model=4&n_heads=1",
    "layer": "text=a b c&n_layers=1&mask=causal&cell=layer.0.scores[1,2,0]",
    "edited": "text=a b c&n_heads=1&edits=scores[0,2,0]=5;x[0,1]=2",
    "given": "q=1,0.3,2.1&k=2,1,1.7;0,3,0;1,1.1,1&v=2,5,1;0,1,3;4,0,2&n_heads=1",
    "linear": "text=a b c&mechanism=linear&linear_form=recurrent&mask=causal&cell=token.2.state[0,0,0]",
}


def made(query: str) -> Run:
    pairs = [pair for pair in parse_qsl(query) if pair[0] != "cell"]
    return compute(Scenario.from_query(pairs))


def sheet_of(query: str, **shown: str) -> Worksheet:
    return make_worksheet(
        made(query), split_fields({"cell": dict(parse_qsl(query)).get("cell", ""), **shown}.items())[1], words_of("en")
    )


def opened(**shown: str) -> Worksheet:
    return make_worksheet(compute(Scenario.from_query(opening("ja"))), split_fields(shown.items())[1], words_of("ja"))


def page(api: Api, query: str = "", status: int = 200) -> str:
    answer = api.get(WORKSHEET, query)
    assert answer.status_code == status, answer.text
    return answer.text


def before_answers(text: str) -> str:
    """All that is said before the answers, attributes included, without drawings and measures."""
    start, _, _ = text.partition('<section class="answers"')
    return html.unescape(re.sub(r'<svg.*?</svg>|style="[^"]*"', "", start, flags=re.DOTALL))


def numbers_in(text: str) -> set[str]:
    return set(re.findall(r"−?\d+(?:\.\d+)?", text))


# Blanks


@pytest.mark.parametrize(("scene", "level"), [*((scene, "all") for scene in SCENES), ("causal", "row"), ("layer", "step")])
def test_a_blanked_number_stands_nowhere_before_the_answers(api: Api, scene: str, level: str) -> None:
    sheet, trace = sheet_of(SCENES[scene], blanks=level), made(SCENES[scene]).trace
    cells = [(name, index) for name in trace for index in product(*map(range, trace[name].shape))]
    printed = {show(float(trace[name].value[index])) for name, index in cells if reference(name, index) not in sheet.marks}
    secrets = {
        answer.why.text for task in sheet.tasks for answer in task.answers if re.search(r"\.\d\d", answer.why.text)
    } - printed
    assert secrets, "the scene has numbers that stand in blanks only"
    text = page(api, f"{SCENES[scene]}&blanks={level}&lang=en")
    assert secrets & numbers_in(before_answers(text)) == set()
    assert secrets <= numbers_in(html.unescape(text)), "they do stand in the answers"


def test_a_blank_has_no_number_even_in_the_view_model() -> None:
    sheet = opened(blanks="all")
    grids = [grid for task in sheet.tasks for grid in (*operands_of(task.picture), task.picture.result)]
    cells = [cell for grid in grids for row in grid.cells for cell in row]
    assert {cell.text for cell in cells if cell.ref in sheet.marks} == {""}
    assert all(cell.text for cell in cells if cell.ref not in sheet.marks)


def test_the_row_of_the_chosen_cell_is_the_default() -> None:
    assert opened().blanks == ["scores[0,2,0]", "scores[0,2,1]", "scores[0,2,2]"]
    assert opened(cell="weights[0,1,2]").blanks == ["weights[0,1,0]", "weights[0,1,1]", "weights[0,1,2]"]


def test_a_step_is_every_cell_of_the_chosen_head() -> None:
    sheet = sheet_of(SCENES["causal"], cell="scores[1,0,0]", blanks="step")
    assert sheet.blanks == [f"scores[1,{row},{column}]" for row in range(5) for column in range(5)]
    assert sheet.head.startswith("Head 2 of 2")


def test_everything_is_every_computed_number_that_is_no_mere_copy() -> None:
    sheet = opened(blanks="all")
    steps = ["q", "k", "v", "scores", "scaled", "weights", "z", "out"]
    assert [task.step for task in sheet.tasks] == steps
    assert sheet.unchanged == ["masked", "concat"]
    assert len(sheet.blanks) == 9 * len(steps)
    assert [answer.number for task in sheet.tasks for answer in task.answers] == list(range(1, 73))


def test_none_is_a_handout_with_all_numbers_and_no_answers(api: Api) -> None:
    text = page(api, "lang=en&blanks=none")
    assert 'class="blank"' not in text
    assert 'class="answers"' not in text
    assert {"0.602", "3.464"} <= numbers_in(text)


def test_numbers_that_are_given_lead_to_the_step_that_is_made_from_them() -> None:
    assert opened(at="tokens").place.step == "q"
    assert opened(cell="w_k[0,0]").place.step == "k"
    assert sheet_of(SCENES["causal"], at="mask").place.step == "masked"


def test_a_number_written_by_hand_is_no_blank() -> None:
    sheet = sheet_of(SCENES["edited"], cell="scores[0,2,0]")
    assert sheet.blanks == ["scores[0,2,1]", "scores[0,2,2]"]


def test_listed_cells_are_numbered_in_the_order_of_the_computation() -> None:
    listed = ["weights[0,2,1]", "scores[0,2,0]", "scores[0,0,1]"]
    ordered = ["scores[0,0,1]", "scores[0,2,0]", "weights[0,2,1]"]
    assert opened(blanks=";".join(listed)).blanks == ordered
    assert opened(blanks=" ; ".join([*ordered, ordered[0]])).blanks == ordered


def test_blanks_of_two_heads_are_two_tasks() -> None:
    sheet = sheet_of(SCENES["causal"], blanks="scores[1,0,0];scores[0,0,0]")
    assert [(task.step, task.answers[0].why.index) for task in sheet.tasks] == [("scores", [0, 0, 0]), ("scores", [1, 0, 0])]
    assert sheet.head == ""


def test_a_cell_that_repeats_a_blank_is_a_dashed_box_with_its_number() -> None:
    sheet = opened(blanks="z[0,2,0]")  # W_O is the identity here: the number is handed on as it is
    assert {ref: (mark.number, mark.carried) for ref, mark in sheet.marks.items()} == {
        "z[0,2,0]": (1, False),
        "concat[2,0]": (1, True),
        "out[2,0]": (1, True),
    }
    assert sheet.repeats


def test_an_equal_number_that_does_not_come_from_the_blank_is_printed() -> None:
    sheet = opened(blanks="scores[0,0,0]")  # 3, as scores[0,0,2]; scaled to 1.732
    assert list(sheet.marks) == ["scores[0,0,0]"]


# Answers


@pytest.mark.parametrize("scene", SCENES)
def test_every_answer_is_the_number_of_the_api_and_its_sum_works_out(api: Api, scene: str) -> None:
    sheet = sheet_of(SCENES[scene], blanks="all")
    query = "&".join(part for part in SCENES[scene].split("&") if not part.startswith("cell="))
    steps = {step["name"]: step["values"] for step in good(api.get(ATTENTION, query))["steps"]}
    for answer in (answer for task in sheet.tasks for answer in task.answers):
        value = steps[answer.why.step]
        for place in answer.why.index:
            value = value[place]
        assert answer.why.value == value
        terms = [f"({float(term.value)!r})" for term in answer.why.terms]
        written = "".join(part.text if part.term is None else terms[part.term] for part in answer.why.parts)
        assert same(calculate(written), float(value)), (answer.why.step, answer.why.index, written)
    signs = "".join(piece.text for task in sheet.tasks for piece in task.frame)
    assert re.findall(r"\d\.\d{3}", signs) == [], "a frame shows none of the numbers that were computed"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_answers_page_says_what_the_api_explains(api: Api, lang: str) -> None:
    text = page(api, f"{SCENES['causal']}&cell=weights[1,3,0]&lang={lang}")
    items = re.findall(
        r'<li value="(\d+)">.*?<span class="of">(.*?)</span>\s+<span class="sum"[^>]*>(.*?)</span></li', text, re.DOTALL
    )
    assert [number for number, _, _ in items] == ["1", "2", "3", "4", "5"]
    for key, (_, name, written) in enumerate(items):
        why: Json = api.why(f"{SCENES['causal']}&lang={lang}", "weights", 1, 3, key)
        assert html.unescape(name) == why["name"]
        assert squeezed(html.unescape(re.sub(r"<.*?>", "", written))) == squeezed(why["expression"])


def squeezed(text: str) -> str:
    return re.sub(r"[\s^]", "", text)


def test_the_answers_can_be_left_out(api: Api) -> None:
    assert '<section class="answers"' in page(api, "lang=en")
    assert '<section class="answers"' not in page(api, "lang=en&answers=no")


# Help


def test_the_first_blank_has_the_frame_of_its_sum() -> None:
    frames = {task.step: "".join(piece.text or "□" for piece in task.frame) for task in opened(blanks="all").tasks}
    assert frames["scores"] == "□×□ + □×□ + □×□ = □"
    assert frames["scaled"] == "□ ÷ √3 ≈ □"
    assert frames["weights"] == "e□ ÷ (e□ + e□ + e□) ≈ □"
    assert "".join(piece.text or "□" for piece in sheet_of(SCENES["causal"], cell="masked[0,0,3]").tasks[0].frame) == "mask □ → □"


def test_powers_and_roots_are_given_where_they_tell_nothing() -> None:
    [task] = opened(cell="weights[0,2,0]").tasks
    table = [(help.left, help.raised, help.right) for help in task.helps.table]
    assert table == [("e", "2.309", "≈ 10.068"), ("e", "0", "= 1"), ("e", "1.732", "≈ 5.652")]
    assert math.isclose(math.exp(4 / math.sqrt(3)), 10.068, abs_tol=5e-4)
    assert not task.helps.calculator
    [scaled] = opened(cell="scaled[0,2,0]").tasks
    assert [(help.left, help.right) for help in scaled.helps.table] == [("√3", "≈ 1.732")]


def test_a_power_whose_exponent_is_a_blank_is_left_to_a_calculator() -> None:
    weights = next(task for task in opened(blanks="all").tasks if task.step == "weights")
    assert weights.helps.table == []
    assert weights.helps.calculator
    powers = next(task for task in sheet_of(SCENES["inside"], blanks="step", cell="exponentials[0,0,0]").tasks)
    assert powers.helps.table == []
    assert powers.helps.calculator


def test_the_room_grows_with_the_blanks() -> None:
    lines = [len(sheet_of(SCENES["causal"], blanks=level).tasks[0].room.lines) for level in ("scores[0,0,0]", "row", "step")]
    assert lines == sorted(set(lines))


# Paper


def test_a_blank_is_never_too_small_for_a_pencil() -> None:
    assert min(size.blank_column for size in SIZES) >= 10
    assert min(size.blank_row for size in SIZES) >= 8


@pytest.mark.parametrize("paper", PAPERS)
def test_eight_words_of_eight_numbers_fit_wholly(paper: str) -> None:
    query = "text=the quick brown fox jumps over lazy dogs&d_model=8&n_heads=1"
    sheet = sheet_of(query, blanks="all", paper=paper)
    assert sheet.large == []
    assert len(sheet.blanks) == 8 * 64


@pytest.mark.parametrize("group", PRESETS)
def test_every_form_gives_a_sheet_with_something_to_work_out(group: str) -> None:
    for preset in PRESETS[group]:
        done = compute(Scenario.from_query(fields_of(preset, "en")))
        sheet = make_worksheet(done, Presentation.of(at=preset.at, blanks="step", paper="letter"), words_of("en"))
        assert len(sheet.tasks) == 1, preset.name
        [task] = sheet.tasks
        assert task.step == preset.at or done.trace[preset.at].kind != "computed", preset.name
        assert (sheet.large, sheet.problems) == ([], []), preset.name


def test_what_is_too_large_for_paper_is_said(api: Api) -> None:
    sentence = " ".join(f"w{number}" for number in range(17))
    text = page(api, f"text={sentence}&lang=en")
    assert 'class="task"' not in text
    said = re.search(r'<p class="large">(.*?)</p>', text)
    assert said
    assert {"x", "scores", "weights", "out"} <= set(re.findall(r"\w+", said[1]))


def test_only_the_steps_with_blanks_or_those_that_are_named() -> None:
    def printed(sheet: Worksheet) -> list[str]:
        return [name for block in sheet.blocks for name in ([g.step for g in block] if isinstance(block, list) else [block.step])]

    assert printed(opened(steps="near")) == ["scores"]
    assert printed(opened(steps="q,masked")) == ["x", "w_q", "q", "scores", "mask", "masked"]
    assert {"x", "q", "scores", "out"} <= set(printed(opened()))


# Asking


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("blanks", "some"),
        ("blanks", "scores[0,2,0"),
        ("blanks", "nothing[0,0]"),
        ("blanks", "scores[0,9,9]"),
        ("blanks", "scores[0,2]"),
        ("blanks", "x[0,0]"),
        ("blanks", "scores[0,2,0];<b>"),
        ("steps", "nothing"),
        ("paper", "a3"),
        ("answers", "maybe"),
    ],
)
def test_a_choice_that_is_none_is_named_and_the_sheet_stays(api: Api, field: str, text: str, lang: str) -> None:
    answer = page(api, f"{field}={text}&lang={lang}", 422)
    said = re.search(r'role="alert">(.*?)</div>', answer)
    assert said
    assert field in said[1]
    assert "<b>" not in said[1]
    assert answer.count('class="blank"') == 3


def test_too_many_blanks_are_refused_by_number(api: Api) -> None:
    sentence = " ".join(f"w{number}" for number in range(16))
    text = page(api, f"text={sentence}&d_model=8&n_heads=1&blanks=all&lang=en", 422)
    assert "at most 600" in text
    assert text.count('class="blank"') == 16


def test_a_scenario_that_cannot_be_computed_says_why(api: Api) -> None:
    assert "d_model" in page(api, "text=a&d_model=x&lang=en", 422)


def test_a_pressed_number_becomes_a_blank_and_a_pressed_blank_a_number(api: Api) -> None:
    first = api.get(WORKSHEET, "lang=en&mask=causal&toggle=weights[0,1,0]")
    assert first.status_code == 303
    fields = dict(parse_qsl(urlsplit(first.headers["location"]).query))
    assert fields["blanks"] == "scores[0,2,0];scores[0,2,1];scores[0,2,2];weights[0,1,0]"
    assert (fields["mask"], fields["lang"]) == ("causal", "en")
    again = api.get(first.headers["location"] + "&toggle=scores[0,2,1]")
    assert "blanks=scores[0,2,0];scores[0,2,2];weights[0,1,0]" in unquote(again.headers["location"])
    last = api.get(WORKSHEET, "lang=en&blanks=scores[0,2,0]&toggle=scores[0,2,0]")
    assert "blanks=none" in last.headers["location"]


def test_the_printed_link_leads_to_the_same_cell_under_the_name_that_was_asked(api: Api) -> None:
    text = html.unescape(page(api, "text=犬 が 走る&cell=weights[0,1,0]&lang=ja"))
    assert "http://haibun.test/?text=犬+が+走る&lang=ja&cell=weights[0,1,0]" in text
    assert "http://haibun.test/?lang=en<" in html.unescape(page(api, "lang=en")), "the opening example is short"


def test_the_qr_code_is_the_pattern_of_the_link_with_its_quiet_edge() -> None:
    code = make_qr("http://haibun.test/?lang=en")
    assert code
    assert code.size == len(segno.make("http://haibun.test/?lang=en", error="l", micro=False).matrix) + 2 * QUIET
    dark = {(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", code.path)}
    rows = segno.make("http://haibun.test/?lang=en", error="l", micro=False).matrix
    assert dark == {(x + QUIET, y + QUIET) for y, row in enumerate(rows) for x, module in enumerate(row) if module}
    assert make_qr("x" * 2000) is None, "too fine to be read from paper"


def test_the_fields_of_the_worksheet_are_accepted_wherever_the_scenario_is(api: Api) -> None:
    fields = "text=a b&blanks=all&steps=near&paper=letter&answers=no"
    for path in ("/", ATTENTION, "/export.csv", "/api/v1/figures/scores"):
        assert api.get(path, fields).status_code == 200, path


def test_the_same_question_gives_the_same_sheet(api: Api) -> None:
    query = f"{SCENES['causal']}&blanks=step&lang=ja"
    assert page(api, query) == page(api, query)


@pytest.mark.parametrize(
    ("what", "rule"),
    [
        (".answers", "break-before: page"),  # the solutions can be kept back
        (".card", "break-inside: avoid"),
        (".on-paper h2", "break-after: avoid"),
        (".on-paper .name", "break-after: avoid"),
    ],
)
def test_pages_break_before_the_answers_and_never_inside_a_table_or_after_a_title(what: str, rule: str) -> None:
    style = (Path(__file__).parents[2] / "static" / "css" / "worksheet" / "worksheet.css").read_text("utf-8")
    (found,) = re.findall(rf"^{re.escape(what)} \{{([^}}]*)\}}", style, re.MULTILINE)
    assert rule in found
