"""The command line: ``python -m app`` starts the server and prints its address."""

import argparse
import os
import socket
import sys


def main() -> None:
    """Start the server."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy loads
    options = _arguments().parse_args()
    if options.lan:
        options.host = "0.0.0.0"
    workers = options.workers or (_WORKERS_IN_A_ROOM if options.lan else 1)
    from app.web import server

    try:
        server.check_port(options.host, options.port)
    except server.PortTaken as taken:
        sys.exit(_taken(taken.port, taken.free))
    if options.lan:
        _let_pages_know(options.port)
    server.serve(options.host, options.port, workers, lambda: _announce(options))


_WORKERS_IN_A_ROOM = 2
"""Processes that answer a class: where one is busy or ends, the other goes on."""


def _taken(port: int, free: int | None) -> str:
    advice = f"Try: --port {free}" if free else "Choose another with --port."
    return f"Port {port} is taken by another program (perhaps Haibun is running already). {advice}"


def _announce(options: argparse.Namespace) -> None:
    """Print where the server answers."""
    host = f"[{options.host}]" if ":" in options.host else options.host
    here = "localhost" if options.host in ("0.0.0.0", "::") else host
    print(f"Haibun: http://{here}:{options.port}/", flush=True)
    if options.lan:
        _open_to_the_room(options.port)


def _let_pages_know(port: int) -> None:
    """Tell the processes that answer that the room can reach them."""
    from app.web import lan

    os.environ[lan.PORT] = str(port)


def _open_to_the_room(port: int) -> None:
    """Print under which addresses the room reaches this machine."""
    from app.language.words import choose_language, words_of
    from app.web import lan
    from app.web.qr import terminal_qr

    spoken = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    words = words_of(choose_language(spoken[:2]))
    found = [f"{lan.with_port(address, port)}/" for address in lan.addresses()]
    if not found:
        print(words("room.none"), flush=True)
        return
    print(words("room.open", address=found[0]), flush=True)
    if _shows_blocks():
        print(terminal_qr(found[0], sys.stdout.isatty()), flush=True)
    if found[1:]:
        print(words("room.others", addresses="  ".join(found[1:])), flush=True)


def _shows_blocks() -> bool:
    """True where the terminal can write the half blocks that the code is made of."""
    try:
        "▀▄█".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="haibun", description="Attention, step by step, with true numbers.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--host", type=_host, default="127.0.0.1", help="address to listen on (default: %(default)s)")
    where.add_argument("--lan", action="store_true", help="open to phones in this room: print its address and QR code")
    parser.add_argument("--port", type=_port, default=8000, help="port to listen on (default: %(default)s)")
    parser.add_argument("--workers", type=_workers, help="processes that answer (default: 1; with --lan 2)")
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
