"""The pages for people, a folder each, and the table of them: a page is one folder and one row."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the folder whose module ``routes`` answers it, and its path. Its words begin with ``nav.<folder>``."""

    folder: str
    path: str
    in_navigation: bool = False


PAGES = (
    Page("sheet", "/", in_navigation=True),
    Page("forms", "/forms", in_navigation=True),
    Page("worksheet", "/worksheet"),
    Page("class_link", "/class"),
)
"""The pages in the order of the navigation."""
