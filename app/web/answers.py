"""What goes out: JSON without NaN, and one shape of error (RFC 9457)."""

from http import HTTPStatus
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from app.errors import Problem, Refusal
from app.language.words import Words, words_of
from app.web.requests import language_of

HEADERS = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
"""Headers of pages and files: they are asked for anew, and depend on the reader's language."""


def json_response(content: Any, status: int = 200, kind: str = "application/json") -> Response:
    """Answer with JSON; data classes are written as objects."""
    body = orjson.dumps(content, option=orjson.OPT_SERIALIZE_NUMPY)
    return Response(body, status, media_type=kind, headers={"Vary": "Accept-Language"})


def problem_response(problems: tuple[Problem, ...], status: int, lang: str) -> Response:
    """Answer with an error as ``application/problem+json``, in the caller's language."""
    return json_response(problem_document(problems, status, words_of(lang)), status, "application/problem+json")


def problem_document(problems: tuple[Problem, ...], status: int, words: Words) -> dict[str, Any]:
    """The error document: what went wrong, field by field."""
    errors = [_error(problem, words) for problem in problems]
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": " ".join(words.problem(problem) for problem in problems),
        "errors": errors,
    }


def _error(problem: Problem, words: Words) -> dict[str, Any]:
    """Describe one problem, with the nearest possible choice where there is one."""
    error: dict[str, Any] = {"field": problem.field, "message": words.problem(problem)}
    return {**error, "offer": dict([problem.offer])} if problem.offer else error


async def refusal_handler(request: Request, error: Exception) -> Response:
    """Answer a refusal."""
    assert isinstance(error, Refusal)
    return problem_response(error.problems, error.status, language_of(request))
