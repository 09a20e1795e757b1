"""The meaning space: which vectors are drawn, where, and what is said of them."""

import html
import re
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from app import limits
from app.address.presentation import Presentation, find_place
from app.drawing.space import Turn, has_space, make_space, read_turn
from app.drawing.space.backdrop import step_of
from app.drawing.space.label_sides import SIDES, sides
from app.drawing.space.table import SpaceView, make_space_view
from app.language.words import words_of
from app.run.run import Run, compute
from app.scenario.table import Scenario
from tests.support.asking import ATTENTION, FIGURES, Api, Json, message, values, write

SENTENCE: dict[str, Any] = {"text": "the dog runs far"}
LAYERS: dict[str, Any] = {"text": "a b c", "d_model": 6, "n_layers": 3, "position": "sinusoidal"}
FORMS: list[dict[str, Any]] = [
    {**SENTENCE, "d_model": 1},
    {**SENTENCE, "d_model": 2},
    {**SENTENCE, "d_model": 3},
    {**SENTENCE, "d_model": 8},
    {"text": "a", "d_model": 4},
    {"text": "a a a", "d_model": 3, "seed": 2},
    {"text": " ".join(f"w{number}" for number in range(20)), "d_model": 5},
    LAYERS,
    {**LAYERS, "norm_place": "post", "n_experts": 2},
    {"text": "a b c", "mechanism": "state_space"},
    {"text": "a b c", "mechanism": "cached", "mask": "causal"},
    {"text": "a b c", "mechanism": "tiled", "n_layers": 1},
    {"text": "a b c", "text_k": "d e", "d_model": 3},
    {"x": [[1, 2], [0, 0]], "labels_q": "p,q"},
]


def made(**fields: Any) -> Run:
    """A run from typed fields."""
    return compute(Scenario(**fields))


def said(run: Run, turn: str = "", lang: str = "en") -> SpaceView:
    return make_space_view(run, find_place(run, Presentation.of(at="space"), space=True), turn, words_of(lang))


def points(figure: Json) -> dict[str, Json]:
    """The points of a figure, by the name of their stage."""
    return {trace["name"]: trace for trace in figure["data"] if "name" in trace}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("fields", FORMS)
def test_plotly_accepts_the_figure_of_every_form(api: Api, fields: dict[str, Any], theme: str) -> None:
    figure = api.figure("space", **fields, theme=theme, lang="ja")
    assert set(figure) == {"data", "layout"}
    go.Figure(figure)
    drawn = list(points(figure).values())
    count = len(api.sheet(**fields)["steps"][0]["values"])
    assert len(drawn[0]["x"]) == len(drawn[-1]["x"]) == count
    assert drawn[0]["customdata"] == [f"x[{row},0]" for row in range(count)]
    for trace in drawn:
        assert np.isfinite([trace["x"], trace["y"]]).all()
        assert {len(trace[name]) for name in ("x", "y", "customdata", "hovertext")} == {len(trace["x"])}
    low, high = figure["layout"]["xaxis"]["range"]
    assert low < min(drawn[0]["x"])
    assert high > max(drawn[0]["x"])


