"""The pages: routes only."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app import limits
from app.answers import computed, followed_back
from app.assets import PLOTLY_ADDRESS, plotly_style_ids
from app.errors import Problem, Refusal
from app.examples import opening, with_opening
from app.exports import picture_name
from app.forms_page import cards
from app.influence import Influence
from app.kept import Kept
from app.links import along, link_fields, wishes_of, write_link
from app.pairs import ready_pairs
from app.pin import is_pinned, pinned_scenario, run_pinned
from app.presentation import Presentation, split_fields
from app.projector import project
from app.render import render
from app.requests import Pairs, form_pairs, language_of, query_pairs, typed_pairs
from app.run import Notice, Run, run
from app.scenario import SCENARIO_FIELDS, Scenario
from app.sheet import write_query
from app.tables import matrices, slopes, vectors
from app.text.tokens import script_language, shorten
from app.unknown import without_unknown
from app.view import View, make_view
from app.words import LANGUAGES, choose_language, words

router = APIRouter(include_in_schema=False)
_HEADERS = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}


@router.api_route("/", methods=["GET", "HEAD"])
async def sheet(request: Request) -> Response:
    """The sheet. Where the request cannot be answered, the last good picture stays and the fields say why."""
    lang = language_of(request)
    try:
        pairs = query_pairs(request)
    except Refusal as refusal:
        typed, shown = split_fields(typed_pairs(request))
        return await _refused(lang, shown, typed, refusal)
    kept: Kept = request.app.state.kept
    query = request.scope["query_string"]
    if page := kept.get(query, lang):
        return HTMLResponse(page, headers=_HEADERS)
    answer = await _answer(pairs, lang)
    if answer.status_code == 200:
        kept.put(query, lang, bytes(answer.body))
    return answer


@router.post("/")
async def sheet_of_a_long_form(request: Request) -> Response:
    """The same for fields that are too long for an address: a large matrix, a text far too long."""
    return await _answer(await form_pairs(request), language_of(request))


async def _answer(asked: Pairs, lang: str) -> Response:
    pairs, shown = split_fields(asked)
    lang = choose_language(shown.lang) if shown.lang in LANGUAGES else lang
    pairs, unknown = without_unknown(pairs)
    pairs = with_opening(pairs, lang)
    try:
        pairs, made, dropped = await fitting(pairs, shown.changed)
    except Refusal as refusal:
        return await _refused(lang, shown, pairs, refusal, unknown)
    influence, gone = await _influence(made, shown)
    pinned, unread = await _pinned(shown, pairs, lang)
    made = replace(made, notices=(*made.notices, *unknown, *dropped, *gone, *unread))
    if pinned is None:
        return _page(lang, shown, _typed(pairs), made, [], 200, influence)
    return await computed(made.asked, partial(_page, lang, shown, _typed(pairs), made, [], 200, influence, pinned))


async def _pinned(shown: Presentation, pairs: Pairs, lang: str) -> tuple[Run | None, list[Notice]]:
    """The scenario that is pinned beside this one; where it cannot be computed, a notice that says why."""
    if not is_pinned(shown):
        return None, []
    try:
        scenario = pinned_scenario(shown, pairs)
        return await computed(scenario, partial(run_pinned, scenario)), []
    except Refusal as refusal:
        why = " ".join(words(lang).problem(problem) for problem in refusal.problems)
        return None, [Notice("pin_refused", {"why": why})]


async def _refused(lang: str, shown: Presentation, typed: Pairs, refusal: Refusal, notices: Sequence[Notice] = ()) -> Response:
    """What was typed and what is wrong with it, around the last good picture."""
    made = last_good(shown, lang)
    made = replace(made, notices=(*made.notices, *notices))
    influence, _ = await _influence(made, shown)
    pinned, unread = await _pinned(shown, made.query, lang)
    made = replace(made, notices=(*made.notices, *unread))
    return _page(lang, shown, _typed(typed), made, list(refusal.problems), refusal.status, influence, pinned)


async def _influence(made: Run, shown: Presentation) -> tuple[Influence | None, list[Notice]]:
    """The slopes of the cell that is asked about; where it is not there any more, it is said and forgotten."""
    if not shown.of or shown.view == "projector":
        return None, []
    try:
        return await followed_back(made, shown.of), []
    except Refusal as refusal:
        steep = refusal.problems[0].code == "slope_large"
        return None, [Notice("of_steep" if steep else "of_gone", {"cell": shorten(shown.of, _CELL_NAME)})]


_CELL_NAME = 40
"""Characters of a cell's name that a notice repeats."""


async def fitting(pairs: Pairs, changed: str) -> tuple[Pairs, Run, list[Notice]]:
    """Compute; where the reader has just changed the text or a size, edits and matrices that no longer fit are dropped.

    Errors: Refusal for everything else.
    """
    dropped: list[Notice] = []
    while True:
        try:
            scenario = Scenario.from_query(pairs)
            return pairs, await computed(scenario, partial(run, scenario)), dropped
        except Refusal as refusal:
            misfits = {problem.field for problem in refusal.problems if problem.code in _MISFITS}
            if changed not in _RESIZING or not misfits or changed in misfits:
                raise
        dropped += [Notice("dropped", {"field": name}) for name in sorted(misfits)]
        pairs = [(name, text) for name, text in pairs if name not in misfits]


_MISFITS = ("shape", "edit_cell", "edit_step", "table_width", "labels_count", "labels_with_text")
_RESIZING = ("text", "text_k", "split", "d_model", "d_head", "n_heads", "n_kv_heads", "position", "mask", "mechanism", "n_layers")


