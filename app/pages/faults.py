"""Faults: where the program itself fails, the answer says so, in the form and the language of the one who asked."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import Problem
from app.language.words import words_of
from app.pages.frame import message_page
from app.web.answers import problem_response
from app.web.requests import language_of

_FAULT = Problem("request", "fault")


class Faults:
    """Answer where the application raised; the exception goes on, so that the server writes it down.

    It stands inside what puts the headers on, so that such an answer has them too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_and_see(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_see)
        except Exception:
            if scope["type"] == "http" and not started:
                await _answer(Request(scope))(scope, receive, send)
            raise


def _answer(request: Request) -> Response:
    """A page for people, a document for programs: the fault is ours."""
    lang = language_of(request)
    if is_for_program(request):
        return problem_response((_FAULT,), 500, lang)
    words = words_of(lang)
    return message_page(lang, 500, words("fault.title"), [words.problem(_FAULT)])


def is_for_program(request: Request) -> bool:
    """True where a program asks, which takes a document rather than a page."""
    return request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", "")
