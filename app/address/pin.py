"""Pin: scenario A, kept in the address of scenario B by the fields in which it differs.

``pin=mask=`` beside ``mask=causal`` says that A is the same but for the mask, which is at its default there. A field that
holds ``& % +`` has them percent-encoded, as in any query string; ``pin=-`` says that nothing differs.
"""

from dataclasses import replace
from urllib.parse import parse_qsl

from app.address.presentation import Presentation, split_fields
from app.errors import Refusal, refuse
from app.run.run import Run, compute
from app.scenario.table import Scenario
from app.sheet.comparison import compare_fields

Pairs = list[tuple[str, str]]
NOTHING = "-"


def write_pin(a: Pairs, b: Pairs) -> str:
    """Write the fields in which A differs from B."""
    return "&".join(f"{field.name}={_guard(field.a)}" for field in compare_fields(a, b)) or NOTHING


def _guard(text: str) -> str:
    return text.replace("%", "%25").replace("&", "%26").replace("+", "%2B")


def is_pinned(presentation: Presentation) -> bool:
    """True where a scenario A is asked for."""
    return bool(presentation.beside.pin.strip() or presentation.beside.pinned.strip())


def pinned_scenario(presentation: Presentation, b: Pairs) -> Scenario:
    """Scenario A: whole, as the form holds it, or from the fields of B. Errors: Refusal that names fields as ``pin.mask``."""
    given = _read(presentation.beside.pinned if presentation.beside.pinned.strip() else presentation.beside.pin)
    names = {name for name, _ in given}
    kept = [] if presentation.beside.pinned.strip() else [(name, text) for name, text in b if name not in names]
    try:
        return Scenario.from_query([*kept, *given])
    except Refusal as refusal:
        raise _of_pin(refusal) from None


def run_pinned(scenario: Scenario) -> Run:
    """Compute scenario A. Errors: Refusal that names fields as ``pin.mask``."""
    try:
        return compute(scenario)
    except Refusal as refusal:
        raise _of_pin(refusal) from None


def _read(text: str) -> Pairs:
    """Read the fields of a pin; what changes no number has no place in it and is passed over."""
    if text == NOTHING:
        return []
    try:
        return split_fields(parse_qsl(text, keep_blank_values=True, errors="strict"))[0]
    except UnicodeDecodeError:
        raise refuse("pin", "encoding", 400) from None


def _of_pin(refusal: Refusal) -> Refusal:
    problems = [replace(problem, field=f"pin.{problem.field}", offer=None) for problem in refusal.problems]
    return Refusal(problems, refusal.status)
