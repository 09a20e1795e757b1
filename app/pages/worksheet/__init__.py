"""Worksheet: one scenario on paper, with blanks to fill in and the answers on a page of their own."""

from app.pages.worksheet.blanks import LEVELS
from app.pages.worksheet.maker import STEPS, make_worksheet
from app.pages.worksheet.paper import PAPERS
from app.pages.worksheet.parts import Worksheet

__all__ = ["LEVELS", "PAPERS", "STEPS", "Worksheet", "make_worksheet"]
