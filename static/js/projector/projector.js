// @ts-check
// The projector: keys, clicks and touches become actions; an action leads to a page of the server that takes the place of this one.
// Nothing is computed here. What may not be seen yet is in reveal.js, the playing of a product in play.js.

import { watchCopies } from "../shared/copied.js";
import { around, button, find, link, need } from "../shared/dom.js";
import { act, isBlank, toggleBlank } from "./actions.js";
import { dress, go } from "./go.js";
import { jump } from "./jump.js";
import { actionOf } from "./keys.js";
import * as play from "./play.js";
import * as hidden from "./reveal.js";
import { addressOf, dialog, screen } from "./screen.js";
import { onTouch } from "./touch.js";

/** @typedef {import("./actions.js").Action} Action */

const KEEP_OPEN = ["larger", "smaller", "slower", "faster"];
let byTab = false;

document.documentElement.classList.add("scripted");
watchCopies();

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || ["Shift", "CapsLock"].includes(event.key)) return;
  if (isBlank()) {
    event.preventDefault();
    return toggleBlank();
  }
  if (event.key === "Tab") byTab = true;
  if (dialog().open) return void (event.key === "?" && dialog().close());
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key === " " && byTab && target.matches("button, a")) {
    event.preventDefault();
    return target.click();
  }
  const found = actionOf(event);
  if (!found) return;
  event.preventDefault();
  if (found.digit) jump(found.digit);
  else if (found.action && (!event.repeat || found.repeats)) act(found.action);
}

/** @param {MouseEvent} event */
function onClick(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const action = /** @type {Action | undefined} */ (button(event, "[data-act]")?.dataset.act);
  const dot = link(event, ".dot");
  const map = /** @type {SVGSVGElement | null} */ (/** @type {Element | null} */ (around(event, "[data-map]")));
  if (dot) jumpTo(dot.href);
  else if (map && find(".strip", screen())) go(addressOf({ cell: cellAt(map, event) }));
  else if (!action) return;
  else if (!KEEP_OPEN.includes(action)) dialog().close();
  event.preventDefault();
  if (action) act(action);
}

/** @param {string} address */
function jumpTo(address) {
  play.stop();
  go(address);
}

/** The cell under a point of a heatmap.
 *  @param {SVGSVGElement} map @param {MouseEvent} event */
function cellAt(map, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM()?.inverse());
  const [, step, lead] = map.dataset.map?.match(/^(.+)\[((?:\d+,)?)\d+,\d+\]$/) || [];
  const most = map.viewBox.baseVal;
  /** @param {number} value @param {number} count */
  const within = (value, count) => Math.max(0, Math.min(Math.floor(count) - 1, Math.floor(value)));
  return step ? `${step}[${lead}${within(point.y, most.height)},${within(point.x, most.width)}]` : map.dataset.map ?? "";
}

/** @param {SubmitEvent} event */
function onSubmit(event) {
  if (/** @type {HTMLElement} */ (event.target).id !== "f") return;
  event.preventDefault();
  jumpTo(addressOf({ cell: /** @type {HTMLButtonElement} */ (event.submitter).value }));
}

document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick);
document.addEventListener("submit", onSubmit);
document.addEventListener("pointerdown", () => {
  byTab = false;
});
need("#blank").addEventListener("click", toggleBlank);
onTouch({
  swipe: (right) => act(right ? "previous" : "following"),
  tap: () => !isBlank() && !dialog().open && act("reveal"),
});

hidden.enter(screen(), false);
dress();
