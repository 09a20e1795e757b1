"""Worksheet: one scenario on paper, with blanks to fill in and the answers on a page of their own."""

from app.worksheet.blanks import LEVELS
from app.worksheet.maker import STEPS, make_worksheet
from app.worksheet.paper import PAPERS
from app.worksheet.parts import Worksheet

__all__ = ["LEVELS", "PAPERS", "STEPS", "Worksheet", "make_worksheet"]
