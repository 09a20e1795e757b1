"""Numbers made by another program, asked over HTTP; what is known to be wrong must not come out."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.asking import Api, Json, same, values

VECTORS = Path(__file__).parents[1] / "reference" / "vectors.json"
ENTRIES = 20


@cache
def vectors() -> dict[str, list[Json]]:
    loaded: dict[str, list[Json]] = json.loads(VECTORS.read_text("utf-8"))
    return loaded


def sample(entries: list[Any]) -> list[Any]:
    """Twenty entries, spread evenly from the smallest to the largest."""
    return [entries[round(place)] for place in np.linspace(0, len(entries) - 1, ENTRIES)]


def sentence(entry: Json) -> Json:
    """The fields of an entry that gives x and the four matrices."""
    sizes: Json = {name: entry[name] for name in ("d_model", "n_heads", "n_kv_heads") if name in entry}
    return {"x": entry["X"], **{name.lower(): entry[name] for name in ("W_q", "W_k", "W_v", "W_o")}, **sizes}


@pytest.mark.parametrize("case", ["none", "causal", "custom"])
def test_multi_head_attention_agrees(api: Api, case: str) -> None:
    for entry in sample(vectors()["mha"]):
        expected = entry["cases"][case]
        mask: Json = {"mask": case, **({"allow": expected["allow"]} if case == "custom" else {})}
        sheet = api.body({**sentence(entry), **mask})
        assert same(values(sheet, "scaled"), entry["scores"])
        assert same(values(sheet, "weights"), expected["weights"])
        assert same(values(sheet, "out"), expected["output"])
        bits = [[int(bit) for bit in row] for row in expected["allow"]]
        assert values(sheet, "mask").tolist() == bits
        empty = [row for row, seen in enumerate(bits) if not any(seen)]
        assert not values(sheet, "out")[empty].any()
        assert bool(empty) == any(notice["code"] == "empty_row" for notice in sheet["notices"])


def shared() -> list[Json]:
    """Entries with shared heads; one that gives no x is about the last that did."""
    entries: list[Json] = []
    for entry in vectors()["gqa"]:
        entries.append(entry if "X" in entry else {**entries[-1], **entry})
    return entries


def test_shared_key_and_value_heads_agree(api: Api) -> None:
    chosen = sample(shared())
    assert {entry["mask"] for entry in chosen} == {"none", "causal"}
    for entry in chosen:
        sheet = api.body({**sentence(entry), "mask": entry["mask"]})
        assert same(values(sheet, "weights"), entry["weights"])
        assert same(values(sheet, "out"), entry["output"])


@pytest.mark.parametrize(("case", "mask"), [("none", "none"), ("causal_bottom_right", "causal")])
def test_attention_to_another_sentence_agrees(api: Api, case: str, mask: str) -> None:
    entries = vectors()["cross"]
    assert any(entry["n_q"] != entry["n_k"] for entry in entries)
    for entry in entries:
        others = np.array(entry["X_kv"])
        q, k, v = np.array(entry["X_q"]) @ entry["W_q"], others @ entry["W_k"], others @ entry["W_v"]
        fields = {"q": q.tolist(), "k": k.tolist(), "v": v.tolist(), "w_o": entry["W_o"]}
        sheet = api.body({**fields, "n_heads": entry["n_heads"], "mask": mask})
        assert same(values(sheet, "weights"), entry["cases"][case]["weights"])
        assert same(values(sheet, "out"), entry["cases"][case]["output"])
