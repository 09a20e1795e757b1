// @ts-check
// Show: every change asks the server for the same page and takes over the parts that changed.

import { adding, asked } from "../shared/address.js";
import { find, need } from "../shared/dom.js";
import { askServer, missed, reached } from "../shared/swap.js";
import { fillFrom, remember } from "./address.js";
import { isIdle } from "./controls.js";
import { data, field, fieldNow, form } from "./page.js";
import { keyOf, takeOver } from "./renew.js";

/** `history`: push, type (in a field) or keep (go where it leads). `focus`: the button that has it afterwards.
 *  `changed`: the field that was changed. `fill`: the fields take the values of the page that comes.
 *  `again`: how to ask once more where no answer comes.
 *  @typedef {{ history?: "push" | "type" | "keep", focus?: string, changed?: string, fill?: boolean, again?: () => unknown }} Options */

/** The form as a query string; empty fields are left out, but for the sentence. `change` replaces fields.
 *  @param {Record<string, string>} change */
function queryFrom(change) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (isIdle(fieldNow(name)) || name === "good" || name === "changed" || name in change) continue;
    if (value === "" && !(name === "text" && !field("q").value)) continue;
    fields.set(name, String(value));
  }
  for (const [name, value] of Object.entries(change)) if (value !== "") fields.set(name, value);
  return fields.toString();
}

/** Show the page at a query: true where it came, false where it was refused, null where it is still to come.
 *  @param {string} query @param {Options} [options] @returns {Promise<boolean | null>} */
export async function show(query, { history = "push", focus = "", changed = "", fill = history === "keep", again } = {}) {
  const sent = changed ? adding(query, { changed }) : query; // what no longer fits gives way to the field that was changed
  const answer = await ask(sent, again ?? (() => show(query, { history, changed, fill })));
  if (!answer) return null;
  const { response, page } = answer;
  if (!find("[data-live=errors]", page)) return refused(answer);
  reached();
  if (find(".edit")) return response.ok ? null : false; // a field that is open in a cell is not torn away
  if (!response.ok) return correct(page, focus);
  document.title = page.title;
  if (fill || find(".notice[data-code=dropped]", page)) fillFrom(page);
  takeOver(page, focus);
  if (history !== "keep") remember(history);
  return true;
}

/** What is too long for an address is posted.
 *  @param {string} query @param {() => unknown} again */
function ask(query, again) {
  if (query.length <= data.longest) return askServer(asked(form, query), {}, again, sayOffline);
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return askServer("/", { method: "POST", body: query, headers }, again, sayOffline);
}

/** Of a page that says what is wrong only that is taken over, and the panels open where it is wrong.
 *  @param {Document} page @param {string} focus */
function correct(page, focus) {
  takeOver(page, focus, (name) => name.startsWith("error"));
  for (const pill of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(".pill[open]"))) {
    Object.assign(need(`[data-group="${pill.dataset.group}"]`, form), { open: true });
  }
  return false;
}

/** No page of ours: a refusal is said; anything else is a server that is starting, or a page that the network puts in its place.
 *  @param {import("../shared/swap.js").Answer} answer */
function refused(answer) {
  const { response, text } = answer;
  if (response.headers.get("Content-Type") !== "application/problem+json") {
    missed(sayOffline, answer);
    return null;
  }
  reached();
  say(JSON.parse(text).detail);
  return false;
}

/** What is shown and what is typed stay. @param {string} said */
const sayOffline = (said) => say(said || data.offline);

/** @param {string} message */
function say(message) {
  const place = need("[data-live=errors]", form);
  if (place.textContent !== message) place.textContent = message;
}

/** Show the page of the form with some fields changed.
 *  @param {Record<string, string>} change @param {Options} [options] @returns {Promise<boolean | null>} */
export function goTo(change, options = {}) {
  return show(queryFrom(change), { ...options, again: () => goTo(change, { ...options, focus: "" }) });
}

/** Press a button of the form: to a step, to a cell, to all heads.
 *  @param {HTMLButtonElement} button */
export function press(button) {
  const change = { [button.name]: button.value, ...(button.name === "cell" && { head: "" }) };
  return goTo(change, { focus: keyOf(button), history: button.name === "turn" ? "type" : "push" });
}

/** Choose a cell by its name.
 *  @param {string} cell @param {Options} [options] */
export const goToCell = (cell, options) => goTo({ cell, head: "" }, options);

/** Ask for what is shown once more. */
export const check = () => goTo({}, { history: "type" });
