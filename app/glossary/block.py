"""The layer around attention: norms, sums, the feed-forward network, experts."""

from app.glossary.attention import D_MODEL
from app.glossary.entry import Entry

TOKEN_ONE, TOKEN_FF, TOKEN_EXPERT, FF_MODEL = ("token", "one"), ("token", "d_ff"), ("token", "expert"), ("d_ff", "d_model")
LAYER_NORM, RMS_NORM = "Ba et al. 2016, §3, (3)–(4)", "Zhang & Sennrich 2019, §3, (4)"
BOTH = "Ba et al. 2016, §3; Zhang & Sennrich 2019, §3"
NETWORK, GLU = "Vaswani et al. 2017, §3.3, (2)", "Shazeer 2020, §2, (6)"
MIXTURE, SWITCH, MIXTRAL = "Shazeer et al. 2017, §2", "Fedus et al. 2022, §2.1, (1)–(2)", "Jiang et al. 2024, §2.1"
ADDED = "He et al. 2016, §3.1; Vaswani et al. 2017, §3.1"

NORMS: dict[str, Entry] = {
    "mean": Entry(r"\mu", r"\mu_i = \frac{1}{d}\sum_{c} {INPUT}_{ic}", TOKEN_ONE, "x", "norm", source=LAYER_NORM),
    "centered": Entry("X_0", r"X_0 = INPUT - \mu", D_MODEL, "x", "norm", source=LAYER_NORM),
    "variance": Entry(r"\sigma^2", r"\sigma_i^2 = \frac{1}{d}\sum_{c} {INPUT}_{ic}^2", TOKEN_ONE, "x", "norm", source=LAYER_NORM),
    "deviation": Entry(r"\sigma", r"\sigma_i = \sqrt{\sigma_i^2 + \varepsilon}", TOKEN_ONE, "x", "norm", source=LAYER_NORM),
    "mean_square": Entry("m", r"m_i = \frac{1}{d}\sum_{c} {INPUT}_{ic}^2", TOKEN_ONE, "x", "norm", source=RMS_NORM),
    "rms": Entry("r", r"r_i = \sqrt{m_i + \varepsilon}", TOKEN_ONE, "x", "norm", source=RMS_NORM),
    "normed": Entry(
        r"\hat{X}",
        {"Combine": r"\hat{X} = INPUT / \sigma", "Combine:rms": r"\hat{X} = INPUT / r"},
        D_MODEL,
        "x",
        "norm",
        source=BOTH,
    ),
    "gamma": Entry(r"\gamma", r"\gamma", ("d_model",), "x", "norm", origin="ones", source=BOTH),
    "beta": Entry(r"\beta", r"\beta", ("d_model",), "x", "norm", origin="zeros", source=LAYER_NORM),
    "scaled_norm": Entry(
        "N",
        {"Combine": r"N = \hat{X} \odot \gamma", "Combine:beta": r"N = \hat{X} \odot \gamma + \beta"},
        D_MODEL,
        "x",
        "norm",
        source=BOTH,
    ),
    "after_attention": Entry("R", "R = INPUT + O", D_MODEL, "x", "after", source=ADDED),
    "after_ffn": Entry("Y", "Y = INPUT + F", D_MODEL, "x", "after_network", source=ADDED),
}

