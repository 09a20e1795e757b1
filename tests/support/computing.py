"""A query as it is typed, computed."""

from urllib.parse import parse_qsl

from app.run.run import Run, compute
from app.scenario.table import Scenario


def computed(query: str) -> Run:
    return compute(Scenario.from_query(parse_qsl(query, keep_blank_values=True)))
