"""Ways to long texts: tiles, a state in the place of all keys, a cache."""

from app.glossary.attention import HEADS, MIX, SCORES
from app.glossary.between import QUERY_ONE, ROTARY, K, Q
from app.glossary.entry import Entry

FLASH, ONLINE = "Dao 2023 (FlashAttention-2), §3.1.1, algorithm 1", "Milakov & Gimelshein 2018, algorithm 3"
LINEAR, CACHE = "Katharopoulos et al. 2020", "Shazeer 2019, §2.4; Pope et al. 2022, §2"
V = ("kv_head", "key", "d_v")
STATE, KEY_SUM = ("kv_head", "d_head", "d_v"), ("kv_head", "one", "d_head")

TILED: dict[str, Entry] = {
    "start.m": Entry("m_0", QUERY_ONE, "q", "tile", origin="start", source=FLASH, formula=r"m_0 = -\infty"),
    "start.l": Entry(r"\ell_0", QUERY_ONE, "weights", "tile", origin="start", source=FLASH, formula=r"\ell_0 = 0"),
    "start.acc": Entry("O_0", MIX, "v", "tile", origin="start", source=FLASH, formula="O_0 = 0"),
    "tile.tile_max": Entry(r"\tilde{m}", QUERY_ONE, "q", "tile", source=FLASH, formula=r"\tilde{m}_i = \max_{j} S''_{ij}"),
    "tile.m": Entry("m", QUERY_ONE, "q", "tile", source=ONLINE, formula=r"m = \max(m_{old},\, \tilde{m})"),
    "tile.correction": Entry(
        r"\kappa", QUERY_ONE, "weights", "tile", unit_range=True, source=ONLINE, formula=r"\kappa = e^{m_{old} - m}"
    ),
    "tile.powers": Entry("P", SCORES, "weights", "tile", unit_range=True, source=FLASH, formula=r"P_{ij} = e^{S''_{ij} - m_i}"),
    "tile.l": Entry(
        r"\ell", QUERY_ONE, "weights", "tile", source=ONLINE, formula=r"\ell_i = \ell_{old,i}\,\kappa_i + \sum_{j} P_{ij}"
    ),
    "tile.acc": Entry("O", MIX, "v", "tile", source=FLASH, formula=r"O = O_{old}\,\kappa + P\,V"),
    "tile.z": Entry("Z", MIX, "v", "z", source=FLASH),
}

LINEAR_ATTENTION: dict[str, Entry] = {
    "phi_q": Entry(r"\phi(Q)", Q, "q", "features", source=f"{LINEAR}, §3.2.1, (7)"),
    "phi_k": Entry(r"\phi(K)", K, "k", "features", opening=3, source=f"{LINEAR}, §3.2.1, (7)"),
    "similarities": Entry(r"\Phi", SCORES, "q", "similarities", opening=2, source=f"{LINEAR}, §3.2, (4)"),
    "kept": Entry(
        r"\Phi'",
        SCORES,
        "q",
        "kept",
        source=f"{LINEAR}, §3.3, (8)",
        formula=r"\Phi'_{ij} = \Phi_{ij}\;(M_{ij} = 1),\quad 0\;(M_{ij} = 0)",
    ),
    "start.state": Entry("S_0", STATE, "v", "state", origin="start", source=f"{LINEAR}, §3.4, (16)", formula="S_0 = 0"),
    "start.key_sum": Entry("Z_0", KEY_SUM, "k", "state", origin="start", source=f"{LINEAR}, §3.4, (17)", formula="Z_0 = 0"),
    "token.added": Entry(
        r"\Delta S", STATE, "v", "state", source=f"{LINEAR}, §3.4, (18)", formula=r"\Delta S = \phi(k_t)^{\mathsf{T}}\,v_t"
    ),
    "token.state": Entry(
        "S_t", STATE, "v", "state", source=f"{LINEAR}, §3.4, (18)", formula=r"S_t = S_{t-1} + \phi(k_t)^{\mathsf{T}}\,v_t"
    ),
    "token.key_sum": Entry("Z_t", KEY_SUM, "k", "state", source=f"{LINEAR}, §3.4, (19)", formula=r"Z_t = Z_{t-1} + \phi(k_t)"),
    "numerator": Entry("N", MIX, "v", "read", source=f"{LINEAR}, §3.4, (20)", formula=r"N = \phi(q)\,S_t"),
    "denominator": Entry(
        "D", QUERY_ONE, "weights", "read", source=f"{LINEAR}, §3.4, (20)", formula=r"D = \phi(q)\,Z_t^{\mathsf{T}}"
    ),
    "end.z": Entry("Z", MIX, "v", "z", source=f"{LINEAR}, §3.4, (20)"),
}

CACHED: dict[str, Entry] = {
    "token.q": Entry("q_t", Q, "q", "cache", source=HEADS, formula={"MatMul": r"q_t = {INPUT}_t\,W^Q"}),
    "token.new_k": Entry("k_t", K, "k", "cache", source=HEADS, formula={"MatMul": r"k_t = {INPUT}_t\,W^K"}),
    "token.new_v": Entry("v_t", V, "v", "cache", source=HEADS, formula={"MatMul": r"v_t = {INPUT}_t\,W^V"}),
    "token.new_k_rot": Entry(r"\tilde{k}_t", K, "k", "cache", rotary=True, source=ROTARY),
    "token.k": Entry(
        "K_t",
        K,
        "k",
        "cache",
        source=CACHE,
        formula={"JoinRows:new_k_rot": r"K_t = [K_{t-1};\, \tilde{k}_t]", "JoinRows": r"K_t = [K_{t-1};\, k_t]"},
    ),
    "token.v": Entry("V_t", V, "v", "cache", source=CACHE, formula=r"V_t = [V_{t-1};\, v_t]"),
    "token.z": Entry(
        "z_t",
        MIX,
        "v",
        "z",
        source=f"{CACHE}; {LINEAR}, §3.4, (20)",
        formula={"Ratio": r"z_t = \frac{N}{D}"},
    ),
}

LONG: dict[str, Entry] = {**TILED, **LINEAR_ATTENTION, **CACHED}
