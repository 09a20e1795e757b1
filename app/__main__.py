"""The command line: ``python -m app`` starts the server and prints its address."""

import argparse
import os
import socket


def main() -> None:
    """Start the server."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy loads
    asked = _arguments().parse_args()
    import uvicorn

    host = f"[{asked.host}]" if ":" in asked.host else asked.host
    print(f"Haibun: http://{'localhost' if asked.host in ('0.0.0.0', '::') else host}:{asked.port}/", flush=True)
    uvicorn.run("app.main:create_app", factory=True, host=asked.host, port=asked.port, workers=asked.workers, log_level="warning")


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="haibun", description="Attention, step by step, with true numbers.")
    parser.add_argument("--host", type=_host, default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=8000, help="port to listen on (default: %(default)s)")
    parser.add_argument("--workers", type=_workers, default=1, help="processes that answer (default: %(default)s)")
    return parser


def _host(text: str) -> str:
    """A name or number of this machine. Errors: ArgumentTypeError where it leads nowhere."""
    try:
        socket.getaddrinfo(text or "?", None)
    except (OSError, UnicodeError):
        raise argparse.ArgumentTypeError(f"there is no address {text[:40]!r}") from None
    return text


def _port(text: str) -> int:
    return _between(text, 1, 65535)


def _workers(text: str) -> int:
    return _between(text, 1, 64)


def _between(text: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and low <= int(text) <= high):
        raise argparse.ArgumentTypeError(f"a whole number from {low} to {high} is needed, not {text[:40]}")
    return int(text)


if __name__ == "__main__":
    main()
