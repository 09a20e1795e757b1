// @ts-check
// Pages of the projector, fetched once and kept, so that the next step is there before it is wanted.

import { find } from "../shared/dom.js";
import { documentOf } from "../shared/swap.js";

const MOST = 80;
/** @type {Map<string, Promise<string>>} */
const kept = new Map();

/** The text of the page at an address.
 *  @param {string} address */
function fetched(address) {
  const key = new URL(address, location.href).href;
  const coming = kept.get(key) ?? load(key);
  if (!kept.has(key)) keep(key, coming);
  return coming;
}

/** @param {string} address */
async function load(address) {
  const response = await fetch(address, { headers: { Accept: "text/html" } });
  const text = await response.text();
  if (!response.ok) throw new Error("page");
  return text;
}

/** @param {string} key @param {Promise<string>} coming */
function keep(key, coming) {
  coming.catch(() => kept.delete(key));
  kept.set(key, coming);
  const [oldest] = kept.keys();
  if (kept.size > MOST) kept.delete(oldest);
}

/** The page at an address, as a document of its own. Throws where it does not come.
 *  @param {string} address */
export async function ask(address) {
  const page = documentOf(await fetched(address));
  if (!find("main.screen", page)) throw new Error("page");
  return page;
}

/** @type {string[]} */
let wanted = [];
let busy = false;

/** Fetch these one after the other; a newer wish takes the place of the older.
 *  @param {string[]} addresses */
export async function prefetch(addresses) {
  wanted = addresses;
  if (busy) return;
  busy = true;
  for (let next = wanted.shift(); next; next = wanted.shift()) await fetched(next).catch(() => {});
  busy = false;
}
