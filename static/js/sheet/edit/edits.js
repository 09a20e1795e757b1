// @ts-check
// Edits: which cell a field opens in, and the bar that takes edits back.

import { around, cells } from "../../shared/dom.js";
import { data, field } from "../page.js";
import { keyOf } from "../renew.js";
import { goTo, goToCell } from "../show.js";
import { openEditor } from "./cell.js";
import { isOwnMask } from "./mask.js";
import { watchPresses } from "./presses.js";

/** Open a field in a cell; what is typed there becomes an edit.
 *  @param {HTMLButtonElement} cell */
export function edit(cell) {
  openEditor(cell, field("edits"), data.editLabel, (changed) => goToCell(changed.value, { focus: keyOf(changed) }));
}

/** A cell by its name: the one of the result, where it is drawn more than once.
 *  @param {string} ref */
const findCell = (ref) => [...cells(".result .c"), ...cells(".c")].find((cell) => cell.value === ref);

/** Open a field in the cell that has this name now; true where there is one.
 *  @param {string} ref */
function editNow(ref) {
  const cell = findCell(ref);
  if (cell) edit(cell);
  return Boolean(cell);
}

/** Watch presses of cells, and the bar above the picture: back, forward, and all edits away. */
export function watchEdits() {
  document.addEventListener("edit-cell", (event) => editNow(/** @type {CustomEvent<string>} */ (event).detail));
  watchPresses({ twice: (ref) => !isOwnMask(findCell(ref)) && editNow(ref), long: editNow });
  document.addEventListener("click", (event) => {
    if (around(event, "[data-undo]")) window.history.back();
    if (around(event, "[data-redo]")) window.history.forward();
    if (around(event, "[data-clear]")) {
      field("edits").value = "";
      goTo({});
    }
  });
}
