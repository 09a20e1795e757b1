"""What a position or a form of attention puts between queries, scores and weights: each step only where it is asked for."""

from app.glossary.attention import MIX, SCORES
from app.glossary.entry import Entry

Q, K = ("head", "query", "d_head"), ("kv_head", "key", "d_head")
QUERY_ONE, KEY_ONE, PAIRS = ("head", "query", "one"), ("kv_head", "key", "one"), ("query", "key")
NORM, QWEN, RMS = "Henry et al. 2020, §3", "Qwen Team 2025 (Qwen3), §2", "Zhang & Sennrich 2019, §3, (4)"
ROTARY, SHAW, T5 = "Su et al. 2021, §3.4.2, (34)", "Shaw et al. 2018", "Raffel et al. 2020, §2.1"
ALIBI, SINK = "Press et al. 2022, §3", "OpenAI 2025 (gpt-oss), §2; Xiao et al. 2024, §3.2"
SOFTMAX, SHIFT = "Vaswani et al. 2017, §3.2.1, (1)", "Goodfellow et al. 2016, §4.1"
TURN = r"(a, b) \mapsto (a\cos\theta - b\sin\theta,\; a\sin\theta + b\cos\theta)"

POSITIONS: dict[str, Entry] = {
    "angles": Entry(
        r"\Theta",
        r"\theta_{i,c} = \frac{i}{b^{2c/d_{head}}}",
        ("position", "pair"),
        "x",
        "rotated",
        rotary=True,
        source="Su et al. 2021, §3.2.2, (15)",
    ),
    "q_rot": Entry(r"\tilde{Q}", rf"\tilde{{Q}}:\quad {TURN}", Q, "q", "rotated", rotary=True, source=ROTARY),
    "k_rot": Entry(r"\tilde{K}", rf"\tilde{{K}}:\quad {TURN}", K, "k", "rotated", rotary=True, source=ROTARY),
    "slopes": Entry("m", r"m_a = 2^{-8a/n_{heads}}", ("head", "one"), "x", "bias", source=ALIBI),
    "rel_table": Entry("T", "T", ("bucket", "head"), "x", "bias", source=T5),
    "buckets": Entry("b", r"b_{ij} = \mathrm{bucket}(j - i)", PAIRS, "x", "bias", source=T5),
    "bias": Entry(
        "B",
        {"SlopeBias": r"B_{ij} = -m\,|i - j|", "PickBias": r"B_{ij} = T_{b_{ij}}"},
        SCORES,
        "x",
        "bias",
        source=f"{ALIBI}; {T5}",
    ),
    "rel_k": Entry("A^K", "A^K", ("distance", "d_head"), "k", "distances", source=f"{SHAW}, §3.1"),
    "rel_v": Entry("A^V", "A^V", ("distance", "d_v"), "v", "distances", source=f"{SHAW}, §3.1"),
    "rel_index": Entry("r", r"r_{ij} = \mathrm{clip}(j - i,\, -m,\, m) + m", PAIRS, "x", "distances", source=f"{SHAW}, §3.2"),
    "rel_scores": Entry("R", r"R_{ij} = {INPUT}_i \cdot A^K_{r_{ij}}", SCORES, "q", "scores", source=f"{SHAW}, §3.3, (5)"),
    "z_content": Entry(
        "Z^V",
        {"MatMul": r"Z^V = A\,V", "MatMul:weights_cut": r"Z^V = A^{\times}\,V"},
        MIX,
        "v",
        "z",
        source=f"{SHAW}, §3.1, (3)",
    ),
    "weights_rel": Entry(
        "A^R",
        r"A^R_{ir} = \sum_{j:\,r_{ij} = r} {INPUT}_{ij}",
        ("head", "query", "distance"),
        "weights",
        "distance_weights",
        unit_range=True,
        source=f"{SHAW}, §3.1, (3)",
    ),
    "z_rel": Entry("Z^R", r"Z^R = A^R\,A^V", MIX, "v", "z", source=f"{SHAW}, §3.1, (3)"),
}

