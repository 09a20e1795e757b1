"""What goes out: JSON without NaN, and one shape of error (RFC 9457)."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

import orjson
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from app import limits
from app.errors import Problem, Refusal
from app.language.words import Words, words_of
from app.run.run import Run
from app.scenario.table import Scenario
from app.sheet.slopes import Influence, find_influence
from app.web.requests import language_of

T = TypeVar("T")


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


async def computed(scenario: Scenario, work: Callable[[], T], steps: int = 0) -> T:
    """Do small work at once and large work in another thread, so that nobody waits for somebody else's sentence."""
    quick = is_quick(scenario) and steps <= limits.QUICK_STEPS
    return work() if quick else await to_thread.run_sync(work)


async def followed_back(run: Run, text: str) -> Influence:
    """Compute the gradient of a cell in a thread of its own where it is large. Errors: Refusal of the field ``of``."""
    return await computed(run.scenario, lambda: find_influence(run, text), len(list(run.trace)))


def is_quick(scenario: Scenario) -> bool:
    """Estimate, before computing, whether a scenario has few scores."""
    rows = max(len(scenario.q or ()), len(scenario.x or ()), min(len(scenario.text or ""), limits.TOKENS))
    keys = len(scenario.k or ()) or rows
    return rows * keys * (scenario.n_heads or 2) <= limits.QUICK_CELLS
