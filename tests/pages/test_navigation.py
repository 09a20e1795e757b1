"""Every page can be reached: each route is linked from the pages that are, or is left out on purpose."""

import re
from urllib.parse import urlsplit

from starlette.routing import BaseRoute, Mount, Route

from app import pages
from app.web.assets import PLOTLY_ADDRESS
from tests.support.asking import Api

NO_PAGE = {
    "/healthz": "for machines that watch the server",
    PLOTLY_ADDRESS: "fetched by a script when a drawing is turned",
    "/openapi.json": "the document behind /api",
    "/api/v1/attention": "for programs; /api names it",
    "/api/v1/attention/explain": "for programs; /api names it",
    "/api/v1/attention/gradient": "for programs; /api names it",
    "/api/v1/attention/compare": "for programs; /api names it",
    "/api/v1/figures/{step}": "for programs and the sheet's scripts",
}
HIDDEN = {"/static-offline-docs", "/docs", "/docs/oauth2-redirect", "/redoc"}
"""What the framework adds to show /api."""
PAGES = {*(page.path for page in pages.PAGES if page.path != "/"), "/api"}
QUERY = "text=the dog runs&pin=mask%3Dcausal&lang=en"


def paths(routes: list[BaseRoute]) -> set[str]:
    """The addresses of routes, and of those of routers among them, which the newest FastAPI keeps as they are."""
    own = {route.path for route in routes if isinstance(route, Route | Mount)}
    return own.union(*(paths(route.original_router.routes) for route in routes if hasattr(route, "original_router")))


def linked(page: str) -> set[str]:
    found = re.findall(r'(?:href|action|formaction|src|data-\w+)="(/[^"]*)"', page)
    return {urlsplit(address).path for address in found}


def test_every_route_is_linked_or_left_out_on_purpose(api: Api) -> None:
    waiting, seen = ["/"], dict[str, set[str]]()
    while waiting:
        path = waiting.pop()
        answer = api.get(path, QUERY)
        assert answer.status_code == 200, path
        seen[path] = linked(answer.text)
        waiting += [link for link in seen[path] & PAGES if link not in {*seen, *waiting}]
    found = set().union(*seen.values())
    for route in paths(api.app.routes) - set(NO_PAGE) - HIDDEN:
        pattern = re.sub(r"\\\{\w+(:path)?\\\}", ".+", re.escape(route)) + ("(/.*)?" if route in ("/assets", "/static") else "")
        assert any(re.fullmatch(pattern, link) for link in found), f"no page links to {route}"


def test_what_is_left_out_is_still_there(api: Api) -> None:
    assert set(NO_PAGE) <= paths(api.app.routes)
