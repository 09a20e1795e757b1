"""Every form of attention, asked over HTTP, agrees with numbers made by another program."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app import limits
from tests.support.asking import Api, Json, same, step, values

FOLDER = Path(__file__).parents[1] / "reference"
BASE = 10_000


@cache
def numbers(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def positions(name: str) -> Any:
    return numbers("attend")["positions"][name]


def functions(name: str) -> Any:
    return numbers("attend")["functions"][name]


def sentence(entry: Json) -> Json:
    """The fields of an entry that gives x and the four matrices."""
    matrices = {name.lower(): entry[name] for name in ("W_q", "W_k", "W_v", "W_o")}
    return {"x": entry["X"], "n_heads": entry["n_heads"], **matrices}


def put(**arrays: Any) -> str:
    """Edits that put whole arrays in the place of steps; a dot in a step's name is written as two underscores."""
    cells = []
    for name, array in arrays.items():
        for index, value in np.ndenumerate(np.array(array, dtype=float)):
            cells.append(f"{name.replace('__', '.')}[{','.join(map(str, index))}]={float(value)!r}")
    return ";".join(cells)


def words(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


def test_a_window_agrees(api: Api) -> None:
    for entry in numbers("vectors")["mha"][::9]:
        expected = entry["cases"]["window2_causal"]
        sheet = api.body({**sentence(entry), "mask": "sliding_window", "window": 2})
        assert same(values(sheet, "mask"), [[int(bit) for bit in row] for row in expected["allow"]])
        assert same(values(sheet, "weights"), expected["weights"])
        assert same(values(sheet, "out"), expected["output"])


def test_shared_heads_agree(api: Api) -> None:
    for entry in [entry for entry in numbers("vectors")["gqa"] if "X" in entry][::5]:
        sheet = api.body({**sentence(entry), "n_kv_heads": entry["n_kv_heads"], "mask": entry["mask"]})
        assert same(values(sheet, "weights"), entry["weights"])
        assert same(values(sheet, "out"), entry["output"])


def test_attention_to_another_sentence_agrees(api: Api) -> None:
    """Vectors of two sentences cannot both be given, so the second one comes by a table; of equal words one is kept."""
    for entry in [entry for entry in numbers("vectors")["cross"] if entry["n_q"] <= entry["n_k"]]:
        named = {f"q{row}": vector for row, vector in enumerate(entry["X_q"])}
        named |= {f"k{row}": vector for row, vector in enumerate(entry["X_kv"])}
        q, k = (" ".join(name for name in named if name[0] == letter) for letter in "qk")
        fields = {**sentence({**entry, "X": []}), "text": q, "text_k": k, "table": named, "split": "spaces"}
        del fields["x"]
        for case, mask in (("none", "none"), ("causal_bottom_right", "causal")):
            sheet = api.body({**fields, "mask": mask})
            assert same(values(sheet, "weights"), entry["cases"][case]["weights"])
            assert same(values(sheet, "out"), entry["cases"][case]["output"])
            assert step(sheet, "weights")["labels"][1:] == [q.split(), k.split()]


def test_sinusoidal_positions_agree(api: Api) -> None:
    entries = [entry for entry in positions("sinusoidal") if entry["base"] == BASE]
    assert {entry["d_model"] % 2 for entry in entries} == {0, 1}
    for entry in entries:
        sheet = api.body({"x": np.zeros((entry["n"], entry["d_model"])).tolist(), "n_heads": 1, "position": "sinusoidal"})
        assert same(values(sheet, "pos"), entry["pe"])
        assert same(values(sheet, "x_pos"), entry["pe"])


@pytest.mark.parametrize(("pairing", "position"), [("half_split", "rope"), ("interleaved", "rope_interleaved")])
def test_rotary_positions_agree(api: Api, pairing: str, position: str) -> None:
    entries = [entry for entry in positions("rope") if entry["base"] == BASE and max(entry["positions"]) < limits.TOKENS]
    assert len(entries) > 2
    for entry in entries:
        rows = np.zeros((max(entry["positions"]) + 1, entry["d_head"]))
        rows[entry["positions"]] = entry["x"]
        x = rows.tolist()
        sheet = api.body({"q": x, "k": x, "v": x, "position": position})
        for name in ("q_rot", "k_rot"):
            assert same(values(sheet, name)[0][entry["positions"]], entry[pairing])


def test_rotary_attention_agrees(api: Api) -> None:
    entries = positions("rope_attention")
    assert {entry["convention"] for entry in entries} == {"interleaved", "half_split"}
    for entry in entries:
        position = "rope" if entry["convention"] == "half_split" else "rope_interleaved"
        sheet = api.body({**sentence(entry), "mask": entry["mask"], "position": position})
        assert same(values(sheet, "weights"), entry["weights"])
        assert same(values(sheet, "out"), entry["output"])


def test_alibi_slopes_agree(api: Api) -> None:
    for heads, slopes in positions("alibi_slopes").items():
        sheet = api.sheet(text="a", n_heads=heads, d_head=1, position="alibi")
        assert same(values(sheet, "slopes")[:, 0], slopes)


def test_alibi_attention_agrees(api: Api) -> None:
    for entry in positions("alibi_attention"):
        sheet = api.body({**sentence(entry), "mask": entry["mask"], "position": "alibi"})
        seen = np.broadcast_to(values(sheet, "mask") == 1, values(sheet, "bias").shape)
        assert same(values(sheet, "bias")[seen], np.array(entry["bias"])[seen])
        assert values(sheet, "bias").max() <= 0
        assert same(values(sheet, "weights"), entry["weights"])
        assert same(values(sheet, "out"), entry["output"])


def test_clipped_distances_agree(api: Api) -> None:
    for entry in positions("relative_clip"):
        sheet = api.sheet(text=words(entry["n"]), position="relative", max_distance=entry["max_distance"])
        assert same(values(sheet, "rel_index"), entry["index"])


def test_relative_attention_with_tables_for_keys_and_values_agrees(api: Api) -> None:
    entry = positions("shaw_attention")
    x = entry["X"]
    edits = put(rel_k=entry["a_K"], rel_v=entry["a_V"])
    sheet = api.body({"q": x, "k": x, "v": x, "position": "relative", "max_distance": 2, "edits": edits})
    assert same(values(sheet, "scaled")[0], entry["scores"])
    assert same(values(sheet, "weights")[0], entry["weights"])
    assert same(values(sheet, "z")[0], entry["output"])


def test_buckets_of_distances_agree(api: Api) -> None:
    for entry in positions("t5_buckets"):
        low, high = entry["relative_position"]
        sizes = {"n_buckets": entry["num_buckets"], "max_distance": entry["max_distance"]}
        mask = "none" if entry["bidirectional"] else "causal"
        buckets = values(api.sheet(text=words(high + 1), position="t5", n_heads=1, mask=mask, **sizes), "buckets")
        assert same([*buckets[-low], *buckets[0][1:]], entry["bucket"])


def test_softmax_agrees_also_inside(api: Api) -> None:
    entries = [entry for entry in functions("softmax") if max(map(abs, entry["scores"])) <= limits.NUMBER]
    assert len(entries) > 7
    for entry in entries:
        count = len(entry["scores"])
        fields = {"q": [entry["scores"]], "k": np.eye(count).tolist(), "v": [[1]] * count, "scale": "none"}
        assert same(values(api.body(fields), "weights")[0, 0], entry["weights"])
        inside = api.body({**fields, "inside": "yes"})
        assert same(values(inside, "weights")[0, 0], entry["weights"])
        assert same(values(inside, "logsumexp")[0, 0, 0], entry["logsumexp"])


def test_masked_softmax_agrees_also_inside(api: Api) -> None:
    entries = functions("masked_softmax")
    assert len(entries) == 8
    for entry in entries:
        allow = ["".join(str(int(bit)) for bit in entry["allow"])]
        fields = {"q": [entry["scores"]], "k": np.eye(3).tolist(), "v": [[1]] * 3, "scale": "none", "allow": allow}
        for inside in ("no", "yes"):
            assert same(values(api.body({**fields, "inside": inside}), "weights")[0, 0], entry["weights"])


def test_norms_agree(api: Api) -> None:
    for entry in numbers("block")["layer_norm"]:
        edits = put(layer__0__norm_1__gamma=entry["gamma"], layer__0__norm_1__beta=entry["beta"])
        fields = {"x": entry["x"], "n_heads": 1, "n_layers": 1}
        sheet = api.body({**fields, "edits": edits})
        assert same(values(sheet, "layer.0.norm_1.normed"), entry["y"])
        assert same(values(sheet, "layer.0.norm_1.scaled_norm"), entry["y_affine"])
        assert same(values(api.body({**fields, "norm": "rms_norm"}), "layer.0.norm_1.scaled_norm"), entry["rms_norm"])


@pytest.mark.parametrize(
    ("activation", "name"), [("gelu", "exact"), ("gelu_tanh", "tanh"), ("silu", "silu"), ("relu", "relu"), ("swiglu", "silu")]
)
def test_activations_agree(api: Api, activation: str, name: str) -> None:
    entry = numbers("block")["gelu"]
    first = "gate" if activation == "swiglu" else "hidden"
    edits = put(**{f"layer__0__{first}": [entry["x"]]})
    sheet = api.body({"text": "a", "n_layers": 1, "d_ff": len(entry["x"]), "activation": activation, "edits": edits})
    assert same(values(sheet, "layer.0.activated")[0], entry[name])


def blocks() -> list[Json]:
    """Entries with the inputs of the first of each size, as far as all their parameters can be put in by hand."""
    entries: list[Json] = []
    for entry in numbers("block")["blocks"]:
        entries.append(entry if "X" in entry else {**entries[-1], **entry})
    return [entry for entry in entries if edits_of(entry).count("=") <= limits.EDITS]


def edits_of(entry: Json) -> str:
    names = {"w_1": "W_1", "b_1": "b_1", "w_2": "W_2", "b_2": "b_2"}
    names |= {f"norm_{place}__{name}": f"{name}_{place}" for place in (1, 2) for name in ("gamma", "beta")}
    return put(**{f"layer__0__{name}": entry[theirs] for name, theirs in names.items()})


@pytest.mark.parametrize(
    ("place", "first", "last"),
    [("pre", "after_attention", "after_ffn"), ("post", "norm_1.scaled_norm", "norm_2.scaled_norm")],
)
def test_whole_blocks_agree(api: Api, place: str, first: str, last: str) -> None:
    assert {(entry["activation"], entry["mask"]) for entry in blocks()} == {
        (activation, mask) for activation in ("relu", "gelu (exact)") for mask in ("none", "causal")
    }
    for entry in blocks():
        sizes = {"d_ff": entry["d_ff"], "activation": entry["activation"].split()[0], "n_layers": 1}
        sheet = api.body({**sentence(entry), **sizes, "mask": entry["mask"], "norm_place": place, "edits": edits_of(entry)})
        expected = entry[f"{place}_ln"]
        for name, theirs in (("out", "attention_out"), (first, "after_first_residual"), ("ffn_out", "ffn_out"), (last, "output")):
            assert same(values(sheet, f"layer.0.{name}"), expected[theirs]), (name, entry["n"])


@pytest.mark.parametrize("tile_q", [1, 2, 5])
def test_tiles_agree_one_by_one(api: Api, tile_q: int) -> None:
    for entry in numbers("long")["tiling"]:
        mask = entry["mask"].split("_")[0]
        for tile_k, trace in entry["traces"].items():
            fields = {**{name: entry[name] for name in "qkv"}, "mechanism": "tiled", "mask": mask}
            sheet = api.body({**fields, "tile_q": tile_q, "tile_k": int(tile_k)})
            assert same(values(sheet, "z")[0], entry["dense_output"])
            for j, expected in enumerate(trace):
                rows = range(-(-len(entry["q"]) // tile_q))
                for name in ("m", "l", "acc"):
                    found = np.concatenate([values(sheet, f"tile.{i}.{j}.{name}")[0] for i in rows])
                    wanted = [-np.inf if number is None else number for number in expected[name]]
                    assert same(found if name == "acc" else found[:, 0], wanted)
                start, end = expected["keys"]
                assert step(sheet, f"tile.0.{j}.scores")["labels"][2] == [str(key + 1) for key in range(start, end)]


@pytest.mark.parametrize("form", ["quadratic", "recurrent"])
def test_linear_attention_agrees(api: Api, form: str) -> None:
    for entry in numbers("long")["linear_attention"]:
        fields = {**{name: entry[name] for name in "qkv"}, "mask": "causal" if entry["causal"] else "none"}
        sheet = api.body({**fields, "mechanism": "linear", "linear_form": form})
        assert same(values(sheet, "phi_q")[0], entry["phi_q"])
        assert same(values(sheet, "phi_k")[0], entry["phi_k"])
        assert same(values(sheet, "z")[0], entry["output"])
        if form == "quadratic":
            assert same(values(sheet, "weights")[0], entry["implied_weights"])


@pytest.mark.parametrize("form", ["scan", "convolution"])
def test_state_spaces_agree(api: Api, form: str) -> None:
    for entry in numbers("long")["ssm"]:
        steps = {"a": entry["A"], "b": entry["B"], "c": entry["C"], "delta": entry["dt"]}
        edits = put(**{name: [[[value]]] for name, value in steps.items()}, u=[[[value] for value in entry["u"]]])
        sizes = {"n_channels": 1, "d_state": 1, "ssm_form": form, "ssm_rule": entry["rule"]}
        sheet = api.body({"text": words(len(entry["u"])), "mechanism": "state_space", **sizes, "edits": edits})
        assert same(values(sheet, "a_bar").ravel(), [entry["A_bar"]])
        assert same(values(sheet, "b_bar").ravel(), [entry["B_bar"]])
        assert same(values(sheet, "y").ravel(), entry["y"])
        if form == "scan":
            assert same([values(sheet, f"token.{token}.h").item() for token in range(len(entry["u"]))], entry["states"])
        else:
            assert same(values(sheet, "kernel").ravel(), entry["convolution_kernel"])


def test_mixtures_of_experts_agree(api: Api) -> None:
    for entry in numbers("block")["moe"]:
        sizes = {"n_layers": 1, "n_experts": len(entry["router_logits"]), "top_k": entry["k"]}
        fields = {"text": "a", **sizes, "edits": put(layer__0__router_logits=[entry["router_logits"]])}
        sheet = api.body(fields)
        assert same(values(sheet, "layer.0.router_probs")[0], entry["all_probabilities"])
        assert np.flatnonzero(values(sheet, "layer.0.chosen")[0]).tolist() == sorted(entry["chosen"])
        assert same(values(sheet, "layer.0.gates")[0][entry["chosen"]], entry["renormalised"])
        plain = api.body({**fields, "renormalise": "no"})
        assert same(values(plain, "layer.0.gates")[0][entry["chosen"]], entry["not_renormalised"])


def test_the_size_of_the_cache_agrees(api: Api) -> None:
    """The page counts numbers, one sentence at a time; of the entries one is small enough to be asked."""
    [entry] = [entry for entry in numbers("block")["kv_cache"] if 0 < entry["tokens"] <= limits.TOKENS and entry["d_head"] <= 16]
    sizes = {name: entry[name] for name in ("n_heads", "n_kv_heads", "d_head")}
    sheet = api.sheet(text=words(entry["tokens"]), n_layers=entry["layers"], mask="causal", **sizes)
    count = entry["bytes"] // (entry["bytes_per_number"] * entry["batch"])
    written = f"2×{entry['layers']}×{entry['n_kv_heads']}×{entry['d_head']}×{entry['tokens']}"
    assert any(notice["code"] == "cache_size" and written in notice["text"] and f" {count} " in notice["text"]
               for notice in sheet["notices"])  # fmt: skip
