// @ts-check
// Address: the address bar follows what is shown, and the form follows an address.

import { all, find, need } from "../shared/dom.js";
import { data, fieldNow, form } from "./page.js";

/** The address bar holds the canonical query and the place. What is typed in one go is one step back.
 *  @param {string} query @param {"push" | "type"} history */
export function remember(query, history) {
  const asked = new URLSearchParams(query);
  const carried = inputs("[data-carried]", form).map((field) => field.name);
  const place = ["lang", "theme", ...carried, "head", "at", "cell"].filter((name) => asked.get(name))
    .map((name) => `${name}=${readable(asked.get(name) ?? "")}`);
  const cell = state("cell");
  const kept = place.filter((field) => !/^(at|cell|turn)=/.test(field));
  const stays = ["at", "turn"].filter(state).map((name) => `${name}=${state(name)}`);
  const { query: scenario, pin } = need(".step").dataset;
  const where = cell ? [`cell=${cell}`] : place.filter((field) => field.startsWith("at="));
  const address = `/?${[scenario, ...kept, ...stays, ...where, ...(pin ? [pin] : [])].join("&")}${asksAbout()}`;
  if (address.length > data.longest) return;
  const typing = history === "type";
  const same = address === location.pathname + location.search || (typing && window.history.state?.typing);
  window.history[same ? "replaceState" : "pushState"]({ typing }, "", address);
}

/** @param {string} selector @param {ParentNode} root */
const inputs = (selector, root) => /** @type {HTMLInputElement[]} */ (all(selector, root));

/** A cell's name stays as it is written.
 *  @param {string} text */
const readable = (text) => encodeURIComponent(text).replace(/%5B/g, "[").replace(/%5D/g, "]").replace(/%2C/g, ",");

/** What the form holds for the page beside what is typed.
 *  @param {string} name */
const state = (name) => valueOf(`[data-live=state] [name=${name}]`);

/** @param {string} selector */
const valueOf = (selector) => /** @type {HTMLInputElement | null} */ (find(selector))?.value;

/** The cell whose slopes are shown, for the address; not one that waits for its word to be typed. */
function asksAbout() {
  const of = valueOf("[data-live=state] [name=of]:not([data-waiting])");
  return of ? `&of=${of}` : "";
}

/** The fields of the form take the values of an address, as after the Back button.
 *  @param {Document} page */
export function fillFrom(page) {
  for (const field of inputs("#f input:not([type=hidden]), #f select, #f textarea", page)) {
    const here = fieldNow(field.name);
    if (here && here.value !== field.value) here.value = field.value;
  }
}
