// The sheet, made live: every change asks the server for the same page and takes over the parts that changed.
// Nothing is computed here; numbers, words and colours are drawn as they were sent.

import { fillFrom, remember } from "./address.js";
import { lightUp, moveInGrid } from "../shared/cells.js";
import { followInPlace } from "./compare.js";
import { applyConditions, isIdle } from "./controls.js";
import { copyText } from "../shared/copy.js";
import { openEditor } from "./edit.js";
import { data, form } from "./page.js";
import { watchPresses } from "./presses.js";
import { askPage, found, lost, missed, watch } from "../shared/reach.js";
import { dress, keyOf, takeOver } from "./renew.js";

document.documentElement.classList.add("scripted");

const LONGEST = data.longest;
form.elements.text.removeAttribute("maxlength");
let asked = 0;
let waiting = null;

/** The form as a query string; empty fields are left out, but for the sentence. `change` replaces fields. */
function queryFrom(change = {}) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (isIdle(form.elements[name])) continue;
    if (name === "good" || name === "changed" || name in change || (value === "" && !(name === "text" && !form.elements.q.value))) continue;
    fields.set(name, value);
  }
  for (const [name, value] of Object.entries(change)) if (value !== "") fields.set(name, value);
  return fields.toString();
}

/** The same, with the field that was just changed: what no longer fits gives way to it. */
const asking = (query, changed) => (changed ? `${query}&changed=${changed}` : query);

/** Ask for the page at a query and show it: true where it came, false where it was refused, null where it is still to come.
 *  The last question wins.
 *  `history`: push, type (in a field) or keep (go where it leads). `changed`: the field that was changed.
 *  `fill`: the fields take the values of the page that comes. `again`: how to ask once more where no answer comes. */
async function show(query, { history = "push", focus = "", changed = "", fill = history === "keep", again } = {}) {
  const turn = ++asked;
  waiting?.abort();
  waiting = new AbortController();
  let response;
  let text;
  try {
    ({ response, text } = await ask(asking(query, changed), waiting, again ?? (() => show(query, { history, changed, fill }))));
  } catch (error) {
    return turn === asked && error.name !== "AbortError" ? miss() : null;
  }
  if (turn !== asked) return null;
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!page.querySelector("[data-live=errors]")) return refused(response, text);
  found();
  if (document.querySelector(".edit")) return response.ok ? null : false; // a field that is open in a cell is not torn away
  if (response.ok) {
    document.title = page.title;
    if (fill || page.querySelector(".notice[data-code=dropped]")) fillFrom(page);
    takeOver(page, focus);
    if (history !== "keep") remember(query, history);
  } else {
    takeOver(page, focus, (name) => name.startsWith("error"));
    page.querySelectorAll(".pill[open]").forEach((pill) => {
      form.querySelector(`[data-group="${pill.dataset.group}"]`).open = true;
    });
  }
  return response.ok;
}

/** What is too long for an address is posted. */
function ask(query, controller, again) {
  const headers = { Accept: "text/html" };
  if (query.length <= LONGEST) return askPage(`/?${query}`, { headers }, controller, again);
  const kind = { "Content-Type": "application/x-www-form-urlencoded" };
  return askPage("/", { method: "POST", body: query, headers: { ...headers, ...kind } }, controller, again);
}

/** No answer has come: it is said, and asked again later. What is shown and what is typed stay. */
function miss() {
  lost();
  say(data.offline);
  return null;
}

/** No page of ours: a refusal is said; anything else is a server that is starting, or a page that the network puts in its place. */
function refused(response, text) {
  if (response.headers.get("Content-Type") !== "application/problem+json") return miss();
  found();
  say(JSON.parse(text).detail);
  return false;
}

function say(message) {
  const place = form.querySelector("[data-live=errors]");
  if (place.textContent !== message) place.textContent = message;
}

function goTo(change, options = {}) {
  return show(queryFrom(change), { ...options, again: () => goTo(change, { ...options, focus: "" }) });
}

/** Pressing a button of the form: to a step, to a cell, to all heads. */
function press(button) {
  const change = { [button.name]: button.value };
  if (button.name === "cell") Object.assign(change, { head: "" });
  return goTo(change, { focus: keyOf(button), history: button.name === "turn" ? "type" : "push" });
}

/** A cell of the mask is turned over: the mask becomes the reader's own, written as rows of 1 and 0. */
function flip(cell) {
  const rows = [...cell.closest("table").tBodies[0].rows].map((row) => [...row.querySelectorAll(".c")]
    .map((box) => (box === cell ? String(1 - Number(box.textContent)) : box.textContent)).join(""));
  form.elements.mask.value = "custom";
  form.elements.allow.value = rows.join(";");
  applyConditions(form);
  return goTo({ cell: cell.value }, { focus: keyOf(cell) });
}

/** The next random matrix after this one. */
const another = (value) => `random:${Number(value.match(/^random:(\d+)$/)?.[1] ?? 0) + 1}`;

/** The nearest possible choice is taken: the field is filled in and the page asked again. */
function take(name, value) {
  form.elements[name].value = value;
  applyConditions(form);
  return goTo({});
}

/** Open a field in a cell; what is typed there becomes an edit. */
function edit(cell) {
  openEditor(cell, form.elements.edits, data.editLabel, (changed) => goTo({ cell: changed.value, head: "" }, { focus: keyOf(changed) }));
}