QK_NORM: dict[str, Entry] = {
    "q_mean_square": Entry(r"\mu_Q", r"\mu_{Q,i} = \frac{1}{d}\sum_{c} Q_{ic}^2", QUERY_ONE, "q", "qk_norm", source=NORM),
    "k_mean_square": Entry(r"\mu_K", r"\mu_{K,j} = \frac{1}{d}\sum_{c} K_{jc}^2", KEY_ONE, "k", "qk_norm", source=NORM),
    "q_rms": Entry("r_Q", r"r_{Q,i} = \sqrt{\mu_{Q,i} + \varepsilon}", QUERY_ONE, "q", "qk_norm", source=RMS),
    "k_rms": Entry("r_K", r"r_{K,j} = \sqrt{\mu_{K,j} + \varepsilon}", KEY_ONE, "k", "qk_norm", source=RMS),
    "gamma_q": Entry(r"\gamma^Q", r"\gamma^Q", ("d_head",), "q", "qk_norm", source=QWEN),
    "gamma_k": Entry(r"\gamma^K", r"\gamma^K", ("d_head",), "k", "qk_norm", source=QWEN),
    "q_norm": Entry(
        r"\bar{Q}",
        {"Combine": r"\bar{Q}_i = \frac{Q_i}{r_{Q,i}}", "Combine:gamma_q": r"\bar{Q}_i = \frac{Q_i}{r_{Q,i}} \odot \gamma^Q"},
        Q,
        "q",
        "qk_norm",
        source=NORM,
    ),
    "k_norm": Entry(
        r"\bar{K}",
        {"Combine": r"\bar{K}_j = \frac{K_j}{r_{K,j}}", "Combine:gamma_k": r"\bar{K}_j = \frac{K_j}{r_{K,j}} \odot \gamma^K"},
        K,
        "k",
        "qk_norm",
        source=NORM,
    ),
}

FORMS: dict[str, Entry] = {
    "tempered": Entry("S_T", r"S_T = \frac{INPUT}{T}", SCORES, "q", "shaped", source="Hinton et al. 2015, §2, (1)"),
    "capped": Entry("S_c", r"S_c = c\,\tanh\frac{INPUT}{c}", SCORES, "q", "shaped", source="Gemma Team 2024 (Gemma 2), §2"),
    "biased": Entry("S_B", "S_B = INPUT + B", SCORES, "q", "shaped", source=f"{ALIBI}; {T5}"),
    "sink": Entry("s", "s", ("head", "one"), "mask", "inside", source=SINK),
    "row_max": Entry(
        "m",
        {"VisibleMax": r"m_i = \max_{j} {INPUT}_{ij}", "VisibleMax:sink": r"m_i = \max(\max_{j} {INPUT}_{ij},\; s)"},
        QUERY_ONE,
        "q",
        "inside",
        source=SHIFT,
    ),
    "shifted": Entry("D", r"D_{ij} = {INPUT}_{ij} - m_i", SCORES, "q", "inside", source=SHIFT),
    "exponentials": Entry("E", r"E_{ij} = e^{D_{ij}}", SCORES, "weights", "inside", unit_range=True, source=SOFTMAX),
    "sink_exponential": Entry("e_s", r"e_{s,i} = e^{s - m_i}", QUERY_ONE, "mask", "inside", unit_range=True, source=SINK),
    "row_sum": Entry(
        r"\ell",
        {"RowTotal": r"\ell_i = \sum_{j} {INPUT}_{ij}", "Combine": r"\ell_i = \sum_{j} {INPUT}_{ij} + e_{s,i}"},
        QUERY_ONE,
        "weights",
        "inside",
        source=SOFTMAX,
    ),
    "logsumexp": Entry("L", r"L_i = m_i + \ln \ell_i", QUERY_ONE, "weights", "inside", source="Blanchard et al. 2021, §2, (2.6)"),
}

BETWEEN: dict[str, Entry] = {**POSITIONS, **QK_NORM, **FORMS}
