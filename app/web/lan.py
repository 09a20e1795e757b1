"""LAN: the addresses under which phones on the same network reach this machine. Nothing is sent to find them."""

import ipaddress
import os
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass

import ifaddr

PORT = "HAIBUN_ROOM"
"""The environment variable that holds the port while the server listens on every address (``--lan``)."""
_HOST = re.compile(r"([a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)
_INSIDE = ("lo", "docker", "br-", "veth", "virbr", "cni", "vboxnet", "vmnet")
"""Interfaces that lead to programs on this machine only."""
_FAR = ("10.255.255.254", "192.168.255.254", "172.31.255.254", "203.0.113.1")
"""Addresses to which a route is looked up; no packet is sent."""


@dataclass(frozen=True, slots=True)
class Base:
    """Where links for other people begin. ``trouble``: ``localhost`` or ``no_network`` where phones cannot open them."""

    address: str
    others: tuple[str, ...] = ()
    """All addresses of this machine in the room, where there is a choice."""
    trouble: str = ""

    @property
    def remedy(self) -> str:
        """The command that opens the server to the room."""
        return "sh app/start.sh --lan" if self.trouble == "localhost" else ""


def find_base(scheme: str, host: str, wanted: str = "") -> Base:
    """Where links begin: as the page was opened; opened on this very machine, its address in the room."""
    given = host if is_host(host) else "localhost"
    if not _is_own(given):
        return Base(f"{scheme}://{given}")
    port = open_port()
    if port is None:
        return Base(f"{scheme}://{given}", trouble="localhost")
    found = tuple(with_port(address, port) for address in addresses())
    if not found:
        return Base(f"{scheme}://{given}", trouble="no_network")
    return Base(wanted if wanted in found else found[0], found if len(found) > 1 else ())


def is_host(text: str) -> bool:
    """True for a host name or address, with or without a port: nothing else may stand in a link."""
    found = _HOST.fullmatch(text)
    return found is not None and int((found[2] or ":80")[1:]) <= 65535


def _is_own(host: str) -> bool:
    """True for a name that means this machine wherever it is used."""
    name = host.rpartition(":")[0] if re.search(r"[^:]:\d+$", host) and not host.endswith("]") else host
    name = name.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def open_port() -> int | None:
    """The port on which the server listens for the whole room, if it does."""
    text = os.environ.get(PORT, "")
    return int(text) if text.isascii() and text.isdigit() else None


def with_port(address: str, port: int) -> str:
    """An address as it is typed into a browser."""
    return f"http://{address}" if port == 80 else f"http://{address}:{port}"


def addresses() -> list[str]:
    """The IPv4 addresses of this machine that others can reach, the likeliest first."""
    found = dict.fromkeys([*_by_route(), *_by_interface()])
    kept = [address for address in found if _reachable(address)]
    return [address for address in kept if not _makeshift(address)] or kept


def _by_route() -> Iterator[str]:
    """The address that a packet would leave from. Connecting a UDP socket looks up the route and sends nothing."""
    for far in _FAR:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((far, 9))
            except OSError:
                continue  # no route there
            yield str(probe.getsockname()[0])


def _by_interface() -> Iterator[str]:
    """The IPv4 address of every interface, also where no route leads out of the room."""
    for adapter in ifaddr.get_adapters():
        if not adapter.name.startswith(_INSIDE):
            yield from (address.ip for address in adapter.ips if isinstance(address.ip, str))


def _reachable(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return not (address.is_loopback or address.is_unspecified or address.is_multicast)


def _makeshift(text: str) -> bool:
    """True for an address that a machine gives itself where nobody gives it one."""
    return ipaddress.ip_address(text).is_link_local
