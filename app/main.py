"""The application: routes, headers, errors."""

from importlib import import_module
from typing import Any

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send
from threadpoolctl import threadpool_limits

from app import limits
from app.api import openapi
from app.api import routes as api
from app.api.calls import as_markdown
from app.errors import Problem, Refusal
from app.exports import EXPORTS
from app.language.words import DEFAULT, Words, words_of
from app.pages import PAGES, downloads
from app.pages.faults import Faults, is_for_program
from app.pages.frame import message_page
from app.web import assets
from app.web.answers import json_response, problem_response, refusal_handler
from app.web.cross_origin import OpenToPrograms
from app.web.lane import make_lane
from app.web.packing import AcceptedEncodings
from app.web.page_cache import make_page_cache
from app.web.requests import language_of
from app.web.server import leave_promptly

_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src-elem 'self'; style-src-attr 'unsafe-inline'; "
    "frame-ancestors 'self'; base-uri 'self'; object-src 'none'; form-action 'self'"
)
_API_PAGE_POLICY = (  # the API page, made by FastAPI, starts itself with a script in the page
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'; "
    "frame-ancestors 'self'; base-uri 'self'; object-src 'none'; form-action 'self'"
)
_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}

_ROUTERS = (
    api.router,
    *(import_module(f"app.pages.{page.folder}.routes").router for page in PAGES),
    downloads.router,
    assets.router,
)


class SafeHeaders:
    """Put the headers on every answer that keep the page to its own origin."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Content-Security-Policy"] = _API_PAGE_POLICY if scope["path"] == "/api" else _POLICY
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def create_served_app() -> FastAPI:
    """The application of a process that does nothing else, and ends when the application does."""
    return create_app(lifespan=leave_promptly)


def create_app(lifespan: Lifespan[FastAPI] | None = None) -> FastAPI:
    """Put the application together. Matrices of this size are fastest on one BLAS thread."""
    threadpool_limits(1)
    words = words_of(DEFAULT)
    endings = ", ".join(f"`.{ending}`" for ending in EXPORTS)
    app = FastAPIOffline(
        docs_url="/api",
        redoc_url=None,
        title=words("api.title"),
        description="\n\n".join((words("api.description"), _bounds(words), words("api.exports", endings=endings), as_markdown())),
        version="1",
        redirect_slashes=False,
        swagger_ui_parameters={"defaultModelsExpandDepth": 0},
        favicon_url=assets.asset("icon.svg"),
        lifespan=lifespan,
    )
    app.state.page_cache, app.state.lane = make_page_cache(), make_lane()
    for router in _ROUTERS:
        app.include_router(router)
    app.mount("/static", assets.Static(directory=assets.STATIC), name="static")
    app.add_api_route("/healthz", healthz, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_exception_handler(Refusal, refusal_handler)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_middleware(Faults)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=1)
    app.add_middleware(OpenToPrograms)
    app.add_middleware(SafeHeaders)
    app.add_middleware(AcceptedEncodings)
    _complete_openapi(app)
    return app


def _bounds(words: Words) -> str:
    """The bounds of a whole answer, which no single field has in its schema."""
    return words("api.bounds", steps=limits.STEPS, numbers=limits.RECORD, explained=limits.EXPORT_CELLS, blanks=limits.BLANKS)


async def healthz() -> Response:
    """Say that the server runs, without computing."""
    return json_response({"status": "ok"})


def _complete_openapi(app: FastAPI) -> None:
    made = app.openapi
    document: dict[str, Any] = {}

    def openapi_document() -> dict[str, Any]:
        if not document:
            document.update(openapi.complete(made()))
        return document

    app.openapi = openapi_document  # type: ignore[method-assign]


async def _http_error(request: Request, error: Exception) -> Response:
    """An unknown address or method: a document for programs, a page for people."""
    assert isinstance(error, HTTPException)
    lang = language_of(request)
    code = {404: "not_found", 405: "method"}.get(error.status_code, "invalid")
    problem = Problem("path" if error.status_code == 404 else "request", code)
    if is_for_program(request):
        response = problem_response((problem,), error.status_code, lang)
    else:
        response = message_page(lang, error.status_code, words_of(lang).problem(problem), [])
    response.headers.update(error.headers or {})
    return response
