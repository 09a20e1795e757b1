"""Words and written-out sums in the letters of LaTeX."""

import re

from app.core.operations.expression import Expression, Masked, Operand
from app.core.operations.numbers import mantissa_and_power
from app.core.record.walk import Walk
from app.sheet.why import Why

_MARKS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{mark: f"\\{mark}" for mark in "$&#_%"},
    **{mark: f"{{{mark}}}" for mark in "[]<>-`'\""},
}
_SIGNS = {
    "×": r"\times ",
    "÷": r"\div ",
    "−": "-",
    "∞": r"\infty ",
    "≈": r"\approx ",
    "→": r"\rightarrow ",
    "∈": r"\in ",
    "∉": r"\notin ",
    "Φ": r"\Phi ",
    "{": r"\{",
    "}": r"\}",
}
_RARE = re.compile("[^\\x00-\u017f\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]")
"""Letters that the fonts of a new document seldom have: printed where they are, else said by their code point."""
_LETTER = r"""\newcommand{\letter}[1]{\ifdefined\Umathchar\iffontchar\font"#1 \char"#1 \else\texttt{U+#1}\fi\else\texttt{U+#1}\fi}
"""
_LETTERS = r"""%% pdflatex has few letters: it prints the code points of others.
%% uplatex prints them; lualatex does where luatexja is there.
\ifdefined\DeclareUnicodeCharacter
\usepackage[T1]{fontenc}
%s
\else\ifdefined\directlua
\IfFileExists{luatexja.sty}{\usepackage{luatexja}}{}
\fi\fi
"""
_KNOWN = {"−": "-", "×": r"\times", "·": r"\cdot", "√": r"\surd", "∞": r"\infty", "→": r"\rightarrow"}


def escape(text: str) -> str:
    """A text that LaTeX prints letter by letter; what is no visible letter becomes a space."""
    return "".join(_MARKS.get(char) or _letter(char) for char in text)


def _letter(char: str) -> str:
    if not char.isprintable():
        return " "
    if "\ufe00" <= char <= "\ufe0f":  # says how the letter before it looks, and is none itself
        return ""
    return rf"\letter{{{ord(char):04X}}}" if _RARE.match(char) else char


def declare(text: str) -> str:
    """For pdflatex, which has few letters: print each other one as its code point."""
    others = sorted({char for char in text if ord(char) > 0x17F or (ord(char) > 0x7E and not char.isalpha())})
    lines = [rf"\DeclareUnicodeCharacter{{{ord(char):04X}}}{{{_fallback(char)}}}" for char in others]
    rare = _LETTER if r"\letter" in text else ""
    return rare + (_LETTERS % "\n".join(lines) if others else "")


def _fallback(char: str) -> str:
    if char in _KNOWN:
        return rf"\ensuremath{{{_KNOWN[char]}}}"
    return "---" if char == "—" else rf"\texttt{{U+{ord(char):04X}}}\allowbreak{{}}"


def sum_of(why: Why) -> str:
    """The written-out sum of a cell as a formula, with what it comes to; the number alone where there is no sum."""
    if why.tree is None or why.expression == why.text:
        return number(why.text)
    written = formula(why.tree)
    return written if isinstance(why.tree, Masked) else f"{written} {_signs(why.relation)} {number(why.text)}"


def formula(tree: Expression) -> str:
    """A written-out sum in LaTeX."""
    walk = _Formula()
    walk.write(tree)
    return "".join(walk.pieces)


def number(text: str) -> str:
    """A printed number: its power of ten raised, its minus as LaTeX writes it."""
    mantissa, power = mantissa_and_power(text.strip("()"))
    written = _signs(mantissa) + (rf"\times 10^{{{_signs(power)}}}" if power else "")
    return f"({written})" if text.startswith("(") else written


def _signs(text: str) -> str:
    return "".join(_SIGNS.get(char, char) for char in text)


class _Formula(Walk):
    """Writes a sum in LaTeX: powers and roots in braces, functions by their names."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def text(self, text: str) -> None:
        self.pieces.append(number(text) if text[:1].isdigit() else _signs(text))

    def operand(self, operand: Operand) -> None:
        self.pieces.append(number(operand.text))

    def name(self, name: str) -> None:
        self.pieces.append(rf"\operatorname{{{escape(name)}}}" if len(name) > 1 else _signs(name))

    def raised(self, base: Expression, exponent: Expression) -> None:
        self.write(base)
        self._braced("^", exponent)

    def rooted(self, of: Expression) -> None:
        self._braced(r"\sqrt", of)

    def _braced(self, before: str, inner: Expression) -> None:
        self.pieces.append(before + "{")
        self.write(inner)
        self.pieces.append("}")
