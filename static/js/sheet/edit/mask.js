// @ts-check
// Mask: a cell of the reader's own mask is turned over with one press.

import { around, cells, find } from "../../shared/dom.js";
import { applyConditions } from "../controls.js";
import { field } from "../page.js";
import { keyOf } from "../renew.js";
import { goTo } from "../show.js";

/** True for a cell of a mask that the reader writes.
 *  @param {Element | null | undefined} cell */
export const isOwnMask = (cell) => Boolean(cell?.matches(".result .c[value*='mask[']")) && field("mask").value === "custom";

/** Turn a cell over: the mask becomes the reader's own, written as rows of 1 and 0.
 *  @param {HTMLButtonElement} cell */
export function flip(cell) {
  const rows = [...(cell.closest("table")?.tBodies[0].rows ?? [])].map((row) => cells(".c", row)
    .map((box) => (box === cell ? String(1 - Number(box.textContent)) : box.textContent)).join(""));
  field("mask").value = "custom";
  field("allow").value = rows.join(";");
  applyConditions();
  return goTo({ cell: cell.value }, { focus: keyOf(cell) });
}

/** Watch the button that turns the chosen cell over. */
export function watchFlip() {
  document.addEventListener("click", (event) => {
    const chosen = around(event, "[data-flip]") && find(".result .c.chosen");
    if (chosen) flip(/** @type {HTMLButtonElement} */ (chosen));
  });
}
