"""State space models: signals, the step rule, the state, the kernel."""

from app.glossary.entry import Entry

S4, MAMBA, DIAGONAL = "Gu et al. 2022 (S4), §2.4", "Gu & Dao 2023 (Mamba)", "Gu et al. 2022 (S4D); Gu & Dao 2023 (Mamba), §3.6"
SELECT, RULE = f"{MAMBA}, §3.2, algorithm 2", f"{MAMBA}, §2, (4)"
SIGNAL, STATES = ("channel", "token", "one"), ("channel", "token", "d_state")

STATE_SPACE: dict[str, Entry] = {
    "w_u": Entry("W^u", ("d_model", "channel"), "v", "learned", source=MAMBA),
    "w_delta": Entry(r"W^\Delta", ("d_model", "channel"), "mask", "learned", source=SELECT),
    "b_delta": Entry(r"b^\Delta", ("channel",), "mask", "learned", origin="zeros", source=SELECT),
    "w_b": Entry("W^B", ("d_model", "d_state"), "k", "learned", source=SELECT),
    "w_c": Entry("W^C", ("d_model", "d_state"), "q", "learned", source=SELECT),
    "u": Entry("u", SIGNAL, "v", "signals", opening=4, source=f"{MAMBA}, §2"),
    "a": Entry("A", ("channel", "one", "d_state"), "weights", "system", origin="fading", source=DIAGONAL),
    "delta_raw": Entry("D", ("token", "channel"), "mask", "system", source=SELECT),
    "delta": Entry(
        r"\Delta",
        SIGNAL,
        "mask",
        "system",
        source=SELECT,
    ),
    "b": Entry("B", STATES, "k", "system", source=SELECT),
    "c": Entry("C", STATES, "q", "system", source=SELECT),
    "a_bar": Entry(r"\bar{A}", STATES, "weights", "step_rule", unit_range=True, source=RULE, formula=r"\bar{A} = e^{\Delta A}"),
    "b_bar": Entry(
        r"\bar{B}",
        STATES,
        "k",
        "step_rule",
        source=RULE,
        formula={"Combine": r"\bar{B} = \Delta B", "Combine:a": r"\bar{B} = \frac{e^{\Delta A} - 1}{A}\,B"},
    ),
    "start.h": Entry(
        "h_0", ("channel", "one", "d_state"), "v", "state", origin="start", source=f"{MAMBA}, §2, (2a)", formula="h_0 = 0"
    ),
    "token.h": Entry(
        "h_t",
        ("channel", "one", "d_state"),
        "v",
        "state",
        source=f"{MAMBA}, §2, (2a)",
        formula=r"h_t = \bar{A}\,h_{t-1} + \bar{B}\,u_t",
    ),
    "token.y": Entry("y_t", SIGNAL, "v", "read", source=f"{MAMBA}, §2, (2b)"),
    "decay": Entry(
        r"\bar{A}^j", ("channel", "age", "d_state"), "weights", "kernel", unit_range=True, source=S4, formula=r"\bar{A}^j"
    ),
    "kernel": Entry(
        "K",
        ("channel", "age", "one"),
        "q",
        "kernel",
        source=f"{S4}, (5); {MAMBA}, §2, (3a)",
        formula=r"K_j = \sum_{s} \bar{A}_s^j\,\bar{B}_s\,C_s",
    ),
    "toeplitz": Entry(
        "T",
        ("channel", "query", "key"),
        "weights",
        "kernel",
        source=f"{S4}, (4)",
    ),
    "y": Entry(
        "y",
        SIGNAL,
        "v",
        "read",
        source=f"{MAMBA}, §2, (2b), (3b)",
        formula={"JoinRows": r"y = [y_1;\,y_2;\,\cdots]", "MatMul": r"y = T\,u = K * u"},
    ),
    "remaining": Entry(
        r"\rho",
        STATES,
        "weights",
        "left",
        unit_range=True,
        source=f"{MAMBA}, §2, (2a), (3a)",
    ),
    "contributions": Entry(
        r"\delta h", STATES, "v", "left", source=f"{MAMBA}, §2, (2a), (3a)", formula=r"\delta h_j = \rho_j\,\bar{B}_j\,u_j"
    ),
}