def test_two_components_stand_where_their_numbers_say(api: Api) -> None:
    fields = {**SENTENCE, "d_model": 2}
    figure, sheet = api.figure("space", **fields), api.sheet(**fields)
    for name, step in (("before (x)", "x"), ("after (out)", "out")):
        trace = points(figure)[name]
        np.testing.assert_array_equal(np.column_stack([trace["x"], trace["y"]]), values(sheet, step))
    assert figure["layout"]["yaxis"]["scaleanchor"] == "x"
    assert [figure["layout"][f"{axis}axis"]["title"]["text"] for axis in "xy"] == ["component 1", "component 2"]
    view = said(made(text="the dog runs far", d_model=2))
    assert [[number(text) for text in row.before + row.after] for row in view.rows] == [
        pytest.approx([*before, *after], abs=5e-4) for before, after in zip(values(sheet, "x"), values(sheet, "out"), strict=True)
    ]
    assert "100%" in view.said[0].replace("\u00a0", "")


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_many_components_are_seen_on_the_plane_of_the_largest_spread(api: Api) -> None:
    fields = {**SENTENCE, "d_model": 8}
    sheet, figure = api.sheet(**fields), api.figure("space", **fields)
    every = np.vstack([values(sheet, "x"), values(sheet, "out")])
    centred = every - every.mean(axis=0)
    spread, vectors = np.linalg.eigh(centred.T @ centred)
    axes = vectors[:, [-1, -2]].T
    axes = np.array([axis * np.sign(axis[np.abs(axis).argmax()]) for axis in axes])
    drawn = [np.column_stack([trace["x"], trace["y"]]) for trace in points(figure).values()]
    np.testing.assert_allclose(np.vstack(drawn), centred @ axes.T, atol=1e-9)
    view = said(made(text="the dog runs far", d_model=8))
    kept = 100 * spread[-2:].sum() / spread.sum()
    assert f"keeps {kept:.1f}" in view.said[0]
    assert f"axis 1: {100 * spread[-1] / spread.sum():.1f}" in view.said[0]
    assert [[number(text) for text in row.before + row.after] for row in view.rows] == [
        pytest.approx(list(row), abs=5e-4) for row in np.hstack(drawn)
    ]
    assert [number(text) for _, numbers in view.loadings for text in numbers] == pytest.approx(axes.ravel().tolist(), abs=5e-4)


def test_distance_and_cosine_are_of_the_whole_vectors(api: Api) -> None:
    sheet, view = api.sheet(**SENTENCE, d_model=8), said(made(text="the dog runs far", d_model=8))
    for row, before, after in zip(view.rows, values(sheet, "x"), values(sheet, "out"), strict=True):
        assert number(row.moved) == pytest.approx(sum((after - before) ** 2) ** 0.5, abs=5e-4)
        assert number(row.cosine) == pytest.approx(before @ after / (before @ before) ** 0.5 / (after @ after) ** 0.5, abs=5e-4)


def test_the_distance_of_the_chosen_word_is_written_out() -> None:
    view = said(made(text="a b", x=((1.0, 2.0), (3.0, -1.0)), w_q="identity", w_k="identity", w_v="zero", w_o="identity"))
    assert view.chosen.name == "b"
    assert view.chosen.distance == "√((0 − 3)² + (0 − (−1))²) ≈ 3.162"
    assert view.chosen.cosine == "–"  # a zero vector points nowhere
    written = view.chosen.distance.split("≈")[0].replace("√", "").replace("−", "-").replace("²", "**2")
    assert eval(written) ** 0.5 == pytest.approx(3.162, abs=5e-4)


@pytest.mark.parametrize(
    ("fields", "stages"),
    [
        ({"text": "a b c"}, ["x", "out"]),
        ({"text": "a b c", "position": "sinusoidal"}, ["x", "x_pos", "out"]),
        ({"text": "a b c", "n_layers": 2}, ["x", "layer.0.after_ffn", "layer.1.after_ffn"]),
        ({"text": "a b c", "n_layers": 1, "norm_place": "post"}, ["x", "layer.0.norm_2.scaled_norm"]),
        ({"text": "a b c", "n_layers": 1, "n_experts": 3}, ["x", "layer.0.after_ffn"]),
        ({"text": "a b c", "mechanism": "state_space"}, ["x", "out"]),
        ({"text": "a b c", "mechanism": "cached", "mask": "causal"}, ["x", "out"]),
        ({"text": "a b c", "text_k": "d e f g h"}, ["x", "out"]),
    ],
)
def test_from_which_vectors_to_which(fields: dict[str, Any], stages: list[str]) -> None:
    space = make_space(made(**fields))
    assert [stage.step for stage in space.stages] == stages
    assert all(stage.vectors.shape == (3, 4) for stage in space.stages)
    assert space.left_out == ""