/** A cell by its name: the one of the result, where it is drawn more than once. */
const findCell = (ref) => [...document.querySelectorAll(".result .c"), ...document.querySelectorAll(".c")].find((cell) => cell.value === ref);

/** Open a field in the cell that has this name now; true where there is one. */
function editNow(ref) {
  const cell = findCell(ref);
  if (cell) edit(cell);
  return Boolean(cell);
}
document.addEventListener("edit-cell", (event) => editNow(event.detail));
watchPresses({ twice: (ref) => !isOwnMask(findCell(ref)) && editNow(ref), long: editNow });

/** The bar above the picture: back, forward, and all edits away. */
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-undo]")) window.history.back();
  if (event.target.closest("[data-redo]")) window.history.forward();
  if (event.target.closest("[data-clear]")) {
    form.elements.edits.value = "";
    goTo({});
  }
});

const isOwnMask = (button) => button?.matches(".result .c[value*='mask[']") && form.elements.mask.value === "custom";

document.addEventListener("click", (event) => {
  const fill = event.target.closest("[data-fill]");
  if (fill) take(fill.dataset.fill, fill.value === "random" ? another(form.elements[fill.dataset.fill].value) : fill.value);
  const offer = event.target.closest("[data-offer]");
  if (offer) take(offer.dataset.offer, offer.value);
  if (event.target.closest("[data-flip]")) flip(document.querySelector(".result .c.chosen"));
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter?.name === "cell" && isOwnMask(event.submitter)) return flip(event.submitter);
  return event.submitter?.name ? press(event.submitter) : goTo({});
});
form.addEventListener("input", (event) => {
  if (event.isComposing || event.target.matches("select")) return;
  typed(event.target);
});
form.addEventListener("compositionend", (event) => typed(event.target));
form.addEventListener("change", (event) => {
  applyConditions(form);
  if (event.target.matches("select")) goTo({}, { changed: event.target.name });
});

function typed(field) {
  if (field.id === "text") clearVectors();
  applyConditions(form);
  goTo({}, { history: "type", changed: field.name });
}

/** A sentence takes the place of vectors that were given directly. */
function clearVectors() {
  if (!form.elements.q.value) return;
  for (const name of ["q", "k", "v", "labels_q", "labels_k", "labels_d", "labels_v"]) form.elements[name].value = "";
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-chooser]")) goTo({ cell: event.target.value, head: "" }, { focus: keyOf(event.target) });
});
document.addEventListener("open-query", (event) => {
  const here = ["lang", "theme", "hide"].filter((name) => form.elements[name]?.value).map((name) => `&${name}=${form.elements[name].value}`);
  show(event.detail + here.join(""), { fill: true });
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-copy-link]");
  if (!link) return;
  event.preventDefault();
  leave(link);
  copyText(link.href, data.copy);
});
document.addEventListener("figure-missed", () => missed(check));
document.addEventListener("figure-cell", (event) => goTo({ cell: event.detail, head: "" }));
document.addEventListener("figure-turn", (event) => goTo({ turn: event.detail }, { history: "type" }));
document.addEventListener("pointerover", (event) => lightUp(event.target.closest?.(".result .c")));
document.addEventListener("focusin", (event) => lightUp(event.target.closest?.(".result .c")));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (target.matches(".c.chosen") && (event.key === "Enter" || event.key === "F2") && !isOwnMask(target)) {
    event.preventDefault();
    return edit(target);
  }
  if (target.matches(".c") && moveInGrid(event, (button) => press(button))) return;
  if (event.key === "Escape") return leave(target);
  if (target.matches("input, textarea, select, summary, .chip, .arcs, .picture, .figure, .space-table")) return;
  const turn = { ArrowLeft: "previous", ArrowRight: "following" }[event.key]
    || (target.closest(".map") && { ArrowUp: "previous", ArrowDown: "following" }[event.key]);
  const button = turn && document.querySelector(`[data-turn="${turn}"]`);
  if (!button) return;
  event.preventDefault();
  const inMap = target.closest(".map");
  goTo({ at: button.value }, { focus: inMap ? JSON.stringify(["at", button.value, "steps", ""]) : "" });
});

const OPEN = ".pill[open], .export[open], .share[open], .compare-menu[open]";

/** Esc closes an open panel, or leaves the matrix for the map. */
function leave(target) {
  const open = target.closest(OPEN) || document.querySelector(OPEN);
  if (open) {
    open.open = false;
    open.querySelector("summary").focus();
  } else if (target.matches(".c")) {
    document.querySelector(".stop[aria-current]")?.focus();
  }
}
document.addEventListener("click", (event) => {
  for (const panel of document.querySelectorAll(OPEN)) if (!panel.contains(event.target)) panel.open = false;
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-theme-switch]");
  if (link) link.href = link.href.replace(/theme=\w+/, `theme=${isDark() ? "light" : "dark"}`);
});
const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark";

/** Ask for what is shown once more. */
const check = () => goTo({}, { history: "type" });
watch(check);
followInPlace((query) => show(query, { fill: true }));
window.addEventListener("popstate", () => show(location.search.slice(1), { history: "keep" }));

applyConditions(form);
dress();

/** A panel that opens because of what is wrong in it shows that first. */
const wrong = form.querySelector(".pill[open] [aria-invalid=true]")?.closest(".control");
if (wrong) wrong.closest(".panel").scrollTop = wrong.offsetTop;
