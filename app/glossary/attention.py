"""Attention itself, from the vectors to the new vectors."""

from app.glossary.entry import Entry

PAPER = "Vaswani et al. 2017"
HEADS = f"{PAPER}, §3.2.2"
D_MODEL, SCORES = ("token", "d_model"), ("head", "query", "key")
MIX, KEYS = ("head", "query", "d_v"), ("key", "d_model")
TABLE = "Gehring et al. 2017, §3.1"
WAVES = {"Sinusoid": r"P_{i,2c} = \sin(i/BASE^{2c/d}),\quad P_{i,2c+1} = \cos(i/BASE^{2c/d})"}

ATTENTION: dict[str, Entry] = {
    "x": Entry("X", D_MODEL, "x", "x", origin="vector", source="Mikolov et al. 2013"),
    "x_k": Entry("X_k", KEYS, "k", "x", origin="vector", source=f"{PAPER}, §3.2.3"),
    "pos": Entry(
        "P",
        D_MODEL,
        "x",
        "pos",
        source=f"{PAPER}, §3.5; {TABLE}",
        formula=WAVES,
    ),
    "pos_table": Entry("T", ("position", "d_model"), "x", "pos", source=TABLE),
    "x_pos": Entry("X'", D_MODEL, "x", "pos", source=f"{PAPER}, §3.5"),
    "pos_k": Entry("P", KEYS, "k", "pos", source=f"{PAPER}, §3.5; {TABLE}", formula=WAVES),
    "pos_table_k": Entry("T", ("position", "d_model"), "k", "pos", source=TABLE),
    "x_pos_k": Entry("X'_k", KEYS, "k", "pos", source=f"{PAPER}, §3.5"),
    "w_q": Entry("W^Q", ("d_model", "n_heads_d_head"), "q", "learned", cut_by_head=True, source=HEADS),
    "w_k": Entry("W^K", ("d_model", "n_kv_heads_d_head"), "k", "learned", cut_by_head=True, source=HEADS),
    "w_v": Entry("W^V", ("d_model", "n_kv_heads_d_v"), "v", "learned", cut_by_head=True, source=HEADS),
    "q": Entry("Q", ("head", "query", "d_head"), "q", "qkv", source=HEADS),
    "k": Entry("K", ("kv_head", "key", "d_head"), "k", "qkv", source=HEADS),
    "v": Entry("V", ("kv_head", "key", "d_v"), "v", "qkv", source=HEADS),
    "scores": Entry(
        "S",
        SCORES,
        "q",
        "scores",
        opening=1,
        source=f"{PAPER}, §3.2.1",
        formula={"MatMul:q": r"S = Q\,K^{\mathsf{T}}"},
    ),
    "scaled": Entry(
        "S'",
        SCORES,
        "q",
        "scaled",
        may_be_idle=True,
        source=f"{PAPER}, §3.2.1",
    ),
    "mask": Entry(
        "M",
        ("query", "key"),
        "mask",
        "mask",
        unit_range=True,
        origin="rule",
        asks=True,
        source=f"{PAPER}, §3.2.3",
        formula=r"M_{ij} \in \{0, 1\}",
    ),
    "masked": Entry(
        "S''",
        SCORES,
        "q",
        "masked",
        may_be_idle=True,
        source=f"{PAPER}, §3.2.3",
    ),
    "weights": Entry(
        "A",
        SCORES,
        "weights",
        "weights",
        unit_range=True,
        shares=True,
        normalised=True,
        source=f"{PAPER}, §3.2.1, (1)",
        formula={"Ratio": r"A_{ij} = \frac{{INPUT}_{ij}}{\ell_i}"},
    ),
    "weights_cut": Entry(
        r"A^{\times}",
        SCORES,
        "weights",
        "cut",
        unit_range=True,
        shares=True,
        source=f"{PAPER}, §3.2.3",
        formula=r"A^{\times}_{ij} = A_{ij}\;(M_{ij} = 1),\quad 0\;(M_{ij} = 0)",
    ),
    "z": Entry(
        "Z",
        MIX,
        "v",
        "z",
        source=f"{PAPER}, §3.2.1, (1)",
        formula={"JoinRows": r"Z = [Z_1;\,Z_2;\,\cdots]"},
    ),
    "concat": Entry("C", ("query", "n_heads_d_v"), "v", "concat", source=HEADS),
    "w_o": Entry("W^O", ("n_heads_d_v", "d_model"), "x", "out", source=HEADS),
    "out": Entry("O", ("query", "d_model"), "x", "out", source=HEADS),
}