def _typed(pairs: Pairs) -> dict[str, str]:
    return {name: text for name, text in pairs if name in SCENARIO_FIELDS}


@router.api_route("/forms", methods=["GET", "HEAD"])
async def forms(request: Request) -> Response:
    """Every form of attention as a small card with a link."""
    lang = language_of(request)
    shown = split_fields(query_pairs(request))[1]
    context = {**_frame(lang, shown, "forms"), "cards": cards(lang)}
    return HTMLResponse(render("forms.html", context), headers=_HEADERS)


def _frame(lang: str, shown: Presentation, here: str) -> dict[str, Any]:
    """What every page needs: words, language, appearance."""
    return {
        "_": words(lang),
        "lang": lang,
        "explicit_lang": shown.lang in LANGUAGES,
        "theme": shown.theme if shown.theme in ("light", "dark") else "",
        "along": along(shown),
        "along_in": {code: along(shown, code) for code in LANGUAGES},
        "here": here,
        "languages": [(code, words(code)("language.name")) for code in LANGUAGES],
    }


page_frame = _frame
"""The same for pages in modules of their own."""


def last_good(shown: Presentation, lang: str) -> Run:
    """The picture that the form last held, or the opening example."""
    try:
        pairs, _ = split_fields(query_pairs(Request({"type": "http", "query_string": shown.good.encode("utf-8", "replace")})))
        return run(Scenario.from_query(without_unknown(pairs)[0]))
    except Refusal:
        return _opened(lang)


def _opened(lang: str) -> Run:
    return run(Scenario.from_query(opening(lang)))


def _page(
    lang: str,
    shown: Presentation,
    typed: dict[str, str],
    made: Run,
    problems: list[Problem],
    status: int,
    influence: Influence | None = None,
    pinned: Run | None = None,
) -> Response:
    w = words(lang)
    if shown.view == "projector":
        return _projector(lang, shown, typed, made, problems, status)
    view = make_view(made, typed, shown, problems, w, influence, pinned)
    pin, of = view.contrast.pin if view.contrast else "", view.moved.ref if view.moved else ""
    turn = view.space.turned if view.space else ""
    context = {
        **_frame(lang, shown, "sheet"),
        "view": view,
        "place_query": _place_query(view, pin),
        "place_only": (place_only := _place_query(view, "")),
        "ended_query": _place_query(replace(view, moved=None), pin) if view.moved else "",
        "waiting_of": shown.of if shown.changed and not of else "",  # a sentence being typed may have its cell again
        "unpinned": f"{view.query}{place_only}",
        "kept": _kept(shown),
        "pairs": ready_pairs(view.query, lang),
        "carried": [pair for pair in shown.carried if pair[0] not in _OWN],
        "carried_query": write_query([pair for pair in shown.carried if pair[0] not in _OWN]),
        "link": write_link("", link_fields(made, view.place, wishes_of(shown, of, pin, turn))),
        "tokens": made.tokens,
        "vectors": vectors(made),
        "split": made.scenario.split,
        "text_lang": script_language("".join(made.names_q)) or lang,
        "matrices": matrices(view, view.step.values if view.step else []),
        "slopes": slopes(view, influence),
        "picture_name": picture_name(made.tokens, view.place.step),
        "longest_address": limits.ADDRESS,
        "largest_file": limits.FILE,
        "posted_fields": _posted(view, made, shown, lang, pin) if len(view.query) > limits.ADDRESS else [],
        "plotly": {"address": PLOTLY_ADDRESS, "styleIds": plotly_style_ids()},
    }
    html = render("sheet.html", context)
    return HTMLResponse(html, status, headers=_HEADERS)


def _projector(
    lang: str, shown: Presentation, typed: dict[str, str], made: Run, problems: list[Problem], status: int
) -> Response:
    """One step on a whole screen; light, whatever the system wishes, unless dark is asked for."""
    context = {
        **_frame(lang, shown, "sheet"),
        "theme": "dark" if shown.theme == "dark" else "light",
        "screen": project(made, shown, problems, words(lang)),
        "wrong": write_query(list(typed.items()), **dict(shown.carried)) if problems else "",
        "text_lang": script_language("".join(made.names_q)) or lang,
    }
    html = render("projector.html", context)
    return HTMLResponse(html, status, headers=_HEADERS)


def message_page(lang: str, status: int, title: str, messages: list[str]) -> Response:
    """A page that says one thing, such as that nothing is at this address."""
    context = {**_frame(lang, Presentation(), ""), "title": title, "messages": messages}
    return HTMLResponse(render("message.html", context), status)


_OWN = ("hide", "of", "pin", "pinned")
"""What the place writes in its own way."""


def _place_query(view: View, pin: str) -> str:
    place = write_query(
        [],
        at=view.place.step if view.step is None else "",
        cell=view.cell,
        head="all" if view.place.all_heads else "",
        of=view.moved.ref if view.moved else "",
        turn=view.space.turned if view.space else "",
        hide=",".join(view.hidden),
        pin=pin,
    )
    return f"&{place}" if place else ""


def _kept(shown: Presentation) -> str:
    """Language and appearance, where they were chosen, for links that stay on the page."""
    wishes = wishes_of(shown)
    kept = write_query([], lang=wishes.lang, theme=wishes.theme)
    return f"&{kept}" if kept else ""


def _posted(view: View, made: Run, shown: Presentation, lang: str, pin: str) -> Pairs:
    """The fields of a form that asks for what is shown, where they are too long for an address."""
    theme = [("theme", shown.theme)] if shown.theme else []
    return [*made.query, *parse_qsl(_place_query(view, pin)), ("lang", lang), *theme]
