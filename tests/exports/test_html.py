"""The page to take home: on paper it is dark on light, whatever the reader's screen is."""

import re

from tests.support.asking import Api
from tests.support.exporting import SCENES, export


def test_dark_colours_are_for_screens_and_not_for_paper(api: Api) -> None:
    page = export(api, "html", SCENES["repeated"]).decode()
    asked = re.findall(r"@media ([^{]+)\{", page)
    dark = [media for media in asked if "dark" in media]
    assert dark
    assert all(media.startswith("screen and ") for media in dark), dark
