// @ts-check
// Telling: a short message for the room, and the live region for the screen reader.

import { need } from "../shared/dom.js";
import * as play from "./play.js";
import * as hidden from "./reveal.js";
import { words } from "./screen.js";

const [live, toast] = [need("#live"), need("#toast")];
const LASTS = 4000;
let fading = 0;

/** A short message for everybody in the room.
 *  @param {string} message */
export function tell(message) {
  toast.textContent = live.textContent = message;
  toast.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(hush, LASTS);
}

/** The message goes. */
export function hush() {
  toast.hidden = true;
}

/** The live region: the chosen number as far as it may be known, and the step where it is new.
 *  @param {HTMLElement} main @param {boolean} newStep */
export function say(main, newStep) {
  const { cell = "", named = "", spoken, unsaid } = main.dataset;
  const said = (hidden.isHidden(cell) || play.isHolding() ? unsaid : spoken) || "";
  const step = words().step.replace("%(step)s", named).replace("%(said)s", said);
  live.textContent = newStep ? step : said;
}
