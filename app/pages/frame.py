"""The frame of every page: words, language, appearance; and a page that says one thing."""

from typing import Any

from starlette.responses import HTMLResponse, Response

from app.address.links import chosen, top_address
from app.address.presentation import Presentation
from app.language.words import LANGUAGES, words_of
from app.pages import PAGES
from app.web.render import render


def page_frame(lang: str, presentation: Presentation, current: str) -> dict[str, Any]:
    """What every page needs: words, language, appearance, and where the links to other pages lead."""
    reader = chosen(presentation.reader)
    return {
        "lang": lang,
        "explicit_lang": bool(reader.lang),
        "theme": reader.theme,
        "top": top_address(reader),
        "current": current,
        "navigation": [page for page in PAGES if page.in_navigation],
        "languages": [(code, words_of(code)("language.name")) for code in LANGUAGES],
    }


def message_page(lang: str, status: int, title: str, messages: list[str]) -> Response:
    """A page that says one thing, such as that nothing is at this address."""
    context = {**page_frame(lang, Presentation.of(), ""), "title": title, "messages": messages}
    return HTMLResponse(render("message.html", context), status)
