// @ts-check
// Fingers: a swipe goes to the next or the last step, a tap beside everything shows the next number.

import { around } from "../shared/dom.js";

const FAR = 60;
const STILL = 12;
const OWN = "button, a, dialog, input, [data-map], .blank";

/** `swipe(right)` and `tap()` are called; a finger on a button or a cell is left to it.
 *  @param {{ swipe: (right: boolean) => void, tap: () => void }} calls */
export function onTouch({ swipe, tap }) {
  /** @type {{ x: number, y: number } | null} */
  let start = null;
  let swiped = 0;
  document.addEventListener("pointerdown", (event) => {
    start = event.pointerType === "mouse" || !event.isPrimary ? null : { x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointercancel", () => {
    start = null;
  });
  document.addEventListener("pointerup", (event) => {
    if (!start) return;
    const [right, down] = [event.clientX - start.x, event.clientY - start.y];
    start = null;
    if (Math.abs(right) > FAR && Math.abs(right) > 2 * Math.abs(down)) {
      swiped = event.timeStamp;
      swipe(right > 0);
    } else if (Math.hypot(right, down) < STILL && !around(event, OWN)) {
      tap();
    }
  });
  document.addEventListener("click", (event) => {
    if (event.timeStamp - swiped < 100) event.stopPropagation();
    if (event.timeStamp - swiped < 100) event.preventDefault();
  }, { capture: true });
}
