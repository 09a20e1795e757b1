"""What routes take: a request read once, into a value that a route's signature names.

A reader of a short request runs where it is called; a long one is read aside, in the lane of big work. What is computed from it
always runs in a thread (``app.web.lane``), so that nobody waits for somebody else's sentence.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from app import limits
from app.address.presentation import Presentation, part_fields, split_fields
from app.errors import Refusal, refuse
from app.language.words import Words, words_of
from app.scenario.opening import with_opening
from app.scenario.table import Scenario, clean
from app.text.languages import DEFAULT_HAN
from app.web.lane import read_aside
from app.web.requests import (
    Pairs,
    form_pairs,
    han_language_of,
    is_form,
    json_fields,
    language_of,
    query_pairs,
    remember_language,
    typed_pairs,
)


@dataclass(frozen=True, slots=True)
class ScenarioRequest:
    """A scenario, what is looked at, and the reader's language."""

    scenario: Scenario
    presentation: Presentation
    lang: str
    han: str = DEFAULT_HAN
    """For whom Chinese characters are drawn that several languages share."""

    @property
    def words(self) -> Words:
        """The words of the reader's language."""
        return words_of(self.lang)

    @property
    def all(self) -> dict[str, object]:
        """All that was asked for, as one."""
        return {**dict(self.presentation.given), **self.scenario.given()}


async def read_query_scenario(request: Request) -> ScenarioRequest:
    """Read a scenario from the address. Errors: Refusal."""
    pairs, size = query_pairs(request), len(request.scope["query_string"])
    return await read_aside(request, size, scenario_in, pairs, language_of(request), han_language_of(request))


def scenario_in(pairs: Iterable[tuple[str, str]], lang: str, han: str = DEFAULT_HAN) -> ScenarioRequest:
    """Check the fields of a query string; where no sentence is asked for, the opening one, as on the page. Errors: Refusal."""
    kept, presentation = split_fields(pairs)
    return ScenarioRequest(Scenario.from_query(with_opening(kept, lang)), presentation, lang, han)


async def read_json_scenario(request: Request) -> ScenarioRequest:
    """Read a scenario from a JSON body. Errors: Refusal."""
    query_pairs(request)
    return await _json_scenario(request, Presentation.of())


async def read_scenario(request: Request) -> ScenarioRequest:
    """Read a scenario from the address or, where it is posted, from the body: a form or a JSON object. Errors: Refusal."""
    if request.method != "POST":
        return await read_query_scenario(request)
    pairs, presentation = split_fields(query_pairs(request))
    if pairs:
        raise refuse(clean(pairs[0][0]), "field_in_query")
    return await (_form_scenario if is_form(request) else _json_scenario)(request, presentation)


async def _form_scenario(request: Request, presentation: Presentation) -> ScenarioRequest:
    pairs, inside = split_fields(await form_pairs(request))
    remember_language(request, inside.reader.lang or presentation.reader.lang)
    scenario = await read_aside(request, _sent(request), Scenario.from_query, pairs)
    return ScenarioRequest(scenario, presentation.over(inside), language_of(request), han_language_of(request))


async def _json_scenario(request: Request, presentation: Presentation) -> ScenarioRequest:
    fields, inside = part_fields(await json_fields(request))
    remember_language(request, inside.reader.lang or presentation.reader.lang)
    scenario = await read_aside(request, _sent(request), Scenario.check, fields)
    return ScenarioRequest(scenario, presentation.over(inside), language_of(request), han_language_of(request))


def _sent(request: Request) -> int:
    """How many bytes the body says it has; where it does not say, as many as it may have."""
    told = request.headers.get("content-length", "")
    return int(told) if told.isascii() and told.isdigit() and len(told) < 10 else limits.BODY


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a page's address as they were typed, however wrong, and the reader's language."""

    pairs: Pairs
    """The fields that decide the numbers."""
    presentation: Presentation
    lang: str
    refusal: Refusal | None = None
    """Why they could not be read as they are."""
    han: str = DEFAULT_HAN
    """For whom Chinese characters are drawn that several languages share."""

    @property
    def all(self) -> dict[str, str]:
        """All that was typed, as one."""
        return {**dict(self.presentation.given), **dict(self.pairs)}


async def read_fields(request: Request) -> Fields:
    """Read the fields of a page's address; what cannot be read stays as it was typed, and it is said why."""
    try:
        return fields_in(query_pairs(request), request)
    except Refusal as refusal:
        return fields_in(typed_pairs(request), request, refusal)


async def read_readable_fields(request: Request) -> Fields:
    """Read the fields of a page's address. Errors: Refusal where it is too long or not UTF-8."""
    return fields_in(query_pairs(request), request)


async def read_form(request: Request) -> Fields:
    """Read the fields of a form that was posted. Errors: Refusal as for a query."""
    return fields_in(await form_pairs(request), request)


def fields_in(pairs: Iterable[tuple[str, str]], request: Request, refusal: Refusal | None = None) -> Fields:
    """Part the fields that decide the numbers from those that do not."""
    kept, presentation = split_fields(pairs)
    return Fields(kept, presentation, language_of(request), refusal, han_language_of(request, presentation.reader.lang))


@dataclass(frozen=True, slots=True)
class Origin:
    """Under which name the reader opened the page: ``http`` and ``localhost:8000``."""

    scheme: str
    host: str


async def read_origin(request: Request) -> Origin:
    """Read the scheme and the host of a request."""
    return Origin(request.scope["scheme"], request.headers.get("host", ""))


QueryScenario = Annotated[ScenarioRequest, Depends(read_query_scenario)]
JsonScenario = Annotated[ScenarioRequest, Depends(read_json_scenario)]
AnyScenario = Annotated[ScenarioRequest, Depends(read_scenario)]
PageFields = Annotated[Fields, Depends(read_fields)]
ReadableFields = Annotated[Fields, Depends(read_readable_fields)]
FormFields = Annotated[Fields, Depends(read_form)]
PageOrigin = Annotated[Origin, Depends(read_origin)]
