"""What a position or a form of attention puts between queries, scores and weights: each step only where it is asked for."""

from app.glossary.attention import MIX, SCORES
from app.glossary.entry import Entry

Q, K = ("head", "query", "d_head"), ("kv_head", "key", "d_head")
QUERY_ONE, KEY_ONE, PAIRS = ("head", "query", "one"), ("kv_head", "key", "one"), ("query", "key")
QWEN, RMS = "Qwen Team 2025 (Qwen3), §2", "Zhang & Sennrich 2019, §4, (4)"
NORM = f"{QWEN}; Dehghani et al. 2023"
ROTARY, SHAW, T5 = "Su et al. 2021, §3.4.2, (34)", "Shaw et al. 2018", "Raffel et al. 2020, §2.1"
ALIBI, SINK = "Press et al. 2022, §3", "OpenAI 2025 (gpt-oss), §2.2; Xiao et al. 2024, §3.3"
SOFTMAX, SHIFT = "Vaswani et al. 2017, §3.2.1, (1)", "Goodfellow et al. 2016, §4.1"
TURN = r"(a, b) \mapsto (a\cos\theta - b\sin\theta,\; a\sin\theta + b\cos\theta)"

POSITIONS: dict[str, Entry] = {
    "angles": Entry(
        r"\Theta",
        ("position", "pair"),
        "x",
        "rotated",
        rotary=True,
        source="Su et al. 2021, §3.2.2, (15)",
        formula=r"\theta_{i,c} = \frac{i}{b^{2c/d_{head}}}",
    ),
    "q_rot": Entry(r"\tilde{Q}", Q, "q", "rotated", rotary=True, source=ROTARY),
    "k_rot": Entry(r"\tilde{K}", K, "k", "rotated", rotary=True, source=ROTARY),
    "slopes": Entry("m", ("head", "one"), "x", "bias", source=ALIBI),
    "rel_table": Entry("T", ("bucket", "head"), "x", "bias", source=T5),
    "buckets": Entry("b", PAIRS, "x", "bias", source=T5),
    "bias": Entry(
        "B",
        SCORES,
        "x",
        "bias",
        source=f"{ALIBI}; {T5}",
    ),
    "rel_k": Entry("A^K", ("distance", "d_head"), "k", "distances", source=f"{SHAW}, §3.1"),
    "rel_v": Entry("A^V", ("distance", "d_v"), "v", "distances", source=f"{SHAW}, §3.1"),
    "rel_index": Entry("r", PAIRS, "x", "distances", source=f"{SHAW}, §3.2"),
    "rel_scores": Entry(
        "R", SCORES, "q", "scores", source=f"{SHAW}, §3.3, (5)", formula=r"R_{ij} = {INPUT}_i \cdot A^K_{r_{ij}}"
    ),
    "z_content": Entry(
        "Z^V",
        MIX,
        "v",
        "z",
        source=f"{SHAW}, §3.1, (3)",
    ),
    "weights_rel": Entry(
        "A^R",
        ("head", "query", "distance"),
        "weights",
        "distance_weights",
        unit_range=True,
        source=f"{SHAW}, §3.1, (3)",
    ),
    "z_rel": Entry("Z^R", MIX, "v", "z", source=f"{SHAW}, §3.1, (3)"),
}

QK_NORM: dict[str, Entry] = {
    "q_mean_square": Entry(r"\mu_Q", QUERY_ONE, "q", "qk_norm", source=NORM, formula=r"\mu_{Q,i} = \frac{1}{d}\sum_{c} Q_{ic}^2"),
    "k_mean_square": Entry(r"\mu_K", KEY_ONE, "k", "qk_norm", source=NORM, formula=r"\mu_{K,j} = \frac{1}{d}\sum_{c} K_{jc}^2"),
    "q_rms": Entry("r_Q", QUERY_ONE, "q", "qk_norm", source=RMS, formula=r"r_{Q,i} = \sqrt{\mu_{Q,i} + \varepsilon}"),
    "k_rms": Entry("r_K", KEY_ONE, "k", "qk_norm", source=RMS, formula=r"r_{K,j} = \sqrt{\mu_{K,j} + \varepsilon}"),
    "gamma_q": Entry(r"\gamma^Q", ("d_head",), "q", "qk_norm", source=QWEN),
    "gamma_k": Entry(r"\gamma^K", ("d_head",), "k", "qk_norm", source=QWEN),
    "q_norm": Entry(
        r"\bar{Q}",
        Q,
        "q",
        "qk_norm",
        source=NORM,
        formula={
            "Combine": r"\bar{Q}_i = \frac{Q_i}{r_{Q,i}}",
            "Combine:gamma_q": r"\bar{Q}_i = \frac{Q_i}{r_{Q,i}} \odot \gamma^Q",
        },
    ),
    "k_norm": Entry(
        r"\bar{K}",
        K,
        "k",
        "qk_norm",
        source=NORM,
        formula={
            "Combine": r"\bar{K}_j = \frac{K_j}{r_{K,j}}",
            "Combine:gamma_k": r"\bar{K}_j = \frac{K_j}{r_{K,j}} \odot \gamma^K",
        },
    ),
}

FORMS: dict[str, Entry] = {
    "tempered": Entry("S_T", SCORES, "q", "shaped", source="Hinton et al. 2015, §2, (1)"),
    "capped": Entry("S_c", SCORES, "q", "shaped", source="Gemma Team 2024 (Gemma 2), §2"),
    "biased": Entry("S_B", SCORES, "q", "shaped", source=f"{ALIBI}; {T5}"),
    "sink": Entry("s", ("head", "one"), "mask", "inside", source=SINK),
    "row_max": Entry(
        "m",
        QUERY_ONE,
        "q",
        "inside",
        source=SHIFT,
        formula={"VisibleMax:sink": r"m_i = \max(\max_{j} {INPUT}_{ij},\; s)"},
    ),
    "shifted": Entry("D", SCORES, "q", "inside", source=SHIFT, formula=r"D_{ij} = {INPUT}_{ij} - m_i"),
    "exponentials": Entry("E", SCORES, "weights", "inside", unit_range=True, source=SOFTMAX, formula=r"E_{ij} = e^{D_{ij}}"),
    "sink_exponential": Entry("e_s", QUERY_ONE, "mask", "inside", unit_range=True, source=SINK, formula=r"e_{s,i} = e^{s - m_i}"),
    "row_sum": Entry(
        r"\ell",
        QUERY_ONE,
        "weights",
        "inside",
        source=SOFTMAX,
        formula={"Combine": r"\ell_i = \sum_{j} {INPUT}_{ij} + e_{s,i}"},
    ),
    "logsumexp": Entry("L", QUERY_ONE, "weights", "inside", source="Blanchard et al. 2021"),
}

BETWEEN: dict[str, Entry] = {**POSITIONS, **QK_NORM, **FORMS}
