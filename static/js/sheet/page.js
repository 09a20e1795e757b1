// @ts-check
// Page: the form of the sheet, and what the server says once for all scripts of it.

import { read } from "../shared/data.js";
import { need } from "../shared/dom.js";

export const form = /** @type {HTMLFormElement} */ (need("#f"));
export const data = /** @type {import("../shared/data.js").PageData} */ (read("page-data"));

/** A field of the form by its name.
 *  @param {string} name */
export const fieldNow = (name) => /** @type {HTMLInputElement | null} */ (form.elements.namedItem(name));

/** A field of the form that every sheet has.
 *  @param {string} name */
export function field(name) {
  const found = fieldNow(name);
  if (!found) throw new Error(`no field ${name}`);
  return found;
}
