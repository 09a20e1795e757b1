"""Thumbnails: the sign and the strength of every cell, in coarse steps."""

import re

import numpy as np
import pytest

from app.drawing.thumbnail import make_thumbnail
from app.run.run import compute
from app.scenario.table import Scenario


def cells(drawing: str) -> dict[tuple[int, int], str]:
    """The classes of each cell by its column and row."""
    found = {}
    for classes, path in re.findall(r'<path class="([^"]+)" d="([^"]+)"/>', drawing):
        for column, row in re.findall(r"M(\d+) (\d+)", path):
            found[int(column), int(row)] = classes
    return found


def test_every_cell_has_its_sign_and_its_share_of_the_largest() -> None:
    run = compute(Scenario.check({"x": [[6.0, -6.0], [2.0, -3.0], [0.0, 0.4]], "n_heads": 1}))
    thumbnail = make_thumbnail(run, "x")
    assert (thumbnail.width, thumbnail.height) == (2, 3)
    assert cells(thumbnail.drawing) == {
        (0, 0): "pos l6", (1, 0): "neg l6", (0, 1): "pos l2", (1, 1): "neg l3", (0, 2): "pos l0", (1, 2): "pos l0",
    }  # fmt: skip


def test_hidden_scores_and_edited_weights_beyond_one() -> None:
    edits = "weights[0,1,1]=-5;weights[0,1,0]=2"
    run = compute(Scenario.from_query([("text", "a b"), ("n_heads", "1"), ("mask", "causal"), ("edits", edits)]))
    assert cells(make_thumbnail(run, "masked").drawing)[1, 0] == "hidden"
    weights = cells(make_thumbnail(run, "weights").drawing)
    assert (weights[0, 1], weights[1, 1]) == ("pos l6", "neg l6")


@pytest.mark.parametrize("size", [16, 17, 40])
def test_a_large_step_is_thinned_out(size: int) -> None:
    run = compute(Scenario.from_query([("text", " ".join(f"w{number}" for number in range(size))), ("n_heads", "1")]))
    thumbnail, values = make_thumbnail(run, "scores"), run.trace["scores"].value[0]
    step = -(-size // 16)
    assert thumbnail.width == thumbnail.height == len(range(0, size, step)) <= 16
    signs = {place: classes.split()[0] for place, classes in cells(thumbnail.drawing).items()}
    thin = np.asarray(values)[::step, ::step]
    assert signs == {(column, row): "neg" if value < 0 else "pos" for (row, column), value in np.ndenumerate(thin)}


def test_the_head_that_is_looked_at_is_drawn_and_a_step_without_heads_in_any() -> None:
    run = compute(Scenario.from_query([("q", "1,-2"), ("k", "1,1"), ("v", "1,1"), ("n_heads", "2")]))
    assert [cells(make_thumbnail(run, "q", head).drawing) for head in (0, 1)] == [{(0, 0): "pos l3"}, {(0, 0): "neg l6"}]
    assert make_thumbnail(run, "mask", 1) == make_thumbnail(run, "mask", 0)
