"""Cross origin: pages from elsewhere may ask the JSON API and fetch files, since nothing is stored and nobody signs in."""

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

_OPEN = ("/api/v1/", "/export.", "/openapi.json")
"""How the paths begin that programs of other origins may ask."""
_DAY = 86_400


class OpenToPrograms:
    """Let other origins read what is made for programs; pages stay with their own origin."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.opened = CORSMiddleware(
            app,
            allow_origins=["*"],
            allow_methods=["GET", "POST"],
            allow_headers=["Content-Type", "Accept-Language"],
            max_age=_DAY,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        for_programs = scope["type"] == "http" and scope["path"].startswith(_OPEN)
        await (self.opened if for_programs else self.app)(scope, receive, send)
