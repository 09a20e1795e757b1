"""Unknown: fields of a link that this version does not have. The page leaves them out and says so; the API refuses them."""

from app.run.run import Notice
from app.scenario.table import SCENARIO_FIELDS, clean

LEFT_OUT = ("unknown", "unknown_more")
"""The codes of these notices."""
NAMED = 4
"""Names that a notice gives before it counts the rest."""


def without_unknown(pairs: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], list[Notice]]:
    """Part the fields that this version has from others, which a notice names."""
    names = list(dict.fromkeys(clean(name) for name, _ in pairs if name not in SCENARIO_FIELDS))
    if not names:
        return pairs, []
    known = [(name, text) for name, text in pairs if name in SCENARIO_FIELDS]
    fields, more = ", ".join(names[:NAMED]), len(names) - NAMED
    return known, [
        Notice("unknown_more", {"fields": fields, "more": more}) if more > 0 else Notice("unknown", {"fields": fields})
    ]
