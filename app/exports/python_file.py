"""The short code that gives these numbers, in NumPy."""

from app.exports.asked import Asked
from app.exports.code import lines, variable
from app.exports.dialects import NUMPY
from app.exports.helpers import needed
from app.glossary import base_of


def make(asked: Asked) -> bytes:
    """One file that runs by itself and prints the last step."""
    steps = list(lines(asked.run, NUMPY))
    code = "\n".join(line.code for line in steps)
    shown = [f"# {asked.words(f'step.{base_of(line.step)}.title')}\n{line.code}" for line in steps]
    tokens = [token.text for token in asked.run.tokens]
    parts = [
        NUMPY.head,
        "\n\n" + "\n\n\n".join(needed(code, NUMPY.helpers)) + "\n\n",
        *([f"tokens = {tokens!r}"] if tokens else []),
        *shown,
        f"print({variable(steps[-1].step)})",
    ]
    return ("\n".join(parts) + "\n").encode()
