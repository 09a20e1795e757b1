"""Formulas: TeX as a drawing for the eye and as MathML for the screen reader; each is made once."""

from functools import cache

import latex2mathml.converter
from markupsafe import Markup
from ziamath.config import config
from ziamath.zmath import Latex

_SIZE = 26.0
config.svg2 = False  # every drawing stands alone: no symbols shared by id within a page


@cache
def formula_drawing(tex: str) -> str:
    """A formula as outlines in SVG, in the colour of the text around it."""
    drawing: str = Latex(tex, size=_SIZE, color="currentColor").svg()
    return drawing


@cache
def formula_html(tex: str) -> Markup:
    """A formula ready for a page. The drawing takes the colour of the text around it."""
    drawing = formula_drawing(tex)
    spoken = latex2mathml.converter.convert(tex)
    seen, said = f'<span aria-hidden="true">{drawing}</span>', f'<span class="unseen">{spoken}</span>'
    return Markup(f'<span class="formula" translate="no">{seen}{said}</span>')
