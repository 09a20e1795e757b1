"""What each step is: symbol, formula, axes, colour, place in the map, source. Titles and captions are in the catalogues.

The title of step ``q`` is the catalogue's ``step.q.title``; its caption, ``step.q.caption``.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One step. ``formula`` is TeX, or TeX by operation; INPUT stands for the symbol of the step's first input."""

    symbol: str
    formula: str | Mapping[str, str]
    axes: tuple[str, ...]
    hue: str
    row: str
    """The row of the map it stands in."""
    unit_range: bool = False
    """True where colour means 0 to 1; otherwise colour is symmetric around 0."""
    source: str = "Vaswani et al. 2017, §3.2"

    def formula_for(self, operation: str, symbol: str) -> str:
        """The formula of the step as it was really computed."""
        text = self.formula if isinstance(self.formula, str) else self.formula.get(operation, self.symbol)
        return text.replace("INPUT", symbol)


_HEADS = "Vaswani et al. 2017, §3.2.2"
_D_MODEL, _SCORES = ("token", "d_model"), ("head", "query", "key")

GLOSSARY: dict[str, Entry] = {
    "x": Entry("X", "X", _D_MODEL, "x", "x", source="Mikolov et al. 2013"),
    "pos": Entry(
        "P",
        r"P_{i,2c} = \sin(i/10000^{2c/d}),\quad P_{i,2c+1} = \cos(i/10000^{2c/d})",
        _D_MODEL,
        "x",
        "pos",
        source="Vaswani et al. 2017, §3.5",
    ),
    "x_pos": Entry("X'", "X' = X + P", _D_MODEL, "x", "pos", source="Vaswani et al. 2017, §3.5"),
    "w_q": Entry("W^Q", "W^Q", ("d_model", "n_heads_d_head"), "q", "learned", source=_HEADS),
    "w_k": Entry("W^K", "W^K", ("d_model", "n_kv_heads_d_head"), "k", "learned", source=_HEADS),
    "w_v": Entry("W^V", "W^V", ("d_model", "n_kv_heads_d_v"), "v", "learned", source=_HEADS),
    "q": Entry("Q", {"MatMul": r"Q = INPUT\,W^Q"}, ("head", "query", "d_head"), "q", "qkv", source=_HEADS),
    "k": Entry("K", {"MatMul": r"K = INPUT\,W^K"}, ("kv_head", "key", "d_head"), "k", "qkv", source=_HEADS),
    "v": Entry("V", {"MatMul": r"V = INPUT\,W^V"}, ("kv_head", "key", "d_v"), "v", "qkv", source=_HEADS),
    "scores": Entry("S", r"S = Q\,K^{\mathsf{T}}", _SCORES, "q", "scores", source="Vaswani et al. 2017, §3.2.1"),
    "scaled": Entry(
        "S'",
        {"DivideByRoot": r"S' = \frac{S}{\sqrt{d_{head}}}", "Multiply": r"S' = c\,S"},
        _SCORES,
        "q",
        "scaled",
        source="Vaswani et al. 2017, §3.2.1",
    ),
    "mask": Entry(
        "M", r"M_{ij} \in \{0, 1\}", ("query", "key"), "mask", "mask", unit_range=True, source="Vaswani et al. 2017, §3.2.3"
    ),
    "masked": Entry(
        "S''",
        r"S''_{ij} = S'_{ij}\;(M_{ij} = 1),\quad -\infty\;(M_{ij} = 0)",
        _SCORES,
        "q",
        "masked",
        source="Vaswani et al. 2017, §3.2.3",
    ),
    "weights": Entry(
        "A",
        {
            "Softmax": r"A_{ij} = \frac{e^{S''_{ij}}}{\sum_{m} e^{S''_{im}}}",
            "Divide": r"A_{ij} = \frac{S''_{ij}}{\sum_{m} S''_{im}}",
        },
        _SCORES,
        "weights",
        "weights",
        unit_range=True,
        source="Vaswani et al. 2017, §3.2.1, (1)",
    ),
    "z": Entry("Z", r"Z = A\,V", ("head", "query", "d_v"), "v", "z", source="Vaswani et al. 2017, §3.2.1, (1)"),
    "concat": Entry("C", r"C = [Z_1 \,|\, Z_2 \,|\, \cdots]", ("query", "n_heads_d_v"), "v", "concat", source=_HEADS),
    "w_o": Entry("W^O", "W^O", ("n_heads_d_v", "d_model"), "x", "out", source=_HEADS),
    "out": Entry("O", r"O = C\,W^O", ("query", "d_model"), "x", "out", source=_HEADS),
}

TOKENS = "tokens"
"""The map's first row: the sentence itself, which is no array."""


def base_of(step: str) -> str:
    """A step's own name: ``scores`` for ``layer.0.scores``."""
    return step.rpartition(".")[2]


def entry_of(step: str) -> Entry:
    """What a step is, wherever it stands."""
    return GLOSSARY[base_of(step)]
