"""What other programs got wrong about attention and its heads, each as a request with the right answer."""

import numpy as np
import pytest

from tests.support.asking import ATTENTION, Api, message, same, step, strict, values, write, wrong
from tests.support.reference import asked, cases, expected, faults, identities, qkv


def test_the_scale_is_one_over_the_root_of_the_head_width(api: Api) -> None:
    sheet = api.body({"x": asked("ATT-01")["X"], "n_heads": 2, **identities(6)})
    assert same(values(sheet, "weights"), expected("ATT-01")["weights"])
    assert same(values(sheet, "out"), expected("ATT-01")["output"])
    assert same(values(sheet, "scaled"), values(sheet, "scores") * expected("ATT-01")["scale"])
    assert len(faults("ATT-01")) == 5
    for fault in faults("ATT-01"):
        assert not same(values(sheet, "weights"), fault)


def test_softmax_runs_over_the_keys_of_each_query(api: Api) -> None:
    sheet = api.body(qkv("ATT-02"))
    weights = values(sheet, "weights")[0]
    assert same(values(sheet, "scaled")[0], expected("ATT-02")["scores"])
    assert same(weights, expected("ATT-02")["weights"])
    assert same(values(sheet, "z")[0], expected("ATT-02")["output"])
    assert not np.allclose(weights.sum(axis=0), 1)
    assert not any(same(weights, fault) for fault in faults("ATT-02"))


def test_softmax_is_stable_on_huge_tiny_and_equal_scores(api: Api) -> None:
    rows = [place for place, row in enumerate(asked("ATT-03")["scores"]) if max(map(abs, row)) <= 1e6]
    scores = [asked("ATT-03")["scores"][place] for place in rows]
    identity = np.eye(3).tolist()
    sheet = api.body({"q": scores, "k": identity, "v": identity, "scale": "none"})
    assert values(sheet, "scores")[0].tolist() == scores
    assert same(values(sheet, "weights")[0], [expected("ATT-03")["weights"][place] for place in rows])
    assert np.abs(values(sheet, "weights").sum(axis=-1) - 1).max() <= 1e-15
    assert len(rows) == 4
    assert sheet["notices"] == []


def test_scores_as_large_as_they_come_give_weights(api: Api) -> None:
    huge = [[1e100] * 64]
    sheet = api.body({"q": huge, "k": [*huge, [-1e100] * 64], "v": [[1], [2]], "scale": 1000})
    assert values(sheet, "weights").tolist() == [[[1, 0]]]
    assert values(sheet, "z").tolist() == [[[1]]]


@pytest.mark.parametrize("name", ["ATT-05", "ATT-06"])
def test_numbers_that_could_overflow_are_refused_by_name_and_cell(api: Api, name: str) -> None:
    fields = {**qkv(name), **({"allow": asked(name)["allow"]} if "allow" in asked(name) else {})}
    answer = api.get(ATTENTION, write(fields))
    document = wrong(answer, "q", "k")
    assert "[0,0]" in document["errors"][0]["message"]
    assert "1×10¹⁰⁰" in document["errors"][0]["message"]


def test_the_causal_mask_acts_before_softmax(api: Api) -> None:
    sheet = api.body({**qkv("ATT-08"), "mask": "causal"})
    weights = values(sheet, "weights")[0]
    assert same(weights, expected("ATT-08")["weights"])
    assert same(values(sheet, "z")[0], expected("ATT-08")["output"])
    assert not weights[np.triu_indices(3, 1)].any()
    assert len(faults("ATT-08")) == 3
    assert not any(same(weights, fault) for fault in faults("ATT-08"))


def test_true_in_a_mask_means_may_attend(api: Api) -> None:
    allow = asked("ATT-09")["custom_mask_visible"]
    sheet = api.body({**qkv("ATT-09"), "allow": allow})
    weights = values(sheet, "weights")[0]
    assert same(weights, expected("ATT-09")["weights"])
    assert same(values(sheet, "z")[0], expected("ATT-09")["output"])
    assert ((weights == 0) == ~np.array(allow)).all()
    assert (values(sheet, "mask") == np.array(allow)).all()
    assert not any(same(weights, fault) for fault in faults("ATT-09"))


