"""What the routes of the API take beside a scenario: a cell, a cell to follow back, a second scenario, a figure."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from app.address.pin import is_pinned, pinned_scenario, run_pinned
from app.core.operations.explain import Index
from app.errors import refuse
from app.run.run import compute
from app.scenario.table import Scenario
from app.sheet.comparison import Comparison, compare
from app.sheet.why import parse_index
from app.web.dependencies import QueryScenario, ScenarioRequest, scenario_in
from app.web.requests import Pairs, language_of, query_pairs


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """A scenario, and the cell that is asked about."""

    asked: ScenarioRequest
    step: str
    index: Index


async def read_explain(request: Request) -> ExplainRequest:
    """Read the scenario and the cell. Errors: Refusal."""
    pairs, given = _take(query_pairs(request), "step", "index")
    asked = scenario_in(pairs, language_of(request))
    return ExplainRequest(asked, given["step"], parse_index(given["index"]))


@dataclass(frozen=True, slots=True)
class GradientRequest:
    """A scenario, and the cell that is followed back."""

    asked: ScenarioRequest
    cell: str


async def read_gradient(request: Request) -> GradientRequest:
    """Read the scenario and the cell. Errors: Refusal."""
    pairs, given = _take(query_pairs(request), "of")
    return GradientRequest(scenario_in(pairs, language_of(request)), given["of"])


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """Two scenarios: B is the query, A the pin beside it."""

    a: Scenario
    b: Scenario

    def compare(self) -> Comparison:
        """Compute both. Errors: Refusal; for a field of A it names ``pin.mask``."""
        run = compute(self.b)  # first, so that what is wrong with both is said of B
        return compare(run_pinned(self.a), run)


async def read_comparison(asked: QueryScenario) -> ComparisonRequest:
    """Read both scenarios. Errors: Refusal; for a field of A it names ``pin.mask``."""
    return comparison_in(asked)


def comparison_in(asked: ScenarioRequest) -> ComparisonRequest:
    """The scenario and what is pinned beside it. Errors: Refusal where nothing is."""
    if not is_pinned(asked.presentation):
        raise refuse("pin", "missing")
    return ComparisonRequest(pinned_scenario(asked.presentation, asked.scenario.written()), asked.scenario)


def _take(pairs: Pairs, *names: str) -> tuple[Pairs, dict[str, str]]:
    """Part the fields that only this route has. Errors: Refusal for one that is missing."""
    given = {name: text for name, text in pairs if name in names}
    for name in names:
        if name not in given:
            raise refuse(name, "missing")
    return [(name, text) for name, text in pairs if name not in names], given


CellToExplain = Annotated[ExplainRequest, Depends(read_explain)]
CellToFollow = Annotated[GradientRequest, Depends(read_gradient)]
TwoScenarios = Annotated[ComparisonRequest, Depends(read_comparison)]
