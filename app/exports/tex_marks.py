"""Words and written-out sums in the letters of LaTeX."""

import re

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
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


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


def formula(expression: str) -> str:
    """A written-out sum as a formula: signs, roots, powers, functions."""
    text = _raised(expression)
    text = re.sub(r"[√^](?=[(−\d])", lambda found: found[0] + "\0", text)
    text = _grouped(text)
    for sign, command in _SIGNS.items():
        text = text.replace(sign, command)
    text = re.sub(r"(?<![\\A-Za-z])[A-Za-z][A-Za-z0-9_]+", _function, text)
    return text.replace("√", r"\sqrt").replace("\1", "{").replace("\2", "}")


def _raised(text: str) -> str:
    return re.sub(r"[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: "^\1" + found[0].translate(_RAISED) + "\2", text)


def _function(found: re.Match[str]) -> str:
    return f"\\operatorname\1{escape(found[0])}\2"


def _grouped(text: str) -> str:
    """Put what stands under a root or in a power into braces: a bracket with all in it, or a number."""
    while (place := text.find("\0")) >= 0:
        end = _end_of_group(text, place + 1)
        text = f"{text[:place]}\1{text[place + 1 : end]}\2{text[end:]}"
    return text


def _end_of_group(text: str, start: int) -> int:
    if text[start] != "(":
        found = re.compile(r"−?[\d.]*").match(text, start)
        return found.end() if found else start
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place + 1
    return len(text)
