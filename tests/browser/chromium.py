"""Where the browser is, and how it is started."""

import os
import shutil
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
OTHER_HOST = "classroom.test"
"""Another name under which the browser finds this machine, as on a classroom's network."""
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--no-proxy-server",
    f"--host-resolver-rules=MAP {OTHER_HOST} 127.0.0.1",
]


def find_browser() -> str | None:
    """The browser of the machine; None where there is only Playwright's own, or none."""
    wanted = os.environ.get("CHROMIUM")
    return wanted or next((path for name in NAMES if (path := shutil.which(name))), None)


def launch_args() -> dict[str, Any]:
    """How to start it. As root there is no sandbox."""
    path = find_browser()
    flags = [*FLAGS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    return {"args": flags, **({"executable_path": path} if path else {})}
