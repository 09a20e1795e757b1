"""The layer around attention: norms, sums, the feed-forward network, experts."""

from app.glossary.attention import D_MODEL
from app.glossary.entry import Entry

TOKEN_ONE, TOKEN_FF, TOKEN_EXPERT, FF_MODEL = ("token", "one"), ("token", "d_ff"), ("token", "expert"), ("d_ff", "d_model")
LAYER_NORM, RMS_NORM = "Ba et al. 2016, §3, (3)–(4)", "Zhang & Sennrich 2019, §4, (4)"
BOTH = "Ba et al. 2016, §3; Zhang & Sennrich 2019, §4"
NETWORK, GLU = "Vaswani et al. 2017, §3.3, (2)", "Shazeer 2020, §2, (6)"
MIXTURE, SWITCH, MIXTRAL = "Shazeer et al. 2017, §2", "Fedus et al. 2022, §2.1, (1)–(2)", "Jiang et al. 2024, §2.1"
ADDED = "He et al. 2016, §3.2, (1); Vaswani et al. 2017, §3.1"

NORMS: dict[str, Entry] = {
    "mean": Entry(r"\mu", TOKEN_ONE, "x", "norm", source=LAYER_NORM),
    "centered": Entry("X_0", D_MODEL, "x", "norm", source=LAYER_NORM),
    "variance": Entry(
        r"\sigma^2", TOKEN_ONE, "x", "norm", source=LAYER_NORM, formula=r"\sigma_i^2 = \frac{1}{d}\sum_{c} {INPUT}_{ic}^2"
    ),
    "deviation": Entry(
        r"\sigma", TOKEN_ONE, "x", "norm", source=LAYER_NORM, formula=r"\sigma_i = \sqrt{\sigma_i^2 + \varepsilon}"
    ),
    "mean_square": Entry("m", TOKEN_ONE, "x", "norm", source=RMS_NORM, formula=r"m_i = \frac{1}{d}\sum_{c} {INPUT}_{ic}^2"),
    "rms": Entry("r", TOKEN_ONE, "x", "norm", source=RMS_NORM, formula=r"r_i = \sqrt{m_i + \varepsilon}"),
    "normed": Entry(
        r"\hat{X}",
        D_MODEL,
        "x",
        "norm",
        source=BOTH,
    ),
    "gamma": Entry(r"\gamma", ("d_model",), "x", "norm", origin="ones", source=BOTH),
    "beta": Entry(r"\beta", ("d_model",), "x", "norm", origin="zeros", source=LAYER_NORM),
    "scaled_norm": Entry(
        "N",
        D_MODEL,
        "x",
        "norm",
        source=BOTH,
    ),
    "after_attention": Entry("R", D_MODEL, "x", "after", source=ADDED),
    "after_ffn": Entry("Y", D_MODEL, "x", "after_network", source=ADDED),
}

FEED_FORWARD: dict[str, Entry] = {
    "w_1": Entry("W_1", ("d_model", "d_ff"), "k", "network", source=NETWORK),
    "b_1": Entry("b_1", ("d_ff",), "x", "network", origin="zeros", source=NETWORK),
    "hidden": Entry("H", TOKEN_FF, "x", "network", source=NETWORK),
    "w_gate": Entry("W_{gate}", ("d_model", "d_ff"), "k", "network", source=GLU),
    "gate": Entry("H", TOKEN_FF, "x", "network", source=GLU),
    "activated": Entry(
        "G",
        TOKEN_FF,
        "x",
        "network",
        source="Hendrycks & Gimpel 2016, §2 (GELU); Elfwing et al. 2018, §2 (SiLU); Nair & Hinton 2010 (ReLU)",
        formula={"Multiply": r"G = \frac{1}{2}\,INPUT\,(1 + \tanh(\sqrt{2/\pi}\,(INPUT + 0.044715\,{INPUT}^3)))"},
    ),
    "w_up": Entry("W_{up}", ("d_model", "d_ff"), "k", "network", source=GLU),
    "up": Entry("U", TOKEN_FF, "x", "network", source=GLU),
    "gated": Entry("J", TOKEN_FF, "x", "network", source=GLU),
    "w_2": Entry("W_2", FF_MODEL, "k", "network", source=NETWORK),
    "b_2": Entry("b_2", ("d_model",), "x", "network", origin="zeros", source=NETWORK),
    "w_down": Entry("W_{down}", FF_MODEL, "k", "network", source=GLU),
    "ffn_out": Entry(
        "F",
        D_MODEL,
        "x",
        "network",
        source=f"{NETWORK}; {GLU}; {MIXTURE}, (1)",
        formula={"Multiply": "F = 0"},
    ),
}

EXPERTS: dict[str, Entry] = {
    "w_router": Entry("W_r", ("d_model", "expert"), "q", "experts", source=MIXTURE),
    "router_logits": Entry("L", TOKEN_EXPERT, "q", "experts", source=SWITCH),
    "router_probs": Entry(
        "P",
        TOKEN_EXPERT,
        "weights",
        "experts",
        unit_range=True,
        shares=True,
        source=SWITCH,
        formula=r"P_{ie} = \frac{e^{L_{ie}}}{\sum_{m} e^{L_{im}}}",
    ),
    "chosen": Entry(
        "C",
        TOKEN_EXPERT,
        "mask",
        "experts",
        unit_range=True,
        asks=True,
        source=f"{MIXTURE}.1, (5)",
    ),
    "load": Entry("n", ("expert", "one"), "x", "experts", source="Shazeer et al. 2017, §4", formula=r"n_e = \sum_{i} C_{ie}"),
    "kept_probs": Entry(
        "P'", TOKEN_EXPERT, "weights", "experts", unit_range=True, source=MIXTRAL, formula=r"P'_{ie} = P_{ie}\,C_{ie}"
    ),
    "gates": Entry(
        "g",
        TOKEN_EXPERT,
        "weights",
        "experts",
        unit_range=True,
        shares=True,
        source=f"{MIXTRAL}; {SWITCH}",
        formula={"Divide": r"g_{ie} = \frac{P'_{ie}}{\sum_{m} P'_{im}}", "Where": r"g_{ie} = P_{ie}\,C_{ie}"},
    ),
    "expert.routed": Entry("X^{(e)}", D_MODEL, "x", "network", source=MIXTURE, formula=r"X^{(e)} = ({INPUT}_i \;:\; C_{ie} = 1)"),
}

BLOCK: dict[str, Entry] = {**NORMS, **FEED_FORWARD, **EXPERTS}
