// @ts-check
// Screen: the page of the projector that is shown, and what the server says with it.

import { asked } from "../shared/address.js";
import { read } from "../shared/data.js";
import { cells, need } from "../shared/dom.js";

/** @returns {HTMLElement} */
export const screen = () => need("main.screen");

/** Where each move leads.
 *  @returns {import("../shared/data.js").ProjectorLinks} */
export const links = () => JSON.parse(screen().dataset.links ?? "{}");

/** What the scripts say, in the language of the page.
 *  @returns {import("../shared/data.js").ProjectorWords} */
export const words = () => read("words");

/** The list of keys. */
export const dialog = () => /** @type {HTMLDialogElement} */ (need("#keys"));

/** The cells of the result.
 *  @param {HTMLElement} main */
export const results = (main) => cells(".result .c", main);

/** The address of a cell or a step, built as the form would send it.
 *  @param {Record<string, string>} change */
export function addressOf(change) {
  const form = /** @type {HTMLFormElement} */ (need("#f"));
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return asked(form, new URLSearchParams([...fields, ...Object.entries(change)]).toString());
}