def test_the_documents_say_in_words_what_a_mask_bit_means(api: Api) -> None:
    document = strict(api.get("/openapi.json").content)
    assert "1 (may be seen) and 0" in document["info"]["description"]
    assert "-Infinity" in document["info"]["description"]
    english, japanese = (step(api.sheet(text="犬", lang=lang), "mask")["caption"] for lang in ("en", "ja"))
    assert "1: the query (row) may see the key" in english
    assert "1" in japanese
    assert "0" in japanese


def test_causal_with_more_queries_than_keys_leaves_the_first_rows_empty(api: Api) -> None:
    case = asked("ATT-11")
    sheet = api.body({"q": case["q"], "k": case["k"], "v": np.eye(2).tolist(), "mask": "causal"})
    weights = values(sheet, "weights")[0]
    assert weights.tolist() == values(sheet, "z")[0].tolist() == expected("ATT-11")["bottom_right"]
    assert weights.tolist() != expected("ATT-11")["top_left"]
    notice, hidden, places = sheet["notices"]
    assert (hidden["code"], places["code"]) == ("mask_cells", "places_end")
    assert notice["code"] == "empty_row"
    assert "1, 2, 3" in notice["text"]


@pytest.mark.parametrize("n", range(1, 9))
def test_the_causal_mask_keeps_the_diagonal(api: Api, n: int) -> None:
    x = np.random.default_rng(n).normal(size=(n, 2)).tolist()
    sheet = api.body({"q": x, "k": x, "v": x, "mask": "causal"})
    assert values(sheet, "weights")[0, 0].tolist() == [1] + [0] * (n - 1)
    assert values(sheet, "z")[0, 0].tolist() == x[0]


def test_one_token_reads_itself(api: Api) -> None:
    sheet = api.body({**qkv("ATT-13"), "mask": "causal"})
    assert step(sheet, "weights")["values"] == [expected("ATT-13")["weights"]]
    assert values(sheet, "z")[0].tolist() == expected("ATT-13")["output"]


def test_weights_are_kept_for_each_head(api: Api) -> None:
    case = asked("ATT-16")
    matrices = {name.lower(): case[name] for name in ("W_q", "W_k", "W_v", "W_o")}
    weights = values(api.body({"x": case["X"], "n_heads": 2, **matrices}), "weights")
    assert weights.shape == (2, 2, 2)
    assert same(weights[0], expected("ATT-16")["weights_head_0"])
    assert same(weights[1], expected("ATT-16")["weights_head_1"])
    assert not any(same(head, fault) for head in weights for fault in faults("ATT-16"))


def test_rows_are_queries_and_columns_are_keys(api: Api) -> None:
    names = asked("ATT-17")["tokens"]
    sheet = api.body({**qkv("ATT-17"), "labels_q": names, "labels_k": names})
    weights = values(sheet, "weights")[0]
    assert same(weights, expected("ATT-17")["weights"])
    assert not any(same(weights, fault) for fault in faults("ATT-17"))
    assert step(sheet, "weights")["axes"] == ["head", "query", "key"]
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    assert [step(sheet, "weights")["labels"][axis][place] for axis, place in ((1, row), (2, column))] == ["a", "c"]


@pytest.mark.parametrize("name", ["ATT-18", "ATT-19", "ATT-20"])
def test_padding_written_as_an_own_mask_hides_key_columns(api: Api, name: str) -> None:
    allow = np.tile(asked(name)["padding_is_real"], (4, 1))
    if asked(name).get("mask") == "causal":
        allow &= np.tri(4, dtype=bool)
    sheet = api.body({"x": asked(name)["X"], "n_heads": 1, **identities(4), "allow": allow.astype(int).tolist()})
    assert same(values(sheet, "weights"), expected(name)["weights"])
    assert same(values(sheet, "out"), expected(name)["output"])
    assert not values(sheet, "weights")[0][~allow].any()
    told = [notice["code"] for notice in sheet["notices"]]
    assert told == [*([] if allow.any(axis=1).all() else ["empty_row"]), "mask_cells"]


