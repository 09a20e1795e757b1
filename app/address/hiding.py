"""Hiding: what a link leaves out of the page. What is hidden stays in force; it is only not offered.

Names that are not known, as from a newer version, are passed over like everything else that is only looked at.
"""

from collections.abc import Iterable

from app.scenario.table import SCENARIO_FIELDS, group_of

GROUPS = tuple(dict.fromkeys(group_of(name) for name in SCENARIO_FIELDS))
"""The groups of controls, in the order of the page."""
CONTROLS = "controls"
"""All groups of controls together."""
SENTENCE, TOOLS = "sentence", "tools"
"""The sentence can be read but not changed; the menus for sharing and exporting are gone."""
HIDEABLE = (CONTROLS, *GROUPS, SENTENCE, TOOLS)


def read_hidden(text: str) -> tuple[str, ...]:
    """Read the names in a comma list, each once and in one order; all groups together have one name."""
    asked = {name.strip() for name in text.split(",")}
    if CONTROLS in asked or asked.issuperset(GROUPS):
        asked = asked.difference(GROUPS) | {CONTROLS}
    return tuple(name for name in HIDEABLE if name in asked)


def hidden_groups(names: Iterable[str]) -> frozenset[str]:
    """The groups of controls that are not shown."""
    names = set(names)
    return frozenset(GROUPS if CONTROLS in names else names.intersection(GROUPS))
