"""Ways to long texts: tiles, a state in the place of all keys, a cache."""

from app.glossary.attention import HEADS, MIX, SCORES
from app.glossary.between import QUERY_ONE, K, Q
from app.glossary.entry import Entry

FLASH, ONLINE = "Dao et al. 2022, algorithm 1", "Milakov & Gimelshein 2018, algorithm 3"
LINEAR, CACHE = "Katharopoulos et al. 2020", "Shazeer 2019, §2.3; Pope et al. 2022, §2.1"
V = ("kv_head", "key", "d_v")
STATE, KEY_SUM = ("kv_head", "d_head", "d_v"), ("kv_head", "one", "d_head")

TILED: dict[str, Entry] = {
    "start.m": Entry("m_0", r"m_0 = -\infty", QUERY_ONE, "q", "tile", origin="start", source=FLASH),
    "start.l": Entry(r"\ell_0", r"\ell_0 = 0", QUERY_ONE, "weights", "tile", origin="start", source=FLASH),
    "start.acc": Entry("O_0", "O_0 = 0", MIX, "v", "tile", origin="start", source=FLASH),
    "tile.tile_max": Entry(r"\tilde{m}", r"\tilde{m}_i = \max_{j} S''_{ij}", QUERY_ONE, "q", "tile", source=FLASH),
    "tile.m": Entry("m", r"m = \max(m_{old},\, \tilde{m})", QUERY_ONE, "q", "tile", source=ONLINE),
    "tile.correction": Entry(
        r"\kappa", r"\kappa = e^{m_{old} - m}", QUERY_ONE, "weights", "tile", unit_range=True, source=ONLINE
    ),
    "tile.powers": Entry("P", r"P_{ij} = e^{S''_{ij} - m_i}", SCORES, "weights", "tile", unit_range=True, source=FLASH),
    "tile.l": Entry(r"\ell", r"\ell_i = \ell_{old,i}\,\kappa_i + \sum_{j} P_{ij}", QUERY_ONE, "weights", "tile", source=ONLINE),
    "tile.acc": Entry("O", r"O = O_{old}\,\kappa + P\,V", MIX, "v", "tile", source=FLASH),
    "tile.z": Entry("Z", r"Z_i = \frac{O_i}{\ell_i}", MIX, "v", "z", source=FLASH),
}

LINEAR_ATTENTION: dict[str, Entry] = {
    "phi_q": Entry(r"\phi(Q)", r"\phi(Q) = \mathrm{elu}(Q) + 1", Q, "q", "features", source=f"{LINEAR}, §3.2, (7)"),
    "phi_k": Entry(r"\phi(K)", r"\phi(K) = \mathrm{elu}(K) + 1", K, "k", "features", opening=3, source=f"{LINEAR}, §3.2, (7)"),
    "similarities": Entry(
        r"\Phi", r"\Phi = \phi(Q)\,\phi(K)^{\mathsf{T}}", SCORES, "q", "similarities", opening=2, source=f"{LINEAR}, §3.2, (4)"
    ),
    "kept": Entry(
        r"\Phi'",
        r"\Phi'_{ij} = \Phi_{ij}\;(M_{ij} = 1),\quad 0\;(M_{ij} = 0)",
        SCORES,
        "q",
        "kept",
        source=f"{LINEAR}, §3.3, (8)",
    ),
    "start.state": Entry("S_0", "S_0 = 0", STATE, "v", "state", origin="start", source=f"{LINEAR}, §3.4, (16)"),
    "start.key_sum": Entry("Z_0", "Z_0 = 0", KEY_SUM, "k", "state", origin="start", source=f"{LINEAR}, §3.4, (17)"),
    "token.added": Entry(
        r"\Delta S", r"\Delta S = \phi(k_t)^{\mathsf{T}}\,v_t", STATE, "v", "state", source=f"{LINEAR}, §3.4, (18)"
    ),
    "token.state": Entry(
        "S_t", r"S_t = S_{t-1} + \phi(k_t)^{\mathsf{T}}\,v_t", STATE, "v", "state", source=f"{LINEAR}, §3.4, (18)"
    ),
    "token.key_sum": Entry("Z_t", r"Z_t = Z_{t-1} + \phi(k_t)", KEY_SUM, "k", "state", source=f"{LINEAR}, §3.4, (19)"),
    "numerator": Entry("N", r"N = \phi(q)\,S_t", MIX, "v", "read", source=f"{LINEAR}, §3.4, (20)"),
    "denominator": Entry("D", r"D = \phi(q)\,Z_t^{\mathsf{T}}", QUERY_ONE, "weights", "read", source=f"{LINEAR}, §3.4, (20)"),
    "end.z": Entry("Z", r"Z_i = \frac{N_i}{D_i}", MIX, "v", "z", source=f"{LINEAR}, §3.4, (20)"),
}

CACHED: dict[str, Entry] = {
    "token.q": Entry("q_t", {"MatMul": r"q_t = {INPUT}_t\,W^Q"}, Q, "q", "cache", source=HEADS),
    "token.new_k": Entry("k_t", {"MatMul": r"k_t = {INPUT}_t\,W^K"}, K, "k", "cache", source=HEADS),
    "token.new_v": Entry("v_t", {"MatMul": r"v_t = {INPUT}_t\,W^V"}, V, "v", "cache", source=HEADS),
    "token.k": Entry("K_t", r"K_t = [K_{t-1};\, k_t]", K, "k", "cache", source=CACHE),
    "token.v": Entry("V_t", r"V_t = [V_{t-1};\, v_t]", V, "v", "cache", source=CACHE),
    "token.z": Entry(
        "z_t",
        {"MatMul": r"z_t = A\,V_t", "Ratio": r"z_t = \frac{N}{D}"},
        MIX,
        "v",
        "z",
        source=f"{CACHE}; {LINEAR}, §3.4, (20)",
    ),
}

LONG: dict[str, Entry] = {**TILED, **LINEAR_ATTENTION, **CACHED}
