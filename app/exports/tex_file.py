"""The matrices and one worked sum for LaTeX; amsmath is all that a matrix needs, graphicx shrinks one too large for the page."""

import re
from collections.abc import Iterator
from itertools import product

from app.core.operations.numbers import show
from app.exports.request import ExportRequest
from app.exports.tex_marks import declare, escape, sum_of
from app.exports.tex_marks import number as number_in_tex
from app.run.run import Run
from app.sheet.steps import Sheet, Step, make_sheet
from app.sheet.why import make_why

_PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath}
\setcounter{MaxMatrixCols}{%(columns)d}
\allowdisplaybreaks
%(more)s\begin{document}
\raggedright
"""

_SHRINK = r"""\usepackage{graphicx}
\newsavebox{\matrixbox}
\newcommand{\shrink}[1]{% as large as the page at most
  \sbox\matrixbox{$\displaystyle #1$}%
  \ifdim\wd\matrixbox>\linewidth \sbox\matrixbox{\resizebox{\linewidth}{!}{\usebox\matrixbox}}\fi
  \ifdim\dimexpr\ht\matrixbox+\dp\matrixbox\relax>.9\textheight
    \sbox\matrixbox{\resizebox*{!}{.9\textheight}{\usebox\matrixbox}}\fi
  \usebox\matrixbox}
"""
_COLUMNS, _ROWS = 7, 30
"""A matrix with more of them may be too large for the page."""


def make(request: ExportRequest) -> bytes:
    """The document."""
    sheet = make_sheet(request.run, request.words)
    body = "".join(f"{part}\n\n" for part in (_title(request, sheet), *map(_matrices, sheet.steps), _worked(request)))
    columns = max(step.shape[-1] for step in sheet.steps)
    more = (_SHRINK if r"\shrink" in body else "") + declare(body)
    preamble = _PREAMBLE % {"columns": max(10, columns), "more": more}
    return f"{preamble}{body}\\end{{document}}\n".encode()


def _title(request: ExportRequest, sheet: Sheet) -> str:
    words = " ".join(escape(token.text) for token in sheet.tokens)
    return rf"\section*{{{words or escape(request.words('page.vectors'))}}}"


def _matrices(step: Step) -> str:
    """A heading, and the matrix of each head."""
    heads = range(step.shape[0]) if len(step.shape) == 3 and step.shape[0] > 1 else [None]
    shown = "".join(f"\\[ {_sized(step, f'{_symbol(step, head)} = {_matrix(step, head)}')} \\]\n" for head in heads)
    labels = "; ".join(", ".join(map(escape, names)) for names in step.labels if any(names))
    return f"\\subsection*{{{escape(step.title)} (\\texttt{{{escape(step.name)}}})}}\n{labels}\n{shown}"


def _sized(step: Step, shown: str) -> str:
    large = step.shape[-1] > _COLUMNS or step.shape[-2:-1] > [_ROWS]
    return rf"\shrink{{{shown}}}" if large else shown


def _symbol(step: Step, head: int | None) -> str:
    return step.symbol if head is None else rf"\bigl({step.symbol}\bigr)_{{{head + 1}}}"


def _matrix(step: Step, head: int | None) -> str:
    rows = [" & ".join(map(number, row)) for row in _rows(step, head)]
    return "\\begin{bmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{bmatrix}"


def _rows(step: Step, head: int | None) -> Iterator[list[float | str]]:
    for index in product(*map(range, step.shape[:-1])):
        if head is None or index[0] == head:
            row = step.values
            for place in index:
                row = row[place]
            yield row


def number(value: float | str) -> str:
    """A number as it stands on the page."""
    return number_in_tex(show(float(value)))


def _worked(request: ExportRequest) -> str:
    """The written-out sum of the chosen cell."""
    step, index = request.cell
    why = make_why(request.run, step, index, request.words)
    place = f"\\texttt{{{escape(step)}[{', '.join(map(str, index))}]}}"
    name = escape(re.sub(r"\s+", " ", why.name))
    heading = f"\\subsection*{{{escape(request.words('why.title'))}}}"
    return f"{heading}\n{place} {name}:\n\n${sum_of(why)}$\n\n{escape(why.note)}{_source(request.run, step)}"


def _source(run: Run, step: str) -> str:
    inputs = run.inputs(step)
    return f"\n\n$\\leftarrow$ \\texttt{{{', '.join(map(escape, inputs))}}}" if inputs else ""
