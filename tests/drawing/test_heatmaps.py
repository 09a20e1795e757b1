"""Figures: a step as Plotly draws it, with every label as typed and colours that mean numbers."""

import html
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.support.asking import ATTENTION, FIGURES, Api, Json, message, step, values, write
from tests.support.reference import asked, qkv

HIDDEN_WORDS = {"en": "hidden by the mask", "ja": "−∞"}


def axis(figure: Json, name: str) -> Json:
    found: Json = figure["layout"][name]
    return found


def labels(figure: Json, name: str) -> list[str]:
    """The labels of an axis as a person sees them, once Plotly has read its entities."""
    texts = axis(figure, name)["ticktext"]
    assert not any("<" in text for text in texts)
    return [html.unescape(text) for text in texts]


def tokens(words: list[str], **more: Any) -> dict[str, Any]:
    """Fields that make these tokens, whatever is in them."""
    vectors = [[1, 0] for _ in words]
    names = ",".join(word.replace("\\", "\\\\").replace(",", "\\,") for word in words)
    return {"q": vectors, "k": vectors, "v": vectors, "labels_q": names, "labels_k": names, **more}


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "the dog runs", "mask": "causal", "position": "sinusoidal"},
        {"text": "犬が走る", "d_model": 6, "n_heads": 3, "n_kv_heads": 1, "theme": "dark", "lang": "ja"},
        {"q": [[1, 2]], "k": [[3, 4], [5, 6], [7, 8]], "v": [[1], [2], [3]], "normalizer": "division"},
    ],
)
def test_plotly_accepts_every_figure_of_every_step(api: Api, fields: dict[str, Any]) -> None:
    asked_fields = {name: value for name, value in fields.items() if name != "theme"}
    for made in api.sheet(**asked_fields)["steps"]:
        figure = api.figure(made["name"], **fields)
        assert set(figure) == {"data", "layout"}
        go.Figure(figure)
        panels = np.array(made["values"], dtype=object).reshape(-1, *made["shape"][-2:])
        assert len(figure["data"]) == len(panels)
        for panel, trace in zip(panels, figure["data"], strict=True):
            drawn = [["-Infinity" if number is None else number for number in row] for row in trace["z"]]
            assert drawn == panel.tolist()
            x_name, y_name = (trace[f"{letter}axis"].replace(letter, f"{letter}axis") for letter in "xy")
            assert axis(figure, x_name)["tickvals"] == trace["x"] == list(range(made["shape"][-1]))
            assert axis(figure, y_name)["tickvals"] == trace["y"] == list(range(made["shape"][-2]))
            assert labels(figure, x_name) == made["labels"][-1]
            assert labels(figure, y_name) == made["labels"][-2]
            for name in (x_name, y_name):
                assert (axis(figure, name)["type"], axis(figure, name)["tickmode"]) == ("linear", "array")
            assert axis(figure, y_name)["autorange"] == "reversed"
            assert "autorange" not in axis(figure, x_name)


def test_the_first_query_is_at_the_top_and_the_triangle_below(api: Api) -> None:
    figure = api.figure("masked", text="a b c", n_heads=1, mask="causal")
    [trace] = figure["data"]
    assert axis(figure, "yaxis")["autorange"] == "reversed"
    assert [[number is None for number in row] for row in trace["z"]] == [
        [False, True, True],
        [False, False, True],
        [False, False, False],
    ]
    assert trace["text"][0][0].startswith("query: a<br>key: a<br>")
    assert (axis(figure, "xaxis")["title"]["text"], axis(figure, "yaxis")["title"]["text"]) == ("key", "query")


def test_the_strongest_cell_stands_where_its_words_are(api: Api) -> None:
    names = ",".join(asked("ATT-17")["tokens"])
    figure = api.figure("weights", **qkv("ATT-17"), labels_q=names, labels_k=names)
    z = np.array(figure["data"][0]["z"])
    row, column = np.unravel_index(z.argmax(), z.shape)
    assert (labels(figure, "yaxis")[row], labels(figure, "xaxis")[column]) == ("a", "c")


