"""Formulas: TeX as a drawing for the eye and as MathML for the screen reader; each is made once."""

from functools import cache

import latex2mathml.converter
import ziamath
from markupsafe import Markup

_SIZE = 26.0


@cache
def formula_html(tex: str) -> Markup:
    """A formula ready for a page. The drawing takes the colour of the text around it."""
    ziamath.config.svg2 = False
    drawing = ziamath.Latex(tex, size=_SIZE, color="currentColor").svg()
    spoken = latex2mathml.converter.convert(tex)
    return Markup(  # noqa: S704 - made from our own TeX, never from what a caller typed
        f'<span class="formula"><span aria-hidden="true">{drawing}</span><span class="unseen">{spoken}</span></span>'
    )
