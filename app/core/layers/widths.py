"""The widths of one attention layer, and the sizes of the matrices that follow from them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Widths:
    """The sizes of one attention layer. d_v is the width of a value; the same as d_head in most models."""

    d_model: int
    n_heads: int
    n_kv_heads: int
    d_head: int
    d_v: int

    @property
    def projections(self) -> dict[str, tuple[int, int]]:
        """The matrices of the layer by name, each with its rows and columns."""
        return {
            "w_q": (self.d_model, self.n_heads * self.d_head),
            "w_k": (self.d_model, self.n_kv_heads * self.d_head),
            "w_v": (self.d_model, self.n_kv_heads * self.d_v),
            "w_o": (self.n_heads * self.d_v, self.d_model),
        }
