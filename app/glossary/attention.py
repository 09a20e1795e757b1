"""Attention itself, from the vectors to the new vectors."""

from app.glossary.entry import Entry

PAPER = "Vaswani et al. 2017"
HEADS = f"{PAPER}, §3.2.2"
D_MODEL, SCORES = ("token", "d_model"), ("head", "query", "key")
MIX, KEYS = ("head", "query", "d_v"), ("key", "d_model")
TABLE = "Gehring et al. 2017, §3.1"
PLACES = {
    "Sinusoid": r"P_{i,2c} = \sin(i/10000^{2c/d}),\quad P_{i,2c+1} = \cos(i/10000^{2c/d})",
    "TakeRows": r"P_i = {INPUT}_i",
}

ATTENTION: dict[str, Entry] = {
    "x": Entry("X", "X", D_MODEL, "x", "x", origin="vector", source="Mikolov et al. 2013"),
    "x_k": Entry("X_k", "X_k", KEYS, "k", "x", origin="vector", source=f"{PAPER}, §3.2.3"),
    "pos": Entry(
        "P",
        PLACES,
        D_MODEL,
        "x",
        "pos",
        source=f"{PAPER}, §3.5; {TABLE}",
    ),
    "pos_table": Entry("T", "T", ("position", "d_model"), "x", "pos", source=TABLE),
    "x_pos": Entry("X'", "X' = X + P", D_MODEL, "x", "pos", source=f"{PAPER}, §3.5"),
    "pos_k": Entry("P", PLACES, KEYS, "k", "pos", source=f"{PAPER}, §3.5; {TABLE}"),
    "pos_table_k": Entry("T", "T", ("position", "d_model"), "k", "pos", source=TABLE),
    "x_pos_k": Entry("X'_k", "X'_k = X_k + P", KEYS, "k", "pos", source=f"{PAPER}, §3.5"),
    "w_q": Entry("W^Q", "W^Q", ("d_model", "n_heads_d_head"), "q", "learned", cut_by_head=True, source=HEADS),
    "w_k": Entry("W^K", "W^K", ("d_model", "n_kv_heads_d_head"), "k", "learned", cut_by_head=True, source=HEADS),
    "w_v": Entry("W^V", "W^V", ("d_model", "n_kv_heads_d_v"), "v", "learned", cut_by_head=True, source=HEADS),
    "q": Entry("Q", {"MatMul": r"Q = INPUT\,W^Q"}, ("head", "query", "d_head"), "q", "qkv", source=HEADS),
    "k": Entry("K", {"MatMul": r"K = INPUT\,W^K"}, ("kv_head", "key", "d_head"), "k", "qkv", source=HEADS),
    "v": Entry("V", {"MatMul": r"V = INPUT\,W^V"}, ("kv_head", "key", "d_v"), "v", "qkv", source=HEADS),
    "scores": Entry(
        "S",
        {
            "MatMul": r"S = Q\,K^{\mathsf{T}}",
            "MatMul:q_rot": r"S = \tilde{Q}\,\tilde{K}^{\mathsf{T}}",
            "MatMul:q_norm": r"S = \bar{Q}\,\bar{K}^{\mathsf{T}}",
        },
        SCORES,
        "q",
        "scores",
        opening=1,
        source=f"{PAPER}, §3.2.1",
    ),
    "scaled": Entry(
        "S'",
        {
            "DivideByRoot": r"S' = \frac{S}{\sqrt{d_{head}}}",
            "DivideByRoot:rel_scores": r"S' = \frac{S + R}{\sqrt{d_{head}}}",
            "Multiply": r"S' = c\,S",
            "Multiply:rel_scores": r"S' = c\,(S + R)",
        },
        SCORES,
        "q",
        "scaled",
        may_be_idle=True,
        source=f"{PAPER}, §3.2.1",
    ),
    "mask": Entry(
        "M",
        r"M_{ij} \in \{0, 1\}",
        ("query", "key"),
        "mask",
        "mask",
        unit_range=True,
        origin="rule",
        asks=True,
        source=f"{PAPER}, §3.2.3",
    ),
    "masked": Entry(
        "S''",
        r"S''_{ij} = {INPUT}_{ij}\;(M_{ij} = 1),\quad -\infty\;(M_{ij} = 0)",
        SCORES,
        "q",
        "masked",
        may_be_idle=True,
        source=f"{PAPER}, §3.2.3",
    ),
    "weights": Entry(
        "A",
        {
            "Softmax": r"A_{ij} = \frac{e^{{INPUT}_{ij}}}{\sum_{m} e^{{INPUT}_{im}}}",
            "SinkSoftmax": r"A_{ij} = \frac{e^{{INPUT}_{ij}}}{e^{s} + \sum_{m} e^{{INPUT}_{im}}}",
            "Divide": r"A_{ij} = \frac{{INPUT}_{ij}}{\sum_{m} {INPUT}_{im}}",
            "Ratio": r"A_{ij} = \frac{{INPUT}_{ij}}{\ell_i}",
        },
        SCORES,
        "weights",
        "weights",
        unit_range=True,
        shares=True,
        normalised=True,
        source=f"{PAPER}, §3.2.1, (1)",
    ),
    "weights_cut": Entry(
        r"A^{\times}",
        r"A^{\times}_{ij} = A_{ij}\;(M_{ij} = 1),\quad 0\;(M_{ij} = 0)",
        SCORES,
        "weights",
        "cut",
        unit_range=True,
        shares=True,
        source=f"{PAPER}, §3.2.3",
    ),
    "z": Entry(
        "Z",
        {
            "MatMul": r"Z = A\,V",
            "MatMul:weights_cut": r"Z = A^{\times}\,V",
            "Combine": r"Z = Z^V + Z^R",
            "JoinRows": r"Z = [Z_1;\,Z_2;\,\cdots]",
        },
        MIX,
        "v",
        "z",
        source=f"{PAPER}, §3.2.1, (1)",
    ),
    "concat": Entry("C", r"C = [{INPUT}_1 \,|\, {INPUT}_2 \,|\, \cdots]", ("query", "n_heads_d_v"), "v", "concat", source=HEADS),
    "w_o": Entry("W^O", "W^O", ("n_heads_d_v", "d_model"), "x", "out", source=HEADS),
    "out": Entry("O", r"O = C\,W^O", ("query", "d_model"), "x", "out", source=HEADS),
}
