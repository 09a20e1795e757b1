"""Why this number? The written-out arithmetic of one cell, in words and with links to where each number came from."""

from dataclasses import dataclass, field, replace

import numpy as np

from app.core.operations.explain import Index
from app.core.operations.expression import Expression, Operand
from app.core.operations.numbers import is_rounded, show
from app.core.operations.ops import MatMul
from app.core.record.explanation import Explanation
from app.errors import refuse
from app.glossary import base_of, entry_of
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import check_cell
from app.sheet.labels import axes_of, component_name, lead_of, names_at
from app.sheet.steps import HIDDEN, core_of, operation_of


@dataclass(frozen=True, slots=True)
class Term:
    """An operand of a written-out sum: its number and the cell it was read from."""

    step: str
    index: list[int]
    value: float | str
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class PartOut:
    """A piece of the written-out sum: a sign, or the number of a term (then ``term`` counts it from 0)."""

    text: str
    term: int | None = None


@dataclass(frozen=True, slots=True)
class ProductOut:
    """One product of a sum of products: the places of its two terms, what is summed over, its text and its value."""

    left: int
    right: int
    name: str
    text: str
    value: str


@dataclass(frozen=True, slots=True)
class Why:
    """The answer to: where does this number come from?"""

    step: str
    index: list[int]
    name: str
    value: float | str
    text: str
    expression: str
    relation: str
    note: str
    parts: list[PartOut]
    terms: list[Term]
    products: list[ProductOut] = field(default_factory=list)
    onward: list[Term] = field(default_factory=list)
    spoken: str = ""
    """The answer as a teacher would say it, in words and without signs."""
    _tree: Expression | None = None

    @property
    def tree(self) -> Expression | None:
        """The sum as a tree, for those that set or say it; none where the number was given. No part of the answer in JSON."""
        return self._tree


def make_why(run: Run, step: str, index: Index, words: Words) -> Why:
    """Explain a cell by its sum: files and paper show no more. Errors: Refusal where the step or the cell does not exist."""
    check_cell(run, step, index, "step", "index")
    explanation = run.trace.explain(step, index)
    terms = [_term(run, term.step, term.index, words) for term in explanation.terms]
    return Why(
        step=step,
        index=list(index),
        name=cell_name(run, step, index, words),
        value=_json(explanation.value),
        text=show(explanation.value),
        expression=explanation.expression,
        relation=explanation.relation,
        note=_note(run, step, index, explanation, words),
        parts=_parts(explanation),
        terms=terms,
        _tree=explanation.tree,
    )


def with_ways(run: Run, why: Why, words: Words) -> Why:
    """The explanation with each product on its own line, and with the cells that the cell becomes, one by one."""
    index = tuple(why.index)
    onward = [_term(run, name, index, words) for name in _onward(run, why.step)]
    return replace(why, products=_products(run, why.step, why.terms, words), onward=onward)


def cell_name(run: Run, step: str, index: Index, words: Words) -> str:
    """The name of a cell in words: the query of 走る, component 1 (head 2)."""
    many = len(index) == 3 and run.trace[step].shape[0] > 1
    return word_of(run, step, index, words) + (words(f"cell.{lead_of(step)}", head=index[0] + 1) if many else "")


def word_of(run: Run, step: str, index: Index, words: Words) -> str:
    """The name of a cell by its words alone, without the head."""
    row, column = names_at(run, step, index)
    return words(f"cell.{base_of(step)}", row=row, column=column, number=component_name(run, step, column, words))


def _term(run: Run, step: str, index: Index, words: Words) -> Term:
    value = float(run.trace[step].value[index])
    return Term(step, list(index), _json(value), show(value), cell_name(run, step, index, words))


def _json(value: float) -> float | str:
    return HIDDEN if value == -np.inf else value


def _parts(explanation: Explanation) -> list[PartOut]:
    parts, count = [], 0
    for part in explanation.parts:
        parts.append(PartOut(part.text, count if isinstance(part, Operand) else None))
        count += isinstance(part, Operand)
    return parts


def _products(run: Run, step: str, terms: list[Term], words: Words) -> list[ProductOut]:
    """Each product of a row and a column on its own line; none where a factor is itself worked out of several numbers."""
    product = core_of(run.trace[step])
    if not isinstance(product.operation, MatMul) or len(terms) != 2 * product.inputs[0].shape[-1]:
        return []
    products = []
    for place in range(0, len(terms), 2):
        left, right = float(terms[place].value), float(terms[place + 1].value)
        rounded = any(map(is_rounded, (left, right, left * right)))
        right_text = f"({terms[place + 1].text})" if right < 0 else terms[place + 1].text
        text = f"{terms[place].text} × {right_text} {'≈' if rounded else '='} {show(left * right)}"
        products.append(ProductOut(place, place + 1, _summed_over(run, terms[place], words), text, show(left * right)))
    return products


def _summed_over(run: Run, left: Term, words: Words) -> str:
    """What tells one product of a sum from the next: the word, or the number, of the left factor's column."""
    _, column = names_at(run, left.step, tuple(left.index))
    if axes_of(run, left.step)[-1] in _OF_WORDS:
        return words("number.named", name=column)
    return component_name(run, left.step, column, words)


_OF_WORDS = ("token", "query", "key")


def _note(run: Run, step: str, index: Index, explanation: Explanation, words: Words) -> str:
    """The sentence for a number that is no sum: edited by hand, copied, given or learned."""
    if index in run.trace.edited(step):
        return words("why.edited")
    if explanation.is_copy:
        return words("why.copy", cell=cell_name(run, explanation.terms[0].step, explanation.terms[0].index, words))
    if explanation.parts:
        return words("why.empty") if not explanation.terms and entry_of(step).normalised else ""
    return words(f"why.{run.origin(step, index[-2] if len(index) > 1 else 0)}")


def _onward(run: Run, step: str) -> list[str]:
    """Follow a step through those that are made of it cell by cell, so that every cell keeps its place."""
    chain: list[str] = []
    while following := next((name for name in run.made_first_of(chain[-1] if chain else step) if _is_map(run, name, step)), None):
        chain.append(following)
    return chain


def _is_map(run: Run, name: str, step: str) -> bool:
    array = run.trace[name]
    operation = operation_of(array)
    same = array.shape == run.trace[step].shape and axes_of(run, name) == axes_of(run, step)
    return bool(operation and operation.layout == "map" and same)


def parse_index(text: str) -> Index:
    """Read ``0,2,0`` as an index. Errors: Refusal."""
    places = text.split(",")
    if not all(place.strip().isascii() and place.strip().isdigit() and len(place) < 6 for place in places):
        raise refuse("index", "index_form", given=text)
    return tuple(int(place) for place in places)


def grouped_parts(why: Why) -> list[list[tuple[str, Term | None]]]:
    """The pieces of the sum with their terms, in groups that should not be torn apart at the end of a line."""
    groups: list[list[tuple[str, Term | None]]] = [[]]
    for part in why.parts:
        if part.text in (" + ", " = "):
            groups.append([])
        groups[-1].append((part.text, None if part.term is None else why.terms[part.term]))
    return groups