def test_the_plane_is_the_one_of_before_and_after_whatever_lies_between() -> None:
    space = make_space(made(text="a b c", d_model=6, n_layers=3))
    assert len(space.stages) == 4
    assert space.ends.tolist() == np.vstack([space.stages[0].vectors, space.stages[3].vectors]).tolist()


def test_new_vectors_of_another_width_are_left_out_in_words(api: Api) -> None:
    given: dict[str, Any] = {"text": "a b c", "w_o": ((1.0, 2.0, 3.0),) * 4}
    view = said(made(**given))
    assert any("a different number of components" in text and "out" in text for text in view.said)
    assert view.after == view.chosen.distance == ""
    assert all(row.after == [] and row.moved == "" for row in view.rows)
    figure = api.figure("space", **given)
    assert list(points(figure)) == ["before (x)"]
    assert figure["layout"]["annotations"] == []


def test_new_vectors_too_large_to_draw_are_left_out_in_words(api: Api) -> None:
    edits = {"text": "a b", "mechanism": "linear", "edits": "row_sum[0,0,0]=1e-130"}
    assert np.abs(values(api.sheet(**edits), "out")).max() > limits.DRAWN
    view = said(compute(Scenario.from_query(list(edits.items()))))
    assert any("too large" in text for text in view.said)
    assert "too large" in api.get("/", write({**edits, "at": "space", "lang": "en"})).text
    go.Figure(api.figure("space", **edits))


def test_points_that_are_all_one_are_said_to_be_so() -> None:
    for width in (1, 2, 3, 5):
        zero: dict[str, Any] = {"x": ((0.0,) * width,) * 2, "n_heads": 1, "w_v": "zero"}
        view = said(made(**zero))
        assert view.said == [words_of("en")("space.still")]
        assert {text for row in view.rows for text in row.before + row.after} == {"0"}
    assert "the same place" not in said(made(text="a b", d_model=2)).said[0]


def test_vectors_given_directly_have_no_space(api: Api) -> None:
    given = {"q": [[1, 2]], "k": [[1, 2]], "v": [[1, 2]]}
    assert not has_space(made(q=((1, 2),), k=((1, 2),), v=((1, 2),)))
    assert "space" in message(api.get(FIGURES + "space", write(given)), "step")
    page = api.get("/", write({**given, "at": "space"}))
    assert page.status_code == 200
    assert 'data-step="scores"' in page.text
    assert 'value="space"' not in page.text


def test_the_answer_of_the_api_and_the_exports_know_nothing_of_it(api: Api) -> None:
    plain = api.get(ATTENTION, write(SENTENCE)).content
    assert api.get(ATTENTION, write({**SENTENCE, "at": "space", "turn": "1,2"})).content == plain
    assert "space" not in [step["name"] for step in api.sheet(**SENTENCE)["steps"]]
    for ending in ("html", "csv", "json", "npz", "ipynb", "py", "tex"):
        answer = api.get(f"/export.{ending}", write({**SENTENCE, "at": "space", "cell": "x[1,0]", "turn": "9,9"}))
        assert answer.status_code == 200, ending


def test_the_same_word_twice_is_told_apart_and_nearness_is_of_different_words() -> None:
    view = said(made(text="犬 と 犬 と 猫", split="spaces"), lang="ja")
    assert [row.name for row in view.rows] == ["犬 1", "と 1", "犬 2", "と 2", "猫"]
    assert any("「犬 1」と「犬 2」は同じ語" in fact and "前 0 → 後 0" in fact for fact in view.facts)
    assert not any("「犬 1」と「犬 2」（距離" in fact for fact in view.facts)
    placed = said(made(text="犬 と 犬", split="spaces", position="sinusoidal"), lang="ja")
    assert any("前 0 → 後 " in fact and not fact.endswith("後 0") for fact in placed.facts)


