"""The short code that gives these numbers, in NumPy or in PyTorch."""

import numpy as np

from app.exports.code.code import lines, variable
from app.exports.code.dialects import NUMPY, TORCH, Dialect
from app.exports.code.helpers import needed
from app.exports.request import ExportRequest
from app.glossary import base_of
from app.run.run import Run


def make(request: ExportRequest) -> bytes:
    """Write a program in NumPy that checks its last step against the sheet and prints it."""
    return written_in(NUMPY, request)


def make_torch(request: ExportRequest) -> bytes:
    """Write the scenario as a short PyTorch program."""
    return written_in(TORCH, request)


def written_in(dialect: Dialect, request: ExportRequest) -> bytes:
    """The code of every step, and of the functions that it calls."""
    steps = list(lines(request.run, dialect))
    code = "\n".join(line.code for line in steps)
    shown = [f"# {request.words(f'step.{base_of(line.step)}.title')}\n{line.code}" for line in steps]
    tokens = [token.text for token in request.run.tokens]
    parts = [
        dialect.head,
        "\n\n" + "\n\n\n".join(needed(code, dialect.helpers)) + "\n\n",
        *([f"tokens = {tokens!r}"] if tokens else []),
        *shown,
        f"# {request.words('export.code_check')}\n{_check(request.run, steps[-1].step, dialect)}",
        f"print({variable(steps[-1].step)})",
    ]
    return ("\n".join(parts) + "\n").encode()


def _check(run: Run, step: str, dialect: Dialect) -> str:
    """Write an assertion that the last step is what the sheet shows; its tolerance grows with the numbers."""
    expected = run.values(step)
    largest = float(np.abs(expected[np.isfinite(expected)]).max(initial=1))
    near = f"rtol=1e-9, atol={1e-9 * largest:g}"
    return f"expected = {dialect.literal(expected)}\nassert {dialect.module}.allclose({variable(step)}, expected, {near})"
