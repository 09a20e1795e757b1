// @ts-check
// Controls: only what applies to the chosen form is shown; the conditions come from the server with each field.

import { all } from "../shared/dom.js";
import { field, form } from "./page.js";

/** Show the fields whose conditions hold, hide the others. */
export function applyConditions() {
  for (const control of all("[data-only]", form)) control.hidden = !holds(control.dataset.only ?? "");
}

/** A field that itself has no part hinders too: no window without a mask, no mask in a state space.
 *  @param {string} conditions @returns {boolean} */
const holds = (conditions) => conditions.split(";").every((condition) => {
  const [name, values] = condition.split("=");
  const other = field(name);
  const deeper = /** @type {HTMLElement | null} */ (other.closest("[data-only]"))?.dataset.only;
  return values.split(",").includes(other.value || other.placeholder) && (!deeper || holds(deeper));
});

/** True for a field that has no part in the chosen form.
 *  @param {HTMLInputElement | null} control */
export const isIdle = (control) => Boolean(/** @type {HTMLElement | null | undefined} */ (control?.closest?.("[data-only]"))?.hidden);
