"""Why this number? Every cell of every step, asked over HTTP, agrees with the sheet."""

import math
import re
from itertools import product
from typing import Any

import pytest

from tests.support.asking import Api, Json, values, write

SCENES: dict[str, dict[str, Any]] = {
    "shared heads and positions": {"text": "犬が走る", "n_heads": 2, "n_kv_heads": 1, "position": "sinusoidal", "mask": "causal"},
    "own widths": {"q": [[1, 2, 3, 4]], "k": [[1, 0, 2, 1]] * 2, "v": [[1, 2], [3, 4]], "n_heads": 2, "w_o": [[1, 2], [3, 4]]},
    "division": {"text": "the dog", "n_heads": 1, "d_model": 2, "normalizer": "division", "scale": -0.5},
    "empty rows": {"text": "a b", "n_heads": 1, "allow": "00;11"},
    "huge scores": {"q": [[1000]], "k": [[1000], [999]], "v": [[1], [2]], "scale": "none"},
    "edits": {"text": "a b", "n_heads": 1, "edits": "x[0,1]=3;scores[0,1,0]=5;weights[0,0,0]=0.25;mask[1,0]=0"},
}  # fmt: skip
SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-", "∞": "inf", "^": "**"})


def calculate(why: Json) -> float:
    """The value of the written-out sum, each operand with all its digits."""
    numbers = [f"({float(term['value'])!r})" for term in why["terms"]]
    written = "".join(numbers[part["term"]] if part["term"] is not None else part["text"] for part in why["parts"])
    python = re.sub(r"√(\d+)", r"sqrt(\1)", written.rpartition("→")[2].partition(" = ")[0].strip().translate(SIGNS))
    known = {"e": math.e, "inf": math.inf, "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos}
    return float(eval(python, {"__builtins__": {}}, known))


@pytest.mark.parametrize("name", SCENES)
def test_every_cell_of_every_step_is_explained_as_it_stands_on_the_sheet(api: Api, name: str) -> None:
    sheet = api.sheet(**SCENES[name])
    found = {step["name"]: values(sheet, step["name"]) for step in sheet["steps"]}
    for step in sheet["steps"]:
        for index in product(*map(range, step["shape"])):
            why = api.why(sheet["query"], step["name"], *index)
            assert (why["step"], why["index"]) == (step["name"], list(index))
            assert float(why["value"]) == found[step["name"]][index]
            for term in [*why["terms"], *why["onward"]]:
                assert float(term["value"]) == found[term["step"]][tuple(term["index"])]
            if why["parts"]:
                assert math.isclose(calculate(why), float(why["value"]), rel_tol=1e-9, abs_tol=1e-12)
            else:
                assert step["kind"] != "computed" or list(index) in step["edited"]
            assert why["relation"] in ("=", "≈")
            assert why["name"]


def test_every_operand_leads_back_to_a_number_that_was_given(api: Api) -> None:
    sheet = api.sheet(text="犬が走る", mask="causal")
    seen: set[tuple[str, tuple[int, ...]]] = set()
    waiting: list[tuple[str, tuple[int, ...]]] = [("out", (2, 0))]
    while waiting:
        cell = waiting.pop()
        if cell not in seen:
            seen.add(cell)
            waiting += [(term["step"], tuple(term["index"])) for term in api.why(sheet["query"], cell[0], *cell[1])["terms"]]
    assert {step["name"] for step in sheet["steps"]} == {step for step, _ in seen}


def test_products_are_listed_one_by_one(api: Api) -> None:
    why = api.why(write({"q": [[1, 0, 2]], "k": [[2, 1, 1]], "v": [[1]], "scale": "none"}), "scores", 0, 0, 0)
    assert [product["text"] for product in why["products"]] == ["1 × 2 = 2", "0 × 1 = 0", "2 × 1 = 2"]
    assert [product["name"] for product in why["products"]] == ["number 1", "number 2", "number 3"]
    assert [(term["step"], term["index"]) for term in why["onward"]] == [
        (name, [0, 0, 0]) for name in ("scaled", "masked", "weights")
    ]


def test_factors_that_are_worked_out_themselves_are_not_paired_as_products(api: Api) -> None:
    why = api.why("text=a b&d_model=4&mechanism=state_space&ssm_form=convolution", "kernel", 0, 0, 0)
    assert len(why["terms"]) == 12
    assert why["products"] == []


@pytest.mark.parametrize(
    ("query", "step", "index", "words"),
    [
        ("text=犬", "x", (0, 0), "toy"),
        ("text=犬&table=犬:1,2", "x", (0, 0), "table"),
        ("x=1,2", "x", (0, 0), "given"),
        ("text=犬", "w_q", (0, 0), "toy"),
        ("text=犬", "mask", (0, 0), "chosen mask"),
        ("text=犬&allow=1", "mask", (0, 0), "given"),
        ("text=犬&edits=x[0,0]=1", "x", (0, 0), "by hand"),
        ("text=犬&n_heads=1&allow=0", "weights", (0, 0, 0), "may not see any word"),
    ],
)
def test_a_number_that_is_no_sum_says_where_it_comes_from(
    api: Api, query: str, step: str, index: tuple[int, ...], words: str
) -> None:
    assert words in api.why(query, step, *index)["note"]
    assert api.why(f"{query}&lang=ja", step, *index)["note"] != api.why(query, step, *index)["note"]