def test_a_mask_that_is_added_is_refused_by_name(api: Api) -> None:
    fields = {**qkv("ATT-21"), "allow": asked("ATT-21")["additive_mask"]}
    text = message(api.ask("POST", ATTENTION, json=fields), "allow")
    assert "1 may be seen, 0 is hidden" in text


def test_heads_are_put_side_by_side_for_each_token(api: Api) -> None:
    case, zeros = asked("MHA-01"), np.zeros((4, 4)).tolist()
    own = {**identities(4), "w_q": zeros, "w_k": zeros, "w_v": case["W_v"]}
    sheet = api.body({"x": case["X"], "n_heads": 2, **own, "allow": case["allow"]})
    assert values(sheet, "z").tolist() == [expected("MHA-01")["head_0"], expected("MHA-01")["head_1"]]
    assert values(sheet, "concat").tolist() == expected("MHA-01")["concat"]
    assert values(sheet, "out").tolist() == expected("MHA-01")["output"]
    assert not any(same(values(sheet, "concat"), fault) for fault in faults("MHA-01"))


def test_heads_are_slices_of_the_width(api: Api) -> None:
    q = values(api.body({"x": asked("MHA-02")["X"], "n_heads": 2, **identities(4)}), "q")
    assert q.tolist() == [expected("MHA-02")["q_head_0"], expected("MHA-02")["q_head_1"]]
    assert not any(same(q[0], fault) for fault in faults("MHA-02"))


@pytest.mark.parametrize("sizes", cases()["MHA-03"]["input"]["try_each"])
def test_heads_that_do_not_divide_the_width_are_refused_with_the_numbers(api: Api, sizes: dict[str, float]) -> None:
    for answer in (api.get(ATTENTION, write({"text": "a", **sizes})), api.ask("POST", ATTENTION, json={"text": "a", **sizes})):
        text = message(answer, "n_heads")
        if sizes["n_heads"] > 1 and isinstance(sizes["n_heads"], int):
            assert str(sizes["n_heads"]) in text
            assert str(sizes["d_model"]) in text
        else:
            assert "whole number" in text or "from 1 to 16" in text


def test_neighbouring_query_heads_share_a_key_value_head(api: Api) -> None:
    case = asked("MHA-04")
    sizes = {name: case[name] for name in ("n_heads", "n_kv_heads", "d_head")}
    zeros = {"w_q": np.zeros((2, 4)).tolist(), "w_k": np.zeros((2, 2)).tolist()}
    sheet = api.body({"x": case["X"], **sizes, **zeros, "w_v": case["W_v"], "w_o": np.eye(4).tolist()})
    assert values(sheet, "concat").tolist() == expected("MHA-04")["concat"]
    assert values(sheet, "out").tolist() == expected("MHA-04")["output"]
    assert not any(same(values(sheet, "concat"), fault) for fault in faults("MHA-04"))
    readers = [api.why(sheet["query"], "z", head, 0, 0)["terms"][1]["index"][0] for head in range(4)]
    assert readers == expected("MHA-04")["kv_head_of_query_head"]


@pytest.mark.parametrize("sizes", cases()["MHA-06"]["input"]["try_each"])
def test_query_heads_that_cannot_share_evenly_are_refused_with_both_numbers(api: Api, sizes: dict[str, int]) -> None:
    text = message(api.get(ATTENTION, write({"text": "a", "d_model": 4, **sizes})), "n_kv_heads")
    if sizes["n_kv_heads"]:
        assert str(sizes["n_heads"]) in text
        assert str(sizes["n_kv_heads"]) in text
    else:
        assert "from 1 to 16" in text
