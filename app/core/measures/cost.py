"""What attention costs, as plain numbers with the product written out: memory, learned numbers, multiplications."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.core.heads import group_size, readers_of
from app.core.layers.feed_forward import feed_forward_shapes
from app.core.layers.widths import Widths


@dataclass(frozen=True, slots=True)
class Product:
    """One count as a product: ``2×3×5``. The name says what is counted."""

    name: str
    factors: tuple[int, ...]

    @property
    def value(self) -> int:
        return math.prod(self.factors)

    @property
    def written(self) -> str:
        return "×".join(map(str, self.factors))


@dataclass(frozen=True, slots=True)
class Count:
    """A sum of products, with its arithmetic: ``3×4 + 2×5 = 22``."""

    terms: tuple[Product, ...]

    @property
    def value(self) -> int:
        return sum(term.value for term in self.terms)

    @property
    def written(self) -> str:
        return f"{' + '.join(term.written for term in self.terms)} = {self.value}"


def cache_numbers(
    layers: int, n_kv_heads: int, d_head: int, tokens: int, d_v: int | None = None, window: int | None = None
) -> Count:
    """How many numbers generation keeps: a key and a value for each token, layer and key/value head.

    Where values are as wide as keys, or nothing is said of them, that is 2 × layers × heads × width × tokens. With a sliding
    window nothing older than the window is kept, so the cache stops growing. Any sizes will do, those of published models too.
    Source: Shazeer 2019, section 3; Ainslie et al. 2023, section 2.2; the window: Jiang et al. 2023, section 2.
    """
    kept = tokens if window is None else min(tokens, window)
    if d_v is None or d_v == d_head:
        return Count((Product("kv_cache", (2, layers, n_kv_heads, d_head, kept)),))
    keys, values = ((layers, n_kv_heads, width, kept) for width in (d_head, d_v))
    return Count((Product("k_cache", keys), Product("v_cache", values)))


def in_bytes(numbers: Count, bytes_per_number: int, batch: int = 1) -> Count:
    """The memory that so many numbers take, for one text or a batch of texts, each with numbers of its own."""
    more = (bytes_per_number, *((batch,) if batch > 1 else ()))
    return Count(tuple(Product(term.name, (*term.factors, *more)) for term in numbers.terms))


def cache_share(n_heads: int, n_kv_heads: int) -> float:
    """The size of the cache beside that of plain multi-head attention: 8 heads for 32 queries keep a quarter.

    Errors: ValueError where the query heads cannot share evenly.
    """
    readers(n_heads, n_kv_heads)
    return n_kv_heads / n_heads


def readers(n_heads: int, n_kv_heads: int) -> list[list[int]]:
    """Which query heads read each key/value head: n_kv_heads is a count of heads, not the size of a group.

    Errors: ValueError where the query heads cannot share evenly. Source: Ainslie et al. 2023, section 2.2.
    """
    group_size(n_heads, n_kv_heads)
    return [list(readers_of(head, n_heads, n_kv_heads)) for head in range(n_kv_heads)]


def attention_parameters(widths: Widths) -> Count:
    """The learned numbers of an attention layer: the cells of its four matrices. Source: Vaswani et al. 2017, section 3.2.2."""
    return Count(tuple(Product(name, shape) for name, shape in widths.projections.items()))


def attention_multiplications(widths: Widths, n_q: int, n_k: int) -> Count:
    """Multiplications of an attention layer: each matrix once a token, scores and mix once a pair of tokens.

    Pairs that the mask hides are counted too: the plain way computes them and hides them afterwards.
    Source: Vaswani et al. 2017, section 4, table 1 (n²·d a layer).
    """
    tokens = {"w_q": n_q, "w_k": n_k, "w_v": n_k, "w_o": n_q}
    made = {name: Product(name, (tokens[name], *shape)) for name, shape in widths.projections.items()}
    scores = Product("scores", (widths.n_heads, n_q, n_k, widths.d_head))
    mix = Product("z", (widths.n_heads, n_q, n_k, widths.d_v))
    return Count((made["w_q"], made["w_k"], made["w_v"], scores, mix, made["w_o"]))


def feed_forward_parameters(activation: str, d_model: int, d_ff: int) -> Count:
    """The learned numbers of a feed-forward network: the cells of its matrices and biases."""
    return Count(tuple(Product(name, shape) for name, shape in feed_forward_shapes(activation, d_model, d_ff).items()))


def expert_parameters(activation: str, d_model: int, d_ff: int, experts: int, n_experts: int) -> Count:
    """The learned numbers of a mixture of which ``experts`` work: all n_experts for the total, top_k for the active ones.

    Source: Fedus et al. 2022, section 2; Jiang et al. 2024 (Mixtral), section 2.1 (active against total).
    """
    network = feed_forward_parameters(activation, d_model, d_ff).terms
    router = Product("w_router", (d_model, n_experts))
    return Count((router, *(Product(term.name, (experts, *term.factors)) for term in network)))
