// @ts-check
// Presses: two in a row on one cell, or one that lasts.

const LONG = 550;
const NEAR = 6;

import { button } from "../../shared/dom.js";

/** Call `twice` with the name of a cell that is pressed twice, `long` with one that a finger stays on.
 *
 *  It is the first press that says which cell is meant: its answer may put another picture under the pointer before the second.
 *  The presses are counted where they are made, since a click, and so a `dblclick`, never comes where the answer renews the cell
 *  while the button is held. Where `twice` takes the double press, the click that ends it does nothing else.
 *  @param {{ twice: (ref: string) => boolean, long: (ref: string) => void }} calls */
export function watchPresses({ twice, long }) {
  let first = "";
  /** @type {MouseEvent | null} */
  let second = null;
  let ended = false;
  document.addEventListener("mousedown", (event) => {
    if (event.button !== 0) return;
    if (event.detail === 1) first = button(event, ".c")?.value ?? "";
    second = event.detail === 2 && first ? event : null;
    ended = false;
  });
  document.addEventListener("mouseup", (event) => {
    const near = second && Math.hypot(event.clientX - second.clientX, event.clientY - second.clientY) < NEAR;
    ended = Boolean(near && twice(first));
    second = null;
  });
  document.addEventListener("click", (event) => {
    if (!ended) return;
    ended = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  let timer = 0;
  document.addEventListener("pointerdown", (event) => {
    const cell = event.pointerType === "touch" && button(event, ".c");
    clearTimeout(timer);
    if (cell) timer = setTimeout(() => long(cell.value), LONG);
  });
  for (const end of ["pointerup", "pointercancel", "pointermove"]) document.addEventListener(end, () => clearTimeout(timer));
}