def test_facts_are_those_of_a_plain_search() -> None:
    x = ((0.0, 0.0), (3.0, 4.0), (0.0, 1.0))
    view = said(made(x=x, labels_q=("a", "b", "c"), n_heads=1, w_q="zero", w_k="identity", w_v="identity", w_o="identity"))
    assert view.facts[0] == "Nearest before: “a” and “c”, distance 1."
    assert view.facts[1] == "Nearest after: “a” and “b”, distance 0."  # equal shares bring all to the mean
    assert view.facts[2] == f"Mean distance between two words: {(5 + 1 + 18**0.5) / 3:.3f} before, 0 after."


@pytest.mark.parametrize("word", ["<b>x</b>", "%{x}", "&lt;", "</script>", "שלום", "👨‍👩‍👧"])
def test_a_word_is_drawn_as_it_was_typed(api: Api, word: str) -> None:
    figure = api.figure("space", text=f"{word} b", split="spaces", d_model=2)
    before = points(figure)["before (x)"]
    assert "<" not in before["text"][0]
    assert html.unescape(before["text"][0]) == word
    assert html.unescape(before["hovertext"][0]).startswith(f"<b>{word}</b> before (x)<br>(")
    page = api.get("/", write({"text": f"{word} b", "split": "spaces", "at": "space"})).text
    assert "<b>x</b>" not in page


def test_the_hover_holds_the_whole_vector(api: Api) -> None:
    fields = {**SENTENCE, "d_model": 19, "n_heads": 1}
    trace = points(api.figure("space", **fields))["after (out)"]
    expected = values(api.sheet(**fields), "out")
    for text, vector in zip(trace["hovertext"], expected, strict=True):
        inside = re.search(r"<br>\((.*)\)$", text)
        assert inside
        shown = [number(part) for part in inside[1].replace("<br>", "").split(",")]
        assert shown == pytest.approx(vector.tolist(), abs=5e-4)


def test_every_arrow_leads_from_a_word_before_to_the_same_word_after(api: Api) -> None:
    figure = api.figure("space", **SENTENCE, d_model=2, cell="x[1,0]")
    before, after = points(figure).values()
    arrows = figure["layout"]["annotations"]
    rows = [before["x"].index(arrow["ax"]) for arrow in arrows]
    assert sorted(rows) == [0, 1, 2, 3]
    for arrow, row in zip(arrows, rows, strict=True):
        assert (arrow["x"], arrow["y"]) == (after["x"][row], after["y"][row])
        assert arrow["ay"] == before["y"][row]
    assert rows[-1] == 1  # the chosen one lies on top, wider
    assert arrows[-1]["arrowwidth"] > arrows[0]["arrowwidth"]
    sizes = before["marker"]["size"]
    assert sizes[1] > max(sizes[:1] + sizes[2:])


def test_before_and_after_differ_by_shape_and_not_by_colour_alone(api: Api) -> None:
    for theme in ("light", "dark"):
        before, after = points(api.figure("space", **SENTENCE, theme=theme)).values()
        assert (before["marker"]["symbol"], after["marker"]["symbol"]) == ("circle-open", "circle")
        assert before["marker"]["color"] != after["marker"]["color"]


def test_the_way_through_the_layers_is_drawn_and_of_many_words_only_the_chosen_ones(api: Api) -> None:
    figure = api.figure("space", **LAYERS)
    few = points(figure)
    shapes = [trace["marker"]["symbol"] for trace in few.values()]
    assert shapes == ["circle-open", "diamond-open", "square", "triangle-up", "circle"]
    arrows = figure["layout"]["annotations"]
    for end, trace in (("ax", few["after layer 2"]), ("x", few["after (layer.2.after_ffn)"])):
        assert sorted(arrow[end] for arrow in arrows) == sorted(trace["x"])
        assert sorted(arrow[end.replace("x", "y")] for arrow in arrows) == sorted(trace["y"])
    assert list(few) == ["before (x)", "with position (x_pos)", "after layer 1", "after layer 2", "after (layer.2.after_ffn)"]
    assert {len(trace["x"]) for trace in few.values()} == {3}
    many = points(api.figure("space", **{**LAYERS, "text": "a b c d e f g h i"}, cell="x[4,0]"))
    assert [len(trace["x"]) for trace in many.values()] == [9, 1, 1, 1, 9]
    assert many["after layer 1"]["customdata"] == ["x[4,0]"]
    assert "text" not in many["after (layer.2.after_ffn)"]


