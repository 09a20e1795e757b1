// Cells: what lights up with a cell, and how the arrow keys move between cells.

/** The matrix a cell stands in, and its place there. */
function placeOf(cell) {
  const box = cell.closest("td");
  return { table: cell.closest("table"), row: box.parentElement.rowIndex - 1, column: box.cellIndex - 1 };
}

const cellAt = (table, row, column) => table.tBodies[0].rows[row]?.cells[column + 1]?.querySelector(".c");

/** The cell so many rows down and columns to the right of a cell, or nothing. */
export function neighbour(cell, down, right) {
  const { table, row, column } = placeOf(cell);
  return column + right < 0 ? null : cellAt(table, row + down, column + right);
}

/** Light what a cell of the result is made from, and its names; without a cell, what the chosen one is made from. */
export function lightUp(cell) {
  document.querySelectorAll(".grid .on").forEach((lit) => lit.classList.remove("on"));
  const result = cell || document.querySelector(".result .c.chosen");
  if (!result) return;
  const { table, row, column } = placeOf(result);
  nameUp(table, row, column);
  for (const other of document.querySelectorAll(".grid[data-lights]")) {
    const kind = other.dataset.lights;
    [...other.tBodies[0].rows].forEach((line, r) => [...line.querySelectorAll(".c")].forEach((box, c) => {
      const lit = kind === "row" ? r === row : kind === "column" ? c === column : r === row && c === column;
      if (lit && cell) box.classList.add("on");
    }));
    nameUp(other, kind === "column" ? -1 : row, kind === "row" ? -1 : column);
  }
}

function nameUp(table, row, column) {
  table.tBodies[0].rows[row]?.cells[0].classList.add("on");
  table.tHead.rows[0].cells[column + 1]?.classList.add("on");
}

/** One stop of the Tab key a matrix: its chosen cell, else a lit one, else the first. */
export function rove(root) {
  for (const table of root.querySelectorAll(".grid")) {
    const cells = [...table.querySelectorAll(".c")];
    const stop = cells.find((cell) => cell.matches(".chosen")) || cells.find((cell) => cell.matches(".lit")) || cells[0];
    for (const cell of cells) cell.tabIndex = cell === stop ? 0 : -1;
  }
}

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity] };

/** Move with the arrow keys inside a matrix; in the result the cell moved to is chosen as well. True where the key was ours. */
export function moveInGrid(event, choose) {
  const step = STEPS[event.key];
  if (!step) return false;
  event.preventDefault();
  const { table, row, column } = placeOf(event.target);
  const last = table.tBodies[0].rows[0].cells.length - 2;
  const next = cellAt(table, row + step[0], Math.min(last, Math.max(0, column + step[1])));
  if (!next || next === event.target) return true;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  if (next.closest(".result")) choose(next);
  return true;
}
