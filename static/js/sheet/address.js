// @ts-check
// Address: the address bar follows what is shown, and the form follows an address.

import { all, need } from "../shared/dom.js";
import { fieldNow } from "./page.js";

/** The address bar holds the address that the page says of itself. What is typed in one go is one step back.
 *  @param {"push" | "type"} history */
export function remember(history) {
  const { address } = need(".step").dataset;
  if (!address) return; // it is too long to be kept
  const typing = history === "type";
  const same = address === location.pathname + location.search || (typing && window.history.state?.typing);
  window.history[same ? "replaceState" : "pushState"]({ typing }, "", address);
}

/** @param {string} selector @param {ParentNode} root */
const inputs = (selector, root) => /** @type {HTMLInputElement[]} */ (all(selector, root));

/** The fields of the form take the values of an address, as after the Back button.
 *  @param {Document} page */
export function fillFrom(page) {
  for (const field of inputs("#f input:not([type=hidden]), #f select, #f textarea", page)) {
    const here = fieldNow(field.name);
    if (here && here.value !== field.value) here.value = field.value;
  }
}
