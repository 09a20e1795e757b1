"""The page to take home: on paper it is dark on light, whatever the reader's screen is."""

import re

import pytest

from app.address.presentation import Presentation
from app.core.record.trace import Trace
from app.exports import ExportRequest, html_file
from app.language.words import words_of
from tests.support.asking import Api
from tests.support.computing import computed
from tests.support.exporting import SCENES, export


def test_dark_colours_are_for_screens_and_not_for_paper(api: Api) -> None:
    page = export(api, "html", SCENES["repeated"]).decode()
    dark = re.findall(r"@media ([^{]+)\{[^{}]*\{color-scheme:dark", page)
    assert len(dark) == page.count("{color-scheme:dark") == 2  # where the reader's screen is dark, and where dark was chosen
    assert all(media.startswith("screen") for media in dark), dark


def test_what_feeds_what_is_asked_once_for_each_step_and_not_once_for_each_number(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    inputs = Trace.inputs

    def counted(trace: Trace, name: str) -> list[str]:
        asked.append(name)
        return inputs(trace, name)

    monkeypatch.setattr(Trace, "inputs", counted)
    run = computed("text=a b c d e f g h&mechanism=tiled&tile_q=2&tile_k=2&n_layers=1")
    html_file.make(ExportRequest(run, words_of("en"), Presentation.of()))
    assert sorted(asked) == sorted(run.steps)