def test_of_very_many_words_only_the_chosen_one_is_named_and_that_is_said(api: Api) -> None:
    text = " ".join(f"w{number}" for number in range(20))
    before = points(api.figure("space", text=text, cell="x[7,0]"))["before (x)"]
    assert [name for name in before["text"] if name] == ["w7"]
    assert any("only the chosen one is named" in text for text in said(made(text=text)).said)


def test_one_component_has_a_row_for_each_word(api: Api) -> None:
    figure = api.figure("space", **SENTENCE, d_model=1)
    before, after = points(figure).values()
    assert before["y"] == after["y"] == [0, -1, -2, -3]
    assert figure["layout"]["yaxis"]["ticktext"] == ["the", "dog", "runs", "far"]
    assert figure["layout"]["yaxis"]["tickvals"] == before["y"]
    np.testing.assert_array_equal(np.array(before["x"])[:, None], values(api.sheet(**SENTENCE, d_model=1), "x"))


def test_three_components_are_seen_from_where_one_turns(api: Api) -> None:
    fields = {**SENTENCE, "d_model": 3}
    x = values(api.sheet(**fields), "x")
    front = points(api.figure("space", **fields, turn="0,0"))["before (x)"]
    np.testing.assert_allclose(np.column_stack([front["x"], front["y"]]), x[:, 1:], atol=1e-12)
    above = points(api.figure("space", **fields, turn="0,90"))["before (x)"]
    np.testing.assert_allclose(np.column_stack([above["x"], above["y"]]), x[:, [1, 0]] * [1, -1], atol=1e-12)
    spans = [api.figure("space", **fields, turn=f"{turn},20")["layout"] for turn in range(0, 360, 40)]
    for axis in ("xaxis", "yaxis"):
        assert len({round(np.diff(layout[axis]["range"]).item(), 9) for layout in spans}) == 1


def test_the_names_and_the_numbers_of_three_axes_stand_on_them(api: Api) -> None:
    figure = api.figure("space", **SENTENCE, d_model=3, turn="0,0")
    names = [note for note in figure["layout"]["annotations"] if not note["showarrow"]]
    assert [note["text"] for note in names] == ["component 1", "component 2", "component 3"]
    ticks = next(trace for trace in figure["data"] if trace["mode"] == "text")
    third = [(x, number(text)) for x, y, text in zip(ticks["x"], ticks["y"], ticks["text"], strict=True) if x == 0 and y != 0]
    assert third
    heights = [y for x, y in zip(ticks["x"], ticks["y"], strict=True) if x == 0 and y != 0]
    assert heights == pytest.approx([value for _, value in third])


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("", Turn()),
        ("40,10", Turn(40, 10)),
        ("-30,95", Turn(330, 90)),
        ("400,-91", Turn(40, -90)),
        ("1", Turn()),
        ("a,b", Turn()),
        ("1,2,3", Turn()),
        ("9" * 5000 + ",1", Turn()),
        ("１,2", Turn()),
    ],
)
def test_a_direction_is_read_and_nonsense_is_the_usual_one(text: str, turn: Turn) -> None:
    assert read_turn(text) == turn
    assert read_turn(str(turn)) == turn


def test_the_ways_to_turn_lead_around_and_stop_above() -> None:
    made_ = made(text="a b", d_model=3)
    assert said(made_, "10,85").turns == [("left", "355,85"), ("right", "25,85"), ("up", "10,90"), ("down", "10,75")]
    assert said(made_, "10,85").turned == "10,85"
    assert said(made_, str(Turn())).turned == ""
    assert said(made(text="a b", d_model=2), "10,85").turns == []


