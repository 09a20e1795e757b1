// @ts-check
// Keyboard: arrows walk in a matrix and along the way, Enter opens a cell, Esc leaves. A matrix lights up under pointer and focus.

import { lightUp, moveInGrid } from "../shared/cells.js";
import { around, button, find } from "../shared/dom.js";
import { edit } from "./edit/edits.js";
import { isOwnMask } from "./edit/mask.js";
import { leave } from "./panels.js";
import { goTo, press } from "./show.js";

const TURNS = /** @type {Record<string, string>} */ ({ ArrowLeft: "previous", ArrowRight: "following" });
const TURNS_IN_MAP = /** @type {Record<string, string>} */ ({ ...TURNS, ArrowUp: "previous", ArrowDown: "following" });
const OWN_KEYS = "input, textarea, select, summary, .chip, .arcs, .picture, .figure, .space-table";

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return undefined;
  const cell = event.target.matches(".c") && button(event, ".c");
  if (cell && cell.matches(".chosen") && ["Enter", "F2"].includes(event.key) && !isOwnMask(cell)) {
    event.preventDefault();
    return edit(cell);
  }
  if (cell && moveInGrid(event, cell, press)) return undefined;
  if (event.key === "Escape") return leave(event.target);
  return event.target.matches(OWN_KEYS) ? undefined : turn(event);
}

/** To the step before or after; the focus of the map goes along.
 *  @param {KeyboardEvent} event */
function turn(event) {
  const inMap = around(event, ".map");
  const way = (inMap ? TURNS_IN_MAP : TURNS)[event.key];
  const pager = way && /** @type {HTMLButtonElement | null} */ (find(`[data-turn="${way}"]`));
  if (!pager) return;
  event.preventDefault();
  goTo({ at: pager.value }, { focus: inMap ? JSON.stringify(["at", pager.value, "steps", ""]) : "" });
}

/** Watch keys, pointer and focus. */
export function watchKeyboard() {
  document.addEventListener("keydown", onKey);
  document.addEventListener("pointerover", (event) => lightUp(button(event, ".result .c")));
  document.addEventListener("focusin", (event) => lightUp(button(event, ".result .c")));
}
