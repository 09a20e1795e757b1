"""The page to take home: on paper it is dark on light, whatever the reader's screen is."""

import re

from tests.support.asking import Api
from tests.support.exporting import SCENES, export


def test_dark_colours_are_for_screens_and_not_for_paper(api: Api) -> None:
    page = export(api, "html", SCENES["repeated"]).decode()
    dark = re.findall(r"@media ([^{]+)\{[^{}]*\{color-scheme:dark", page)
    assert len(dark) == page.count("{color-scheme:dark") == 2  # where the reader's screen is dark, and where dark was chosen
    assert all(media.startswith("screen") for media in dark), dark
