"""Colours and sizes by meaning: the one source of the style sheet's custom properties and of Plotly's colours.

q blue, k vermilion, v green, weights purple, token vectors grey; hues after Okabe and Ito, safe for colour-blind eyes.
Slopes, whatever step they belong to, have a hue of their own. A cell's colour is its hue at the strength of the number; a
negative number takes the opposite hue.
"""

from dataclasses import dataclass
from functools import cache

HUES = ("x", "q", "k", "v", "weights", "mask", "slope")


@dataclass(frozen=True, slots=True)
class Theme:
    """One appearance: page colours, and for each hue its colour for positive, for negative and for text."""

    page: dict[str, str]
    positive: dict[str, str]
    negative: dict[str, str]
    text: dict[str, str]


_BLUE, _VERMILION, _GREEN, _PURPLE, _ORANGE, _MAGENTA = "#2c8cc0", "#d55e00", "#009e73", "#7b3f98", "#e07b39", "#cc5f9a"

LIGHT = Theme(
    page={
        "paper": "#ffffff",
        "ground": "#fbfbfa",
        "panel": "#f5f6f9",
        "line": "#dcdee5",
        "line-strong": "#8b8f9c",
        "ink": "#1a1b20",
        "ink-soft": "#595c68",
        "accent": "#7b3f98",
        "accent-soft": "#f2edf6",
        "on-accent": "#ffffff",
        "good": "#00694d",
        "bad": "#b3261e",
        "bad-soft": "#fdecea",
        "cell": "#ffffff",
        "hatch": "#b9bcc6",
    },
    positive={
        "x": "#70747f",
        "q": _BLUE,
        "k": _VERMILION,
        "v": _GREEN,
        "weights": _PURPLE,
        "mask": "#70747f",
        "slope": "#4453b8",
    },
    negative={"x": "#c08a2e", "q": _ORANGE, "k": _BLUE, "v": _MAGENTA, "weights": _ORANGE, "mask": "#70747f", "slope": "#c4820e"},
    text={
        "x": "#494c57",
        "q": "#00588f",
        "k": "#9a3f00",
        "v": "#00654a",
        "weights": "#6b3386",
        "mask": "#494c57",
        "slope": "#3a47a3",
    },
)

DARK = Theme(
    page={
        "paper": "#17181d",
        "ground": "#121317",
        "panel": "#20222a",
        "line": "#33363f",
        "line-strong": "#7d8290",
        "ink": "#eceef2",
        "ink-soft": "#adb1bd",
        "accent": "#c79be0",
        "accent-soft": "#2b2333",
        "on-accent": "#17181d",
        "good": "#5fd3ab",
        "bad": "#ff9a90",
        "bad-soft": "#3a1f1e",
        "cell": "#1b1d23",
        "hatch": "#565a66",
    },
    positive={
        "x": "#8b909d",
        "q": "#3aa0dd",
        "k": "#e8702a",
        "v": "#17b287",
        "weights": "#a968c9",
        "mask": "#8b909d",
        "slope": "#7683f0",
    },
    negative={
        "x": "#c9973f",
        "q": "#d9763a",
        "k": "#3aa0dd",
        "v": "#d873aa",
        "weights": "#d9763a",
        "mask": "#8b909d",
        "slope": "#d19a2e",
    },
    text={
        "x": "#c3c7d1",
        "q": "#7cc4f2",
        "k": "#ffa573",
        "v": "#5fd3ab",
        "weights": "#cfa6e6",
        "mask": "#c3c7d1",
        "slope": "#aeb8ff",
    },
)

THEMES = {"light": LIGHT, "dark": DARK}


def drawn_in(wished: str) -> str:
    """The appearance of a picture, which is light where nothing else is wished for."""
    return wished if wished in THEMES else "light"


STRONGEST = {"light": 0.68, "dark": 0.58}
"""How much of its hue the strongest cell takes; the rest is paper, so that the number on it stays readable."""


