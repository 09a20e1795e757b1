// @ts-check
// Cells: what lights up with a cell, and how the arrow keys move between cells.

import { all, cells, find } from "./dom.js";

/** The matrix a cell stands in, and its place there.
 *  @param {HTMLButtonElement} cell */
function placeOf(cell) {
  const box = /** @type {HTMLTableCellElement} */ (cell.closest("td"));
  const row = /** @type {HTMLTableRowElement} */ (box.parentElement);
  const table = /** @type {HTMLTableElement} */ (cell.closest("table"));
  return { table, row: row.rowIndex - 1, column: box.cellIndex - 1 };
}

/** @param {HTMLTableElement} table @param {number} row @param {number} column @returns {HTMLButtonElement | null | undefined} */
const cellAt = (table, row, column) => table.tBodies[0].rows[row]?.cells[column + 1]?.querySelector(".c");

/** The cell so many rows down and columns to the right of a cell, or nothing.
 *  @param {HTMLButtonElement} cell @param {number} down @param {number} right */
export function neighbour(cell, down, right) {
  const { table, row, column } = placeOf(cell);
  return column + right < 0 ? null : cellAt(table, row + down, column + right);
}

/** Light what a cell of the result is made from, and its names; without a cell, what the chosen one is made from.
 *  @param {HTMLButtonElement | null} cell */
export function lightUp(cell) {
  for (const lit of all(".grid .on")) lit.classList.remove("on");
  const result = cell || /** @type {HTMLButtonElement | null} */ (find(".result .c.chosen"));
  if (!result) return;
  const { table, row, column } = placeOf(result);
  nameUp(table, row, column);
  for (const other of /** @type {HTMLTableElement[]} */ (all(".grid[data-lights]"))) {
    const kind = other.dataset.lights;
    if (cell) lightPart(other, (r, c) => (kind === "row" ? r === row : kind === "column" ? c === column : r === row && c === column));
    nameUp(other, kind === "column" ? -1 : row, kind === "row" ? -1 : column);
  }
}

/** @param {HTMLTableElement} table @param {(row: number, column: number) => boolean} isLit */
function lightPart(table, isLit) {
  [...table.tBodies[0].rows].forEach((line, r) => cells(".c", line).forEach((box, c) => {
    if (isLit(r, c)) box.classList.add("on");
  }));
}

/** @param {HTMLTableElement} table @param {number} row @param {number} column */
function nameUp(table, row, column) {
  table.tBodies[0].rows[row]?.cells[0].classList.add("on");
  table.tHead?.rows[0].cells[column + 1]?.classList.add("on");
}

/** One stop of the Tab key a matrix: its chosen cell, else a lit one, else the first.
 *  @param {ParentNode} root */
export function rove(root) {
  for (const table of all(".grid", root)) {
    const inside = cells(".c", table);
    const stop = inside.find((cell) => cell.matches(".chosen")) || inside.find((cell) => cell.matches(".lit")) || inside[0];
    for (const cell of inside) cell.tabIndex = cell === stop ? 0 : -1;
  }
}

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity] };

/** Move with the arrow keys inside a matrix; in the result the cell moved to is chosen as well. True where the key was ours.
 *  @param {KeyboardEvent} event @param {HTMLButtonElement} cell @param {(cell: HTMLButtonElement) => void} choose */
export function moveInGrid(event, cell, choose) {
  const step = STEPS[event.key];
  if (!step) return false;
  event.preventDefault();
  const { table, row, column } = placeOf(cell);
  const last = table.tBodies[0].rows[0].cells.length - 2;
  const next = cellAt(table, row + step[0], Math.min(last, Math.max(0, column + step[1])));
  if (!next || next === cell) return true;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  if (next.closest(".result")) choose(next);
  return true;
}
