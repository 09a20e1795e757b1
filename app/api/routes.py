"""The JSON API, version 1: routes only."""

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.address.presentation import Presentation, find_place
from app.api.openapi import COMPARE, EXPLAIN, FIGURE, GET_ATTENTION, GRADIENT, POST_ATTENTION, POST_FIGURE
from app.api.requests import (
    CellToExplain,
    CellToFollow,
    ComparisonRequest,
    ExplainRequest,
    GradientRequest,
    TwoScenarios,
    comparison_in,
)
from app.drawing.comparison_sides import head_in, read_side, run_of, side_ink
from app.drawing.heatmaps import make_figure
from app.drawing.space import has_space, make_space, make_space_figure, read_turn
from app.drawing.theme import drawn_in
from app.errors import refuse
from app.glossary import SPACE
from app.run.run import Run, compute
from app.sheet.comparison_json import make_comparison
from app.sheet.slopes import find_influence, make_gradient
from app.sheet.spoken import make_spoken_why
from app.sheet.steps import make_sheet
from app.web.answers import json_response
from app.web.dependencies import AnyScenario, JsonScenario, QueryScenario, ScenarioRequest
from app.web.lane import by_size, is_large

router = APIRouter(prefix="/api/v1", tags=["attention"])


@router.get("/attention", **GET_ATTENTION)
async def get_attention(request: Request, asked: QueryScenario) -> Response:
    """Every step of attention for a scenario given in the query string."""
    return await by_size(request, is_large(asked.all), _sheet, asked)


@router.post("/attention", **POST_ATTENTION)
async def post_attention(request: Request, asked: JsonScenario) -> Response:
    """Every step of a scenario given as a JSON object; matrices are nested lists, the table is an object."""
    return await by_size(request, is_large(asked.all), _sheet, asked)


@router.get("/attention/explain", **EXPLAIN)
async def explain(request: Request, cell: CellToExplain) -> Response:
    """Where one number comes from: its written-out arithmetic, each operand with the cell it was read from."""
    return await by_size(request, is_large(cell.asked.all), _explain, cell)


@router.get("/attention/gradient", **GRADIENT)
async def gradient(request: Request, cell: CellToFollow) -> Response:
    """What one number depends on: how much it grows when any number before it grows by 1."""
    return await by_size(request, is_large(cell.asked.all), _gradient, cell)


@router.get("/attention/compare", **COMPARE)
async def compare_two(request: Request, two: TwoScenarios) -> Response:
    """Two scenarios side by side: B is the query, A the pin beside it."""
    return await by_size(request, is_large({**two.b.given(), "pin": "-"}) or is_large(two.a.given()), _compare, two)


@router.get("/figures/{step}", **FIGURE)
async def figure(request: Request, step: str, asked: AnyScenario) -> Response:
    """One step as a Plotly figure, ready for ``Plotly.newPlot``; with ``of``, the slopes of that cell in its numbers."""
    return await by_size(request, is_large(asked.all), _figure, asked, step)


@router.post("/figures/{step}", **POST_FIGURE)
async def post_figure(request: Request, step: str, asked: AnyScenario) -> Response:
    """A step as a Plotly figure, for a scenario too long for an address: posted as a JSON object or as a form."""
    return await figure(request, step, asked)


def _sheet(asked: ScenarioRequest) -> Response:
    return json_response(make_sheet(compute(asked.scenario), asked.words))


def _explain(cell: ExplainRequest) -> Response:
    return json_response(make_spoken_why(compute(cell.asked.scenario), cell.step, cell.index, cell.asked.words))


def _gradient(cell: GradientRequest) -> Response:
    return json_response(make_gradient(find_influence(compute(cell.asked.scenario), cell.cell)))


def _compare(two: ComparisonRequest) -> Response:
    return json_response(make_comparison(two.compare()))


def _figure(asked: ScenarioRequest, step: str) -> Response:
    return json_response(_draw_side(asked, step) if asked.presentation.beside.side else _draw(asked, step))


def _draw(asked: ScenarioRequest, step: str) -> dict[str, Any]:
    run, presentation = compute(asked.scenario), asked.presentation
    if step == SPACE and has_space(run):
        word = find_place(run, presentation.with_(at=SPACE), space=True).index[0]
        return make_space_figure(
            make_space(run), asked.words, drawn_in(presentation.reader.theme), word, read_turn(presentation.target.turn)
        )
    _check_step(run, step)
    influence = find_influence(run, presentation.beside.of) if presentation.beside.of else None
    return make_figure(run, step, asked.words, drawn_in(presentation.reader.theme), _head(run, step, presentation), influence)


def _draw_side(asked: ScenarioRequest, step: str) -> dict[str, Any]:
    """One of two compared scenarios, or their difference."""
    comparison, words = comparison_in(asked).compare(), asked.words
    side = read_side(asked.presentation.beside.side)
    run = run_of(comparison, side)
    _check_step(run, step)
    head = head_in(comparison, step, side, _head(comparison.b, step, asked.presentation) if step in comparison.b.steps else None)
    return make_figure(
        run, step, words, drawn_in(asked.presentation.reader.theme), head, ink=side_ink(comparison, step, side, words)
    )


def _check_step(run: Run, step: str) -> None:
    if step not in run.steps:
        raise refuse("step", "step_unknown", step=step, steps=", ".join(run.steps))


def _head(run: Run, step: str, presentation: Presentation) -> int | None:
    """The head asked for, or all."""
    if presentation.target.head in ("", "all"):
        return None
    shape = run.shape(step)
    count = shape[0] if len(shape) == 3 else 1
    if not (
        presentation.target.head.isascii()
        and presentation.target.head.isdigit()
        and len(presentation.target.head) < 6
        and int(presentation.target.head) < count
    ):
        raise refuse("head", "head_unknown", given=presentation.target.head, count=count)
    return int(presentation.target.head) if len(shape) == 3 else None
