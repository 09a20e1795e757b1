"""The painter: which part of an operand lights up, and what operands are called."""

import pytest

from app.drawing.painter import Painter
from app.drawing.picture import Picture
from app.language.words import words_of
from app.sheet.changes import find_changes
from tests.support.computing import computed


def picture(query: str, step: str) -> Picture:
    run = computed(query)
    return Painter(run, step, (0,) * run.trace[step].value.ndim, words_of("en"), find_changes(run)).picture()


@pytest.mark.parametrize(
    ("query", "step", "lights"),
    [
        ("text=a b c", "weights", ["row"]),  # softmax needs the whole row
        ("text=a b c&normalizer=division", "weights", ["row"]),
        ("text=a b c", "scaled", ["cell"]),
        ("text=a b c&mask=causal", "masked", ["cell", "cell"]),
        ("text=a b c&inside=yes", "row_sum", ["row"]),
        ("text=a b c&n_layers=1", "layer.0.norm_1.centered", ["cell", "row"]),
    ],
)
def test_the_cells_that_a_cell_needs_light_up(query: str, step: str, lights: list[str]) -> None:
    assert [part.lights for part in picture(query, step).parts] == lights


def test_the_factors_of_a_product_light_by_row_and_by_column() -> None:
    product = picture("text=a b c", "scores")
    assert product.left is not None
    assert product.above is not None
    assert (product.left.step, product.left.lights) == ("q", "row")
    assert (product.above.step, product.above.lights) == ("k", "column")
    assert product.above.symbol.endswith(r"^{\mathsf{T}}")


@pytest.mark.parametrize(
    ("step", "symbols"),
    [
        ("m", ["m_{old}", r"\tilde{m}"]),
        ("l", [r"\ell_{old}", r"\kappa", "P"]),
        ("acc", ["O_{old}", r"\kappa", "P", "V"]),
    ],
)
def test_what_comes_from_the_tile_before_is_called_old(step: str, symbols: list[str]) -> None:
    parts = picture("text=a b c&mechanism=tiled&tile_q=2&tile_k=1", f"tile.0.1.{step}").parts
    assert [part.symbol for part in parts] == symbols


@pytest.mark.parametrize(
    ("query", "step", "sign"),
    [
        ("text=a b", "scaled", "÷ √2"),
        ("text=a b&scale=0.25", "scaled", "× 0.25"),
        ("text=a b", "weights", "softmax"),
        ("text=a b&n_layers=1&activation=relu", "layer.0.activated", "max(0, x)"),
    ],
)
def test_the_sign_says_what_is_done(query: str, step: str, sign: str) -> None:
    assert picture(query, step).sign == sign