@pytest.mark.parametrize(
    ("size", "step"), [(0, 1), (3, 0.5), (6, 1), (6.1, 2), (0.07, 0.02), (1e100, 2e99), (4.0, 1), (28, 5), (60, 10)]
)
def test_the_numbers_of_an_axis_are_round_and_few(size: float, step: float) -> None:
    assert step_of(size) == pytest.approx(step)


def test_words_stand_clear_of_their_arrows_and_of_each_other() -> None:
    middle = np.array([[0.0, 0.0]])
    ways = {"top center": (0, 1), "bottom center": (0, -1), "middle right": (1, 0), "middle left": (-1, 0)}
    lines = [(middle[0], 200 * np.array(way)) for way in ways.values()]
    for side in ways:
        rest = [line for line, way in zip(lines, ways, strict=True) if way != side]
        assert sides(middle, ["word"], rest, [14], [1.0]) == [side]
    close = sides(np.array([[0.0, 0], [0, 0], [0, 0]]), ["one", "two", "three"], [], [14, 14, 14], [1.0])
    assert len(set(close)) == 3
    assert set(close) <= set(SIDES)


def crossed(figure: Json, everywhere: str = "") -> int:
    """How many words are crossed by an arrow on a laptop; ``everywhere``: as if all were written on this side."""
    layout = figure["layout"]
    scale = min(room / np.diff(layout[axis]["range"]).item() for axis, room in (("xaxis", 760), ("yaxis", 440)))
    shares = np.linspace(0, 1, 60)
    count = 0
    for trace in points(figure).values():
        for x, y, text, side in zip(trace["x"], trace["y"], trace["text"], trace["textposition"], strict=True):
            up, across = (everywhere or side).split()
            wide = 7 * len(text)
            left = {"center": -wide / 2, "right": 8, "left": -8 - wide}[across]
            low = {"top": 10, "middle": -6, "bottom": -20}[up]
            hits = False
            for arrow in layout["annotations"]:
                right = (arrow["ax"] + shares * (arrow["x"] - arrow["ax"]) - x) * scale
                above = (arrow["ay"] + shares * (arrow["y"] - arrow["ay"]) - y) * scale
                hits |= bool(((left < right) & (right < left + wide) & (low < above) & (above < low + 10)).any())
            count += hits
    return count


def test_hardly_a_word_is_crossed_by_an_arrow(api: Api) -> None:
    figures = [api.figure("space", text="the dog runs far away", d_model=2, seed=seed) for seed in range(12)]
    assert sum(map(crossed, figures)) <= 4  # of 120 words; where points lie close, no side is free
    assert sum(crossed(figure, "top center") for figure in figures) > 15


def test_the_stop_is_the_last_of_the_map_and_keeps_word_and_direction(api: Api) -> None:
    page = api.get("/", write({**SENTENCE, "d_model": 3, "at": "space", "cell": "x[1,0]", "turn": "50,30", "lang": "en"})).text
    stops = re.findall(r'name="at" value="([^"]+)" class="stop', page)
    assert stops[-1] == "space"
    assert 'data-step="space"' in page
    assert re.search(r'name="cell" value="x\[1,0\]" dir="auto" aria-current="true">dog<', page)
    other = re.search(r'href="(/\?[^"]+)"[^>]*hreflang="ja"', page)
    assert other
    for field in ("at=space", "cell=x[1,0]", "turn=50,30"):
        assert field in html.unescape(other[1])
    assert '<input type="hidden" name="at" value="space">' in page
    numbers = [int(text) for text in re.findall(r'<span class="number">(\d+)</span>', page)]
    assert all(second == first + 1 for first, second in pairwise(numbers))


def test_where_the_space_is_not_looked_at_nothing_of_it_is_computed(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def computing(*_: Any) -> None:
        raise AssertionError("this was not to be computed")

    monkeypatch.setattr("app.drawing.space.table.make_space", computing)
    monkeypatch.setattr("app.api.routes.make_space", computing)
    assert api.get("/", write(SENTENCE)).status_code == 200
    api.sheet(**SENTENCE)
    with pytest.raises(AssertionError):
        api.get("/", write({**SENTENCE, "at": "space"}))
