// @ts-check
// Swap: the server is asked for a page, and the parts of it that changed take the place of the old. Of several questions the newest counts.

import { all, find } from "./dom.js";
import { askPage, failed, found, lost } from "./reach.js";

/** Parts of a page: those that are `wanted`, each `prepare`d before it is seen; `dress` is called when all are in their place.
 *  @typedef {object} Swap
 *  @property {string} [parts]
 *  @property {(name: string) => boolean} [wanted]
 *  @property {(part: HTMLElement) => void} [prepare]
 *  @property {() => void} [dress] */

/** A page that has come, as it came and as a document of its own.
 *  @typedef {{ response: Response, text: string, page: Document }} Answer */

/** @type {AbortController | null} */
let newest = null;

/** Wait for what was asked for; the question before is given up. Null where a newer one took its place, or where nothing came:
 *  then `missed` is called.
 *  @template T @param {(asking: AbortController) => Promise<T>} load @param {() => void} missed @returns {Promise<T | null>} */
export async function askNewest(load, missed) {
  newest?.abort();
  const mine = new AbortController();
  newest = mine;
  try {
    const answer = await load(mine);
    return mine === newest ? answer : null;
  } catch (error) {
    if (mine === newest && !(error instanceof DOMException && error.name === "AbortError")) missed();
    return null;
  }
}

/** Ask the server for a page. Where the network is lost `sayLost` is called, and `again` as soon as it is worth asking again.
 *  @param {string} address @param {RequestInit} options @param {() => unknown} again @param {(said: string) => void} sayLost
 *  @returns {Promise<Answer | null>} */
export function askServer(address, options, again, sayLost) {
  const headers = { Accept: "text/html", ...options.headers };
  return askNewest(async (asking) => {
    const { response, text } = await askPage(address, { ...options, headers }, asking, again);
    return { response, text, page: documentOf(text) };
  }, () => missed(sayLost));
}

/** An answer has come that is a page of ours: all is well. */
export const reached = found;

/** No page of ours has come: it is said, and asked for again later. A page that says the fault is the server's own is said in its
 *  words, and the same is asked once more at most.
 *  @param {(said: string) => void} sayLost @param {Answer} [answer] */
export function missed(sayLost, answer) {
  const said = answer?.response.status === 500 ? find("main.message p", answer.page)?.textContent ?? "" : "";
  (said ? failed : lost)();
  sayLost(said);
}

/** @param {string} text */
export const documentOf = (text) => new DOMParser().parseFromString(text, "text/html");

/** Put the parts of a page that differ in the place of the old. What is typed outside them stays, and so does the scrolling.
 *  @param {Document} page @param {Swap} [how] */
export function takeParts(page, { parts = "[data-live]", wanted = () => true, prepare = () => {}, dress = () => {} } = {}) {
  const scrollBack = heldScrolling(parts);
  const fresh = new Map(all(parts, page).map((part) => [nameOf(part), part]));
  for (const part of all(parts)) {
    const next = fresh.get(nameOf(part));
    if (!next || !wanted(nameOf(part))) continue;
    prepare(next);
    if (next.outerHTML !== part.outerHTML) part.replaceWith(document.adoptNode(next));
  }
  scrollBack();
  dress();
}

/** @param {HTMLElement} part */
const nameOf = (part) => part.dataset.live || part.id;

/** How far the parts, and the boxes in them that keep it, are scrolled: a function that scrolls them there again.
 *  @param {string} parts */
function heldScrolling(parts) {
  const held = all(parts).flatMap((part) => [part, ...all("[data-keep-scroll]", part)])
    .map((box) => ({ name: nameOf(box) || box.className, left: box.scrollLeft, top: box.scrollTop }));
  return () => {
    const boxes = [...all(parts), ...all("[data-keep-scroll]")];
    for (const { name, left, top } of held) {
      const box = boxes.find((other) => (nameOf(other) || other.className) === name);
      if (box) Object.assign(box, { scrollLeft: left, scrollTop: top });
    }
  };
}
