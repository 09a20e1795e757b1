"""The worked examples, asked as a student and as a program would."""

import json
from typing import Any

import numpy as np
import pytest

from app.language.words import LANGUAGES, words_of
from tests.support.asking import ATTENTION, EXPLAIN, FIGURES, Api, good, same, values, write

EXACT = 1e-12
BY_HAND: dict[str, Any] = {
    "q": [[1, 0, 2]], "k": [[2, 1, 1], [0, 3, 0], [1, 1, 1]], "v": [[2, 5, 1], [0, 1, 3], [4, 0, 2]],
    "labels_q": ["走る"], "labels_k": ["犬", "が", "走る"], "scale": "none", "normalizer": "division",
}  # fmt: skip
MATRICES: dict[str, Any] = {
    "w_q": [[0, 0, 1], [0, 1, 0], [1, 0, 0]], "w_k": [[0.8, -0.6, 0.6], [0.6, 0.8, 0.2], [-0.6, 2.2, -0.2]],
    "w_v": [[2, 0.6, -0.2], [0, 2.2, 0.6], [0, -1.2, 2.4]], "w_o": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
}  # fmt: skip
SIZES: dict[str, Any] = {"text": "犬 が 走る", "d_model": 3, "n_heads": 1}
ROWS = [[1, 2, 0], [0, 1, 1], [2, 0, 1]]
SENTENCE: dict[str, Any] = {**SIZES, "table": dict(zip(["犬", "が", "走る"], ROWS, strict=True)), **MATRICES}
FRUIT: dict[str, Any] = {
    "q": [[7, 4, 2]], "k": [[8, 3, 2], [6, 8, 3], [3, 9, 1]], "v": [[4.5], [4.2], [4]], "scale": "none",
    "labels_q": ["カリン"], "labels_k": ["りんご", "みかん", "レモン"], "labels_d": ["甘さ", "酸味", "色"], "labels_v": ["評価"],
}  # fmt: skip
HIDDEN: dict[str, Any] = {
    "q": [[0.3, 7, 8], [0.1, 0.5, 9], [0.2, 0.1, 0.4]], "k": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "v": [[1], [2], [3]],
    "scale": "none", "mask": "causal",
}  # fmt: skip
EXAMPLES = {"by hand": BY_HAND, "from the sentence": SENTENCE, "fruit": FRUIT, "causal": HIDDEN}


def as_query(fields: dict[str, Any]) -> str:
    """The fields as a person types them into an address."""
    table = fields.get("table")
    written = ";".join(f"{word}:{','.join(map(str, row))}" for word, row in table.items()) if table else ""
    return write({**fields, "table": written} if table else fields)


def both(api: Api, fields: dict[str, Any]) -> dict[str, Any]:
    """The answer, which GET and POST must give alike."""
    asked = good(api.get(ATTENTION, as_query(fields)))
    assert asked == api.body(fields)
    return asked


def test_one_query_divides_its_scores_by_their_sum(api: Api) -> None:
    sheet = both(api, BY_HAND)
    assert values(sheet, "scores").tolist() == [[[4, 0, 3]]]
    assert same(values(sheet, "weights"), [[[4 / 7, 0, 3 / 7]]], EXACT)
    assert same(values(sheet, "z"), [[[20 / 7, 20 / 7, 10 / 7]]], EXACT)


@pytest.mark.parametrize(
    ("fields", "step", "index", "expression"),
    [
        (BY_HAND, "scores", (0, 0, 0), "1×2 + 0×1 + 2×1 = 4"),
        (BY_HAND, "weights", (0, 0, 0), "4 ÷ (4 + 0 + 3) ≈ 0.571"),
        (BY_HAND, "q", (0, 0, 2), "2"),
        (BY_HAND, "z", (0, 0, 1), "0.571×5 + 0×1 + 0.429×0 ≈ 2.857"),
        (SENTENCE, "scores", (0, 2, 0), "1×2 + 0×1 + 2×1 = 4"),
        (SENTENCE, "scaled", (0, 2, 0), "4 ÷ √3 ≈ 2.309"),
        (FRUIT, "scores", (0, 0, 1), "7×6 + 4×8 + 2×3 = 80"),
        (HIDDEN, "masked", (0, 0, 1), "mask 0 → −∞"),
        (HIDDEN, "weights", (0, 0, 1), "e^(−∞) ÷ (e^0.3) = 0 ÷ 1.35 = 0"),
    ],
)
def test_the_arithmetic_is_written_out(api: Api, fields: Any, step: str, index: tuple[int, ...], expression: str) -> None:
    assert api.why(as_query(fields), step, *index)["expression"] == expression


