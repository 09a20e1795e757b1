"""One page that opens from the disk without a network: every step as a table, and every number still answers why."""

from dataclasses import dataclass
from itertools import product
from typing import Any

from markupsafe import Markup

from app import limits
from app.core.operations.explain import Index
from app.core.operations.numbers import show
from app.drawing.formulas import formula_html
from app.drawing.picture import reach, tone_of
from app.drawing.theme import style_sheet
from app.exports.request import ExportRequest
from app.glossary import entry_of
from app.language.words import Words
from app.run.run import Run
from app.sheet.cells import reference
from app.sheet.labels import lead_of
from app.sheet.steps import Step, make_sheet
from app.sheet.why import Why, make_why
from app.text.languages import script_language
from app.web.render import render


@dataclass(frozen=True, slots=True)
class Table:
    """A matrix of a step: of one head, where it has heads."""

    title: str
    columns: list[str]
    rows: list[tuple[str, Markup]]


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the file: one step, with its tables and answers."""

    step: Step
    hue: str
    formula: Markup
    axes: str
    tables: list[Table]
    answers: bool


def make(request: ExportRequest) -> bytes:
    """Write the page as one file with its style and script in it."""
    run, words = request.run, request.words
    sheet = make_sheet(run, words)
    explained = explained_steps(run)
    names = "".join(run.names_q)
    context = {
        "lang": words.lang,
        "text_lang": script_language(names, request.han) or words.lang,
        "style": Markup(style_sheet()),
        "sheet": sheet,
        "sections": [_section(run, step, step.name in explained, words) for step in sheet.steps],
        "answers": {
            "cells": answers(run, explained, words),
            "start": _start(request, explained),
            "here": words("export.not_here"),
        },
        "left_out": ", ".join(name for name in run.steps if name not in explained),
        "limit": limits.EXPORT_CELLS,
    }
    return render("exports/page.html", context).encode()


def explained_steps(run: Run) -> list[str]:
    """Choose the steps whose cells answer why: as many whole steps, in their order, as the bound allows."""
    left, found = limits.EXPORT_CELLS, []
    for name in run.steps:
        if (size := run.values(name).size) <= left:
            found.append(name)
            left -= size
    return found


def _start(request: ExportRequest, explained: list[str]) -> str:
    step, index = request.cell
    return reference(step, index) if step in explained else ""


def answers(run: Run, steps: list[str], words: Words) -> dict[str, dict[str, Any]]:
    """The explanation of every cell, by the name of the cell."""
    cells = ((step, index) for step in steps for index in product(*map(range, run.shape(step))))
    return {reference(step, index): _answer(make_why(run, step, index, words)) for step, index in cells}


def _answer(why: Why) -> dict[str, Any]:
    """Write one explanation. A part of the sum is a text, or the text of an operand and its cell and colour."""
    terms = [(reference(term.step, tuple(term.index)), term) for term in why.terms]
    parts = [
        part.text if part.term is None else [part.text, terms[part.term][0], entry_of(terms[part.term][1].step).hue]
        for part in why.parts
    ]
    answer = {"name": why.name, "value": why.text, "expression": why.expression, "note": why.note, "parts": parts}
    return {key: value for key, value in answer.items() if value}


def _section(run: Run, step: Step, answers: bool, words: Words) -> Section:
    axes = [words(f"axis.{axis}") for axis in step.axes if axis != "one"]
    heads = [(head,) for head in range(step.shape[0])] if len(step.shape) == 3 else [()]
    tables = [_table(run, step, head, answers, words) for head in heads]
    return Section(step, entry_of(step.name).hue, formula_html(step.formula), " × ".join(axes), tables, answers)


def _table(run: Run, step: Step, head: Index, answers: bool, words: Words) -> Table:
    title = words(f"cell.{lead_of(step.name)}_title", head=head[0] + 1) if head and step.shape[0] > 1 else ""
    names = step.labels[-2] if len(step.shape) > 1 else [""]
    most, rows = reach(run, step.name), []
    for number, name in enumerate(names):
        lead = (*head, number) if len(step.shape) > 1 else ()
        cells = (_cell(run, step.name, (*lead, column), most, answers) for column in range(step.shape[-1]))
        rows.append((name, Markup("".join(cells))))
    return Table(title, step.labels[-1], rows)


def _cell(run: Run, step: str, index: Index, most: float, answers: bool) -> str:
    """Write one table cell. There are many, and nothing in them is the reader's: written here and not by the template."""
    value = run.number(step, index)
    tone, strength = tone_of(value, most)
    tone += " edited" if index in run.edited(step) else ""
    tag, tab = ("button", f' type="button" tabindex="{-1 if any(index[-2:]) else 0}"') if answers else ("span", "")
    ref = reference(step, index)
    return f'<td><{tag}{tab} class="c {tone}" data-ref="{ref}" style="--t:{strength:g}">{show(value)}</{tag}></td>'