@cache
def style_sheet() -> str:
    """Write the custom properties: for light, for dark by the system's wish, and for either when chosen; a class for each hue.

    Paper is always light.
    """
    light, dark = _properties(LIGHT), f"color-scheme:dark;--strongest:{STRONGEST['dark']};{_properties(DARK)}"
    return (
        f":root{{color-scheme:light;--strongest:{STRONGEST['light']};{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{{dark}}}}}\n"
        f".on-paper{{color-scheme:light;{light}}}\n"  # paper is white, whatever the screen is
        + f":root[data-view=projector]{{{_clearer('light')}}}\n"
        + f":root[data-view=projector][data-theme=dark]{{{_clearer('dark')}}}\n"
        + "".join(f".hue-{hue}{{--pos:var(--{hue}-pos);--neg:var(--{hue}-neg);--hue:var(--{hue}-text)}}\n" for hue in HUES)
    )


def _properties(theme: Theme) -> str:
    named = {
        **theme.page,
        **{f"{hue}-pos": colour for hue, colour in theme.positive.items()},
        **{f"{hue}-neg": colour for hue, colour in theme.negative.items()},
        **{f"{hue}-text": colour for hue, colour in theme.text.items()},
    }
    return "".join(f"--{name}:{colour};" for name, colour in named.items())


CLEAR = 7.2
"""Contrast of text on a projector: a little more than 7 to 1, as colours are rounded."""
TINT = 0.14
"""How much of its hue the ground behind an operand takes."""


def _clearer(name: str) -> str:
    """The colours that are too faint for a projector, moved towards ink until they are read from the back row."""
    theme = THEMES[name]
    page, cell = theme.page, theme.page["cell"]
    moved = {key: _readable(page[key], page["panel"], page["ink"]) for key in ("ink-soft", "accent", "good")}
    moved["bad"] = _readable(page["bad"], page["bad-soft"], page["ink"])
    for hue, colour in theme.text.items():
        moved[f"{hue}-text"] = _readable(colour, blend(cell, theme.positive[hue], TINT), page["ink"])
    strongest = min(_strongest(page, cell, colour) for hues in (theme.positive, theme.negative) for colour in hues.values())
    return "".join(f"--{key}:{colour};" for key, colour in moved.items()) + f"--strongest:{strongest:.2f};--tint:{TINT};"


def _readable(colour: str, ground: str, ink: str) -> str:
    mixed = (blend(colour, ink, share / 20) for share in range(21))
    return next(tried for tried in mixed if contrast(tried, ground) >= CLEAR)


def _strongest(page: dict[str, str], cell: str, colour: str) -> float:
    """The strongest colour of a cell on which its number is still clear."""
    return max(share / 100 for share in range(100) if contrast(page["ink"], blend(cell, colour, share / 100)) >= CLEAR)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21. Source: WCAG 2.2, contrast ratio."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (part / 255 for part in _rgb(colour))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def scale(name: str, hue: str, unit_range: bool) -> list[list[float | str]]:
    """Plotly's colour scale for a hue: from paper up, or from the negative hue through paper to the positive one."""
    theme, most = THEMES[name], STRONGEST[name]
    paper = theme.page["cell"]
    high = blend(paper, theme.positive[hue], most)
    if unit_range:
        return [[0.0, paper], [1.0, high]]
    return [[0.0, blend(paper, theme.negative[hue], most)], [0.5, paper], [1.0, high]]


def cell_colour(name: str, hue: str, tone: str, strength: float) -> str:
    """The colour of a cell: its hue, as much of it as the number is strong; a hidden cell is paper under its hatching."""
    theme = THEMES[name]
    full = theme.negative[hue] if tone == "neg" else theme.positive[hue]
    return blend(theme.page["cell"], full, 0.0 if tone == "hidden" else strength * STRONGEST[name])


def blend(low: str, high: str, share: float) -> str:
    """A colour between two, ``share`` of the way to the second."""
    mixed = (round(a + (b - a) * share) for a, b in zip(_rgb(low), _rgb(high), strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