@pytest.mark.parametrize("given", ["table", "x"])
def test_the_sentence_gives_the_same_numbers_as_the_vectors(api: Api, given: str) -> None:
    fields = SENTENCE if given == "table" else {**SIZES, "x": ROWS, **MATRICES}
    sheet = both(api, fields)
    assert values(sheet, "q")[0, 2].tolist() == [1, 0, 2]
    assert same(values(sheet, "k")[0], BY_HAND["k"], EXACT)
    assert same(values(sheet, "v")[0], BY_HAND["v"], EXACT)
    assert same(values(sheet, "scores")[0], [[3, 6, 3], [3, 3, 2], [4, 0, 3]], EXACT)
    last = [0.6021540375738508, 0.05980637210311418, 0.3380395903230351]
    assert same(values(sheet, "weights")[0, 2], last, EXACT)
    assert same(values(sheet, "out")[2], np.array(last) @ BY_HAND["v"], EXACT)


def test_another_word_keeps_the_matrices_and_gets_its_toy_vector(api: Api) -> None:
    sheet = both(api, {**SENTENCE, "text": "犬 が 泳ぐ"})
    assert values(sheet, "x")[:2].tolist() == ROWS[:2]
    toy = values(sheet, "x")[2]
    assert (toy == values(api.body({"text": "泳ぐ", "d_model": 3, "n_heads": 1}), "x")[0]).all()
    assert same(values(sheet, "k")[0, 2], toy @ np.array(MATRICES["w_k"]), EXACT)


def test_large_scores_leave_small_weights(api: Api) -> None:
    sheet = both(api, FRUIT)
    assert values(sheet, "scores").tolist() == [[[72, 80, 59]]]
    weights = values(sheet, "weights")[0, 0]
    assert np.allclose(weights, [3.35350130e-04, 9.99664649e-01, 7.58001761e-10], rtol=2e-9, atol=0)
    assert same(values(sheet, "z"), [[[4.2001006048874645]]], EXACT)


def test_the_future_is_hidden_and_gets_nothing(api: Api) -> None:
    sheet = both(api, HIDDEN)
    later = np.triu_indices(3, 1)
    assert np.isneginf(values(sheet, "masked")[0][later]).all()
    weights = values(sheet, "weights")[0]
    assert not weights[later].any()
    assert np.abs(weights.sum(axis=1) - 1).max() <= 1e-15
    assert weights[0].tolist() == [1, 0, 0]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_query_in_the_answer_gives_the_answer_again(api: Api, name: str) -> None:
    first = api.get(ATTENTION, as_query(EXAMPLES[name]))
    query = good(first)["query"]
    assert api.get(ATTENTION, query).content == first.content
    assert api.post(json.dumps(EXAMPLES[name]).encode()).content == first.content


@pytest.mark.parametrize("name", EXAMPLES)
def test_one_query_serves_every_address(api: Api, name: str) -> None:
    sheet = both(api, EXAMPLES[name])
    query = sheet["query"]
    for step in sheet["steps"]:
        assert good(api.get(FIGURES + step["name"], query))["data"]
        last = [count - 1 for count in step["shape"]]
        assert good(api.get(EXPLAIN, f"{query}&step={step['name']}&index={','.join(map(str, last))}"))["index"] == last
    page = api.get("/", query)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_a_sentence_every_path_answers_the_opening_example(api: Api, lang: str) -> None:
    whole = good(api.get(ATTENTION, f"lang={lang}"))
    assert [token["text"] for token in whole["tokens"]] == words_of(lang)("example.opening").split()
    assert good(api.get(EXPLAIN, f"lang={lang}&step=scores&index=0,2,0"))["value"] in (4, 0)
    assert api.get("/export.json", f"lang={lang}").json()["query"] == whole["query"]
    assert api.get(f"{FIGURES}scores", f"lang={lang}").status_code == 200
