"""The JSON API, version 1: routes only."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.address.pin import is_pinned, pinned_scenario, run_pinned
from app.address.presentation import Presentation, find_place, part_fields, split_fields
from app.api.openapi import COMPARE, EXPLAIN, FIGURE, GET_ATTENTION, GRADIENT, POST_ATTENTION, POST_FIGURE
from app.drawing.comparison_sides import head_in, read_side, run_of, side_ink
from app.drawing.heatmaps import make_figure
from app.drawing.space import has_space, make_space, make_space_figure, read_turn
from app.errors import refuse
from app.glossary import SPACE
from app.language.words import Words, words_of
from app.run.run import Run, compute
from app.scenario.table import Scenario
from app.sheet.comparison import Comparison, compare
from app.sheet.comparison_json import make_comparison
from app.sheet.slopes import find_influence, make_gradient
from app.sheet.spoken import make_spoken_why
from app.sheet.steps import make_sheet
from app.sheet.why import parse_index
from app.web.answers import computed, followed_back, is_quick, json_response
from app.web.requests import Pairs, json_fields, language_of, query_pairs, remember_language, scenario_of

T = TypeVar("T")
router = APIRouter(prefix="/api/v1", tags=["attention"])


@router.get("/attention", **GET_ATTENTION)
async def get_attention(request: Request) -> Response:
    """Every step of attention for a scenario given in the query string."""
    scenario = Scenario.from_query(split_fields(query_pairs(request))[0])
    return await _sheet(scenario, language_of(request))


@router.post("/attention", **POST_ATTENTION)
async def post_attention(request: Request) -> Response:
    """Every step of a scenario given as a JSON object; matrices are nested lists, the table is an object."""
    query_pairs(request)
    fields, presentation = part_fields(await json_fields(request))
    remember_language(request, presentation.lang)
    return await _sheet(Scenario.check(fields), language_of(request))


@router.get("/attention/explain", **EXPLAIN)
async def explain(request: Request) -> Response:
    """Where one number comes from: its written-out arithmetic, each operand with the cell it was read from."""
    pairs, asked = _take(query_pairs(request), "step", "index")
    scenario = Scenario.from_query(split_fields(pairs)[0])
    index = parse_index(asked["index"])
    words = words_of(language_of(request))
    return json_response(await computed(scenario, lambda: make_spoken_why(compute(scenario), asked["step"], index, words)))


@router.get("/attention/gradient", **GRADIENT)
async def gradient(request: Request) -> Response:
    """What one number depends on: how much it grows when any number before it grows by 1."""
    pairs, asked = _take(query_pairs(request), "of")
    scenario = Scenario.from_query(split_fields(pairs)[0])
    made = await computed(scenario, lambda: compute(scenario))
    return json_response(make_gradient(await followed_back(made, asked["of"])))


@router.get("/attention/compare", **COMPARE)
async def compare_two(request: Request) -> Response:
    """Two scenarios side by side: B is the query, A the pin beside it."""
    pairs, presentation = split_fields(query_pairs(request))
    return json_response(await _compared(Scenario.from_query(pairs), presentation, make_comparison))


@router.get("/figures/{step}", **FIGURE)
async def figure(request: Request, step: str) -> Response:
    """One step as a Plotly figure, ready for ``Plotly.newPlot``; with ``of``, the slopes of that cell in its numbers."""
    return await _figure(request, step)


@router.post("/figures/{step}", **POST_FIGURE)
async def post_figure(request: Request, step: str) -> Response:
    """A step as a Plotly figure, for a scenario too long for an address: posted as a JSON object or as a form."""
    return await _figure(request, step)


async def _figure(request: Request, step: str) -> Response:
    scenario, presentation = await scenario_of(request)
    words = words_of(language_of(request))
    theme = "dark" if presentation.theme == "dark" else "light"
    if presentation.side:
        return json_response(
            await _compared(scenario, presentation, lambda found: _draw_side(found, step, presentation, words, theme))
        )

    def draw() -> dict[str, Any]:
        run = compute(scenario)
        if step == SPACE and has_space(run):
            word = find_place(run, replace(presentation, at=SPACE), space=True).index[0]
            return make_space_figure(make_space(run), words, theme, word, read_turn(presentation.turn))
        _check_step(run, step)
        influence = find_influence(run, presentation.of) if presentation.of else None
        return make_figure(run, step, words, theme, _head(run, step, presentation), influence)

    return json_response(await computed(scenario, draw))


async def _compared(b: Scenario, presentation: Presentation, work: Callable[[Comparison], T]) -> T:
    """Compute both scenarios and do something with them. Errors: Refusal; for a field of A it names ``pin.mask``."""
    if not is_pinned(presentation):
        raise refuse("pin", "missing")
    a = pinned_scenario(presentation, b.written())
    larger = b if is_quick(a) else a
    return await computed(larger, lambda: work(_both(a, b)))


def _both(a: Scenario, b: Scenario) -> Comparison:
    run = compute(b)  # first, so that what is wrong with both is said of B
    return compare(run_pinned(a), run)


def _draw_side(comparison: Comparison, step: str, presentation: Presentation, words: Words, theme: str) -> dict[str, Any]:
    side = read_side(presentation.side)
    run = run_of(comparison, side)
    _check_step(run, step)
    head = _head(comparison.b, step, presentation) if step in comparison.b.trace else None
    return make_figure(
        run, step, words, theme, head_in(comparison, step, side, head), ink=side_ink(comparison, step, side, words)
    )


def _check_step(run: Run, step: str) -> None:
    if step not in run.trace:
        raise refuse("step", "step_unknown", step=step, steps=", ".join(run.trace))


async def _sheet(scenario: Scenario, lang: str) -> Response:
    return json_response(await computed(scenario, lambda: make_sheet(compute(scenario), words_of(lang))))


def _head(run: Run, step: str, presentation: Presentation) -> int | None:
    """The head asked for, or all."""
    if presentation.head in ("", "all"):
        return None
    shape = run.trace[step].shape
    count = shape[0] if len(shape) == 3 else 1
    if not (
        presentation.head.isascii()
        and presentation.head.isdigit()
        and len(presentation.head) < 6
        and int(presentation.head) < count
    ):
        raise refuse("head", "head_unknown", given=presentation.head, count=count)
    return int(presentation.head) if len(shape) == 3 else None


def _take(pairs: Pairs, *names: str) -> tuple[Pairs, dict[str, str]]:
    """Part the fields that only this route has. Errors: Refusal for one that is missing."""
    asked = {name: text for name, text in pairs if name in names}
    for name in names:
        if name not in asked:
            raise refuse(name, "missing")
    return [(name, text) for name, text in pairs if name not in names], asked
