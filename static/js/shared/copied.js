// @ts-check
// Copied: numbers that are selected in our matrices and copied keep their rows and columns, and carry a minus that programs read.

import { all } from "./dom.js";
import { asTyped } from "./numbers.js";

/** The element that holds all of a selection.
 *  @param {Range} range */
const holder = (range) => /** @type {Element | null} */ (
  range.commonAncestorContainer instanceof Element ? range.commonAncestorContainer : range.commonAncestorContainer.parentElement);

/** A cell's own text: words as they are, a number as a program reads it; not its slope.
 *  @param {HTMLTableCellElement} cell */
function textOf(cell) {
  const text = (cell.querySelector(".c") ?? cell).textContent?.trim() ?? "";
  return cell.tagName === "TD" ? asTyped(text) : text;
}

/** What is selected of a table: a line a row, tabs between cells.
 *  @param {HTMLTableElement} table @param {Range} range */
const linesOf = (table, range) => [...table.rows].map((row) => [...row.cells].filter((cell) => range.intersectsNode(cell)))
  .filter((row) => row.length).map((row) => row.map(textOf).join("\t")).join("\n");

/** The text of a selection inside our numbers; nothing where it is of something else.
 *  @param {Selection} selection */
function textFor(selection) {
  const range = selection.getRangeAt(0);
  const inside = holder(range);
  if (!inside) return "";
  if (inside.closest("td, .value, .sum, .vectors, .result-line")) return asTyped(selection.toString());
  if (inside.closest("th")) return "";
  const whole = inside.closest("table");
  const near = inside.closest(".picture, .cross, .line") ? all("table", inside) : [];
  const tables = whole ? [whole] : near.filter((table) => range.intersectsNode(table));
  return tables.map((table) => linesOf(/** @type {HTMLTableElement} */ (table), range)).join("\n\n");
}

/** Watch for copying. */
export function watchCopies() {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !event.clipboardData) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, dialog")) return;
    const text = textFor(selection);
    if (!text) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", text);
  });
}
