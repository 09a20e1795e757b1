"""What goes into the mathematics: tokens, vectors, learned matrices, names of rows and columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from app import limits
from app.core import positions
from app.core.layers.parameters import Parameters, Shapes
from app.core.mechanisms.kinds import MECHANISMS
from app.core.record.array import Array, parameter
from app.errors import refuse
from app.glossary import entry_of
from app.scenario.sizes import Sizes, Vectors
from app.scenario.table import Scenario
from app.text.spelling import by_word, same_word
from app.text.tokens import Token, tokenize
from app.text.vectors import named_matrix, toy_matrix, toy_vector


def vectors_in(scenario: Scenario) -> Vectors | None:
    """The q, k and v that are given; None for a sentence. Errors: Refusal where one is missing or more than that is given."""
    q, k, v = scenario.q, scenario.k, scenario.v
    if q is None and k is None and v is None:
        return None
    if q is None or k is None or v is None:
        missing = [name for name, matrix in (("q", q), ("k", k), ("v", v)) if matrix is None]
        raise refuse(missing[0], "qkv_together", missing=", ".join(missing))
    _check_only_vectors(scenario)
    return Vectors(q, k, v)


def _check_only_vectors(scenario: Scenario) -> None:
    """See that nothing is asked for that would act before q, k and v are there. Errors: Refusal naming it."""
    for name in ("text", "text_k", "table", "x", "w_q", "w_k", "w_v"):
        if getattr(scenario, name) is not None:
            raise refuse(name, "not_with_qkv")
    if scenario.position != "none" and scenario.position not in positions.BETWEEN:
        raise refuse("position", "not_with_qkv")
    from_vectors = MECHANISMS[scenario.mechanism].starts_from == "vectors"
    if from_vectors or scenario.n_layers:
        raise refuse("mechanism" if from_vectors else "n_layers", "not_with_qkv")


def tokens_of(scenario: Scenario) -> tuple[Token, ...]:
    """The sentence's tokens; none where only x is given. Errors: Refusal for an empty sentence or too many tokens."""
    if scenario.text is None:
        if scenario.x is None:
            raise refuse("text", "text_missing")
        return ()
    for name in ("labels_q", "labels_k"):
        if getattr(scenario, name) is not None:
            raise refuse(name, "labels_with_text")
    return cut(scenario, "text")


def cut(scenario: Scenario, field: str) -> tuple[Token, ...]:
    """The tokens of a sentence. Errors: Refusal where there is none or too many."""
    tokens = tokenize(getattr(scenario, field), scenario.split)
    if not tokens:
        raise refuse(field, "text_empty")
    if len(tokens) > limits.TOKENS:
        raise refuse(field, "tokens_many", count=len(tokens), limit=limits.TOKENS)
    return tuple(tokens)


def vectors_of(scenario: Scenario, tokens: Sequence[Token], sizes: Sizes) -> Any:
    """Each token's vector: a row of x, a word of the table, or a toy vector. Shape: (n, d_model)."""
    if scenario.x:
        check_shape("x", scenario.x, (sizes.n_q, sizes.d_model))
        return scenario.x
    return looked_up(scenario, tokens, sizes)


def looked_up(scenario: Scenario, tokens: Sequence[Token], sizes: Sizes) -> Any:
    """Each token's vector from the table, or its toy vector. Shape: (n, d_model)."""
    table = scenario.table or {}
    for word, row in table.items():
        if len(row) != sizes.d_model:
            raise refuse("table", "table_width", word=word, length=len(row), d_model=sizes.d_model)
    rows = by_word(table)
    return [rows.get(same_word(token.text), _toy_row(scenario, token, sizes)) for token in tokens]


def _toy_row(scenario: Scenario, token: Token, sizes: Sizes) -> Any:
    return toy_vector(token.text, sizes.d_model, scenario.seed, scenario.toy)


def learned_matrix(scenario: Scenario, sizes: Sizes, name: str) -> Array:
    """A matrix of attention: as given, or a toy one. Errors: Refusal naming the shape given and needed."""
    rows = sizes.n_heads * sizes.d_v if name == "w_o" else sizes.d_model
    heads = sizes.n_heads if name == "w_q" else sizes.n_kv_heads
    columns = sizes.d_model if name == "w_o" else heads * sizes.d_head
    matrix = getattr(scenario, name)
    if matrix is None:
        return toy(scenario, name, rows, columns)
    if isinstance(matrix, str):
        return parameter(named_matrix(name, matrix, rows, columns, scenario.toy))
    check_shape(name, matrix, (rows, len(matrix[0]) if name == "w_o" else columns))
    return parameter(matrix)


def toy(scenario: Scenario, name: str, rows: int, columns: int) -> Array:
    """A toy matrix in the place of a learned one. Shape: (rows, columns)."""
    return parameter(toy_matrix(name, rows, columns, scenario.seed, scenario.toy))


def toy_parameters(scenario: Scenario, shapes: Shapes, prefix: str) -> Parameters:
    """Toy numbers for all that a layer would have learned: γ all 1, β and biases all 0, matrices from the seed."""
    return {name: _toy_parameter(scenario, f"{prefix}.{name}", shape) for name, shape in shapes.items()}


def _toy_parameter(scenario: Scenario, name: str, shape: tuple[int, ...]) -> Any:
    if len(shape) == 1:
        return np.ones(shape) if entry_of(name).origin == "ones" else np.zeros(shape)
    own = getattr(scenario, name.rpartition(".")[2], None)
    if isinstance(own, str):
        return named_matrix(name, own, shape[0], shape[1], scenario.toy)
    if own is not None:
        check_shape(name.rpartition(".")[2], own, (shape[0], shape[1]))
        return np.array(own)
    rows, columns = shape
    return toy_matrix(name, rows, columns, scenario.seed, scenario.toy)


def check_shape(name: str, matrix: Sequence[Sequence[float]], needed: tuple[int, int]) -> None:
    shape = (len(matrix), len(matrix[0]))
    if shape != needed:
        raise refuse(name, "shape", given=f"{shape[0]} × {shape[1]}", needed=f"{needed[0]} × {needed[1]}")


def names_of(name: str, labels: tuple[str, ...] | None, count: int) -> tuple[str, ...]:
    """Labels for rows: as given, or numbers from 1."""
    if labels is None:
        return tuple(str(number) for number in range(1, count + 1))
    if len(labels) != count:
        raise refuse(name, "labels_count", given=len(labels), needed=count)
    return labels


def check_components(scenario: Scenario, sizes: Sizes) -> None:
    for name, labels, width in (("labels_d", scenario.labels_d, sizes.d_head), ("labels_v", scenario.labels_v, sizes.d_v)):
        if labels is not None and len(labels) != width:
            raise refuse(name, "labels_count", given=len(labels), needed=width)
