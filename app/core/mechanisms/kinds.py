"""Mechanisms: the ways from vectors to what each query takes, and what each starts from."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Mechanism:
    """What a mechanism starts from: queries, keys and values, whatever made them, or vectors, to go its own way from there."""

    starts_from: Literal["qkv", "vectors"]
    positions_between: bool = False
    """True where a position can act on its queries, keys and scores."""


MECHANISMS: dict[str, Mechanism] = {
    "attention": Mechanism("qkv", positions_between=True),
    "tiled": Mechanism("qkv"),
    "linear": Mechanism("qkv"),
    "state_space": Mechanism("vectors"),
    "cached": Mechanism("vectors", positions_between=True),
}
