// @ts-check
// Menu: the Export menu, and what its scripts say.

import { find, need } from "../../shared/dom.js";

/** The Export menu; a page that hides its tools has none. */
export const menu = () => /** @type {HTMLDetailsElement | null} */ (find(".export"));

/** What the scripts of the menu say.
 *  @returns {import("../../shared/data.js").ExportWords} */
export const words = () => JSON.parse(need(".export").dataset.words ?? "{}");