@pytest.mark.parametrize(
    "words",
    [
        ["2026-01", "2026-02", "2026-01-05"],
        ["$x$", "$100-$200", "a$b"],
        ["<b>x</b>", "<i", "&lt;b&gt;", "%{z}", "</script>"],
        ["の", "花", "の"],
        ["1", "1.0", "1e3", "NaN", "null"],
        ["a,b", "c\\d", "e;f", "g:h"],
        ["\u202eabc", "👨‍👩‍👧", "葛󠄀"],
    ],
)
def test_labels_read_as_they_were_typed(api: Api, words: list[str]) -> None:
    figure = api.figure("weights", **tokens(words))
    assert labels(figure, "xaxis") == labels(figure, "yaxis") == words
    [trace] = figure["data"]
    assert trace["x"] == trace["y"] == list(range(len(words)))
    assert trace["hoverinfo"] == "text"
    assert "hovertemplate" not in trace
    assert "texttemplate" not in trace
    for row, texts in zip(words, trace["text"], strict=True):
        for column, text in zip(words, texts, strict=True):
            lines = [html.unescape(line) for line in text.split("<br>")]
            assert lines[:2] == [f"query: {row}", f"key: {column}"]
            assert text.count("<") == 2
    go.Figure(figure)


def test_equal_weights_have_the_colour_of_their_value(api: Api) -> None:
    fields = tokens(["a", "b", "c", "d"], v=[[1], [1], [1], [1]])
    figure = api.figure("weights", **fields)
    assert figure["data"][0]["z"] == [[0.25] * 4] * 4
    assert (figure["layout"]["coloraxis"]["cmin"], figure["layout"]["coloraxis"]["cmax"]) == (0, 1)
    for zeros in (api.figure("scores", q=[[0, 0]], k=[[0, 0]], v=[[0]]), api.figure("scores", **fields)):
        assert zeros["layout"]["coloraxis"]["cmin"] < zeros["layout"]["coloraxis"]["cmax"]


@pytest.mark.parametrize(
    "name", ["x", "w_q", "q", "k", "v", "scores", "scaled", "masked", "weights", "z", "concat", "out", "mask"]
)
def test_all_heads_share_one_range_that_means_the_value(api: Api, name: str) -> None:
    fields = {"text": "犬が走る", "d_model": 6, "n_heads": 3, "mask": "causal", "seed": 7}
    figure = api.figure(name, **fields)
    colours = figure["layout"]["coloraxis"]
    for trace in figure["data"]:
        assert trace["coloraxis"] == "coloraxis"
        assert not {"zmin", "zmax", "zauto", "colorscale"} & set(trace)
    assert [key for key in figure["layout"] if key.startswith("coloraxis")] == ["coloraxis"]
    if name in ("weights", "mask"):
        assert (colours["cmin"], colours["cmax"], len(colours["colorscale"])) == (0, 1, 2)
    else:
        visible = values(api.sheet(**fields), name)
        assert colours["cmax"] == np.abs(visible[np.isfinite(visible)]).max()
        assert colours["cmin"] == -colours["cmax"]
        assert [place for place, _ in colours["colorscale"]] == [0, 0.5, 1]


@pytest.mark.parametrize("lang", HIDDEN_WORDS)
def test_hidden_cells_are_gaps_with_words_and_no_part_of_the_range(api: Api, lang: str) -> None:
    figure = api.figure("masked", text="a b c", mask="causal", n_heads=1, lang=lang)
    [trace] = figure["data"]
    assert trace["z"][0][1:] == [None, None]
    assert trace["hoverongaps"] is True
    assert HIDDEN_WORDS[lang] in trace["text"][0][1]
    assert HIDDEN_WORDS[lang] not in trace["text"][1][0]
    assert figure["layout"]["coloraxis"]["cmax"] < 100