FEED_FORWARD: dict[str, Entry] = {
    "w_1": Entry("W_1", "W_1", ("d_model", "d_ff"), "k", "network", source=NETWORK),
    "b_1": Entry("b_1", "b_1", ("d_ff",), "x", "network", origin="zeros", source=NETWORK),
    "hidden": Entry("H", r"H = INPUT\,W_1 + b_1", TOKEN_FF, "x", "network", source=NETWORK),
    "w_gate": Entry("W_{gate}", "W_{gate}", ("d_model", "d_ff"), "k", "network", source=GLU),
    "gate": Entry("H", r"H = INPUT\,W_{gate}", TOKEN_FF, "x", "network", source=GLU),
    "activated": Entry(
        "G",
        {
            "Function": r"G = \varphi(INPUT)",
            "Function:relu": r"G = \max(0,\, INPUT)",
            "Function:gelu": r"G = INPUT\;\Phi(INPUT)",
            "Function:silu": r"G = \frac{INPUT}{1 + e^{-INPUT}}",
            "Multiply": r"G = \frac{1}{2}\,INPUT\,(1 + \tanh(\sqrt{2/\pi}\,(INPUT + 0.044715\,{INPUT}^3)))",
        },
        TOKEN_FF,
        "x",
        "network",
        source="Hendrycks & Gimpel 2016, §2 (GELU); Elfwing et al. 2018, §2 (SiLU); Nair & Hinton 2010 (ReLU)",
    ),
    "w_up": Entry("W_{up}", "W_{up}", ("d_model", "d_ff"), "k", "network", source=GLU),
    "up": Entry("U", r"U = INPUT\,W_{up}", TOKEN_FF, "x", "network", source=GLU),
    "gated": Entry("J", r"J = G \odot U", TOKEN_FF, "x", "network", source=GLU),
    "w_2": Entry("W_2", "W_2", FF_MODEL, "k", "network", source=NETWORK),
    "b_2": Entry("b_2", "b_2", ("d_model",), "x", "network", origin="zeros", source=NETWORK),
    "w_down": Entry("W_{down}", "W_{down}", FF_MODEL, "k", "network", source=GLU),
    "ffn_out": Entry(
        "F",
        {
            "Combine": r"F = G\,W_2 + b_2",
            "EachRow": r"F = J\,W_{down}",
            "GatedSum": r"F_i = \sum_{e} g_{ie}\,F^{(e)}_i",
            "Multiply": "F = 0",
        },
        D_MODEL,
        "x",
        "network",
        source=f"{NETWORK}; {GLU}; {MIXTURE}, (1)",
    ),
}

EXPERTS: dict[str, Entry] = {
    "w_router": Entry("W_r", "W_r", ("d_model", "expert"), "q", "experts", source=MIXTURE),
    "router_logits": Entry("L", r"L = INPUT\,W_r", TOKEN_EXPERT, "q", "experts", source=SWITCH),
    "router_probs": Entry(
        "P",
        r"P_{ie} = \frac{e^{L_{ie}}}{\sum_{m} e^{L_{im}}}",
        TOKEN_EXPERT,
        "weights",
        "experts",
        unit_range=True,
        shares=True,
        source=SWITCH,
    ),
    "chosen": Entry(
        "C",
        r"C_{ie} = 1\;(L_{ie} \in \mathrm{top}_k(L_i)),\quad 0\;(L_{ie} \notin \mathrm{top}_k(L_i))",
        TOKEN_EXPERT,
        "mask",
        "experts",
        unit_range=True,
        asks=True,
        source=f"{MIXTURE}.1, (5)",
    ),
    "load": Entry("n", r"n_e = \sum_{i} C_{ie}", ("expert", "one"), "x", "experts", source="Shazeer et al. 2017, §4"),
    "kept_probs": Entry("P'", r"P'_{ie} = P_{ie}\,C_{ie}", TOKEN_EXPERT, "weights", "experts", unit_range=True, source=MIXTRAL),
    "gates": Entry(
        "g",
        {"Divide": r"g_{ie} = \frac{P'_{ie}}{\sum_{m} P'_{im}}", "Where": r"g_{ie} = P_{ie}\,C_{ie}"},
        TOKEN_EXPERT,
        "weights",
        "experts",
        unit_range=True,
        shares=True,
        source=f"{MIXTRAL}; {SWITCH}",
    ),
    "expert.routed": Entry("X^{(e)}", r"X^{(e)} = ({INPUT}_i \;:\; C_{ie} = 1)", D_MODEL, "x", "network", source=MIXTURE),
}

BLOCK: dict[str, Entry] = {**NORMS, **FEED_FORWARD, **EXPERTS}