def test_a_figure_of_one_cell_of_one_row_and_of_nothing_visible(api: Api) -> None:
    assert api.figure("weights", text="一", n_heads=1)["data"][0]["z"] == [[1.0]]
    row = api.figure("weights", q=[[0, 0]], k=[[0, 0]] * 4, v=[[1]] * 4)
    assert row["data"][0]["z"] == [[0.25] * 4]
    nothing = {"text": "a b", "n_heads": 1, "allow": "00;00"}
    figure = api.figure("masked", **nothing)
    assert figure["data"][0]["z"] == [[None, None], [None, None]]
    assert figure["layout"]["coloraxis"]["cmin"] < figure["layout"]["coloraxis"]["cmax"]
    assert [notice["code"] for notice in api.sheet(**nothing)["notices"]] == ["empty_row", "mask_cells"]
    assert not values(api.sheet(**nothing), "weights").any()


def test_every_label_of_many_or_long_words_can_be_reached(api: Api) -> None:
    many = "".join(chr(0x3042 + place) for place in range(40))
    figure = api.figure("weights", text=many, split="characters", n_heads=1)
    assert labels(figure, "xaxis") == list(many)
    assert axis(figure, "xaxis")["tickvals"] == list(range(40))
    long = asked("VIS-11")["try_each"][1]["tokens"][0]
    assert len(long) == 200
    figure = api.figure("weights", **tokens([long, f"{long[:-1]}y", "y"]))
    assert len(figure["data"][0]["x"]) == 3
    assert all(len(label) < 20 for label in labels(figure, "xaxis"))
    assert f"query: {long}<br>key: {long[:-1]}y<br>" in figure["data"][0]["text"][0][1]
    assert step(api.sheet(**tokens([long, "y"])), "weights")["labels"][1] == [long, "y"]


def test_one_head_of_many_can_be_asked_for(api: Api) -> None:
    fields = {"text": "a b c", "d_model": 6, "n_heads": 3}
    every = api.figure("weights", **fields)
    assert len(every["data"]) == len({trace["xaxis"] for trace in every["data"]}) == 3
    assert [note["text"] for note in every["layout"]["annotations"]] == ["Head 1", "Head 2", "Head 3"]
    assert api.figure("weights", **fields, head="all") == every
    for head in range(3):
        one = api.figure("weights", **fields, head=head)
        assert [trace["z"] for trace in one["data"]] == [every["data"][head]["z"]]
        assert one["layout"]["coloraxis"] == every["layout"]["coloraxis"]
        assert one["data"][0]["meta"] == {"step": "weights", "lead": [head]}


@pytest.mark.parametrize("head", ["3", "-1", "0000005", "1.0", "x", "１", "000000" + "9" * 5000])
def test_a_head_that_is_not_there_is_refused(api: Api, head: str) -> None:
    query = write({"text": "a b c", "d_model": 6, "n_heads": 3, "head": head})
    assert "3" in message(api.get(f"{FIGURES}weights", query), "head")


def test_a_step_that_is_not_there_is_refused_with_those_that_are(api: Api) -> None:
    text = message(api.get(f"{FIGURES}pos", "text=a"), "step")
    assert "scores, scaled, mask, masked, weights" in text


def test_sixty_four_tokens_are_answered_and_one_more_is_refused(api: Api) -> None:
    most = " ".join(["a"] * 64)
    assert len(api.get(ATTENTION, write({"text": most})).content) < 2_000_000
    assert len(api.figure("weights", text=most)["data"][0]["z"]) == 64
    assert "65" in message(api.get(ATTENTION, write({"text": f"{most} a"})), "text")
    many = asked("VIS-12")["text"].split()[0] * 10_000
    for answer in (api.get(ATTENTION, write({"text": many[:6000]})), api.ask("POST", ATTENTION, json={"text": many})):
        assert "1000" in message(answer, "text")
