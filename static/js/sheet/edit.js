// Editing in the cell: a field opens in place, Enter applies, Esc cancels, Tab and the up and down arrows move on,
// and a block that is pasted fills a block. An edit is one more entry of the field `edits`; the server does the rest.

import { neighbour } from "../shared/cells.js";

const CELL = /^([^[]+)\[([\d,]+)\]$/;

/** Edits as a map from cell to number, and back to the text of the field. */
const readEdits = (text) => new Map(text.split(";").filter((entry) => entry.trim()).map((entry) => entry.trim().split("=")));
const writeEdits = (edits) => [...edits].map((entry) => entry.join("=")).join(";");

/** What a person types or pastes as a number: full-width digits and a true minus sign are understood. */
const plain = (text) => text.normalize("NFKC").replace(/\u2212/g, "-").trim();

/** Open a field in a cell. `apply` takes the new text of the edits and says whether the server took it. */
export function openEditor(cell, field, label, apply) {
  if (!CELL.test(cell.value) || cell.parentElement.querySelector(".edit")) return;
  const input = Object.assign(document.createElement("input"), { className: "edit", value: plain(cell.textContent) });
  input.setAttribute("aria-label", label.replace("%(cell)s", cell.value));
  input.inputMode = "decimal";
  cell.hidden = true;
  cell.after(input);
  input.select();
  input.addEventListener("keydown", (event) => onKey(event, cell, input, field, apply));
  input.addEventListener("paste", (event) => onPaste(event, cell, input, field, apply));
  input.addEventListener("blur", () => commit(cell, input, field, apply));
}

function close(cell, input) {
  input.dataset.closed = "1";
  input.remove();
  cell.hidden = false;
}

async function commit(cell, input, field, apply, next = null) {
  if (input.dataset.closed) return;
  const before = plain(cell.textContent);
  const text = plain(input.value);
  close(cell, input);
  if (text !== "" && text !== before) await put(new Map([[cell.value, text]]), cell, field, apply);
  return next?.();
}

/** Add edits; where the server refuses them, the field is as it was before. */
async function put(cells, cell, field, apply) {
  const old = field.value;
  const edits = readEdits(old);
  for (const [name, value] of cells) edits.set(name, value);
  field.value = writeEdits(edits);
  if ((await apply(cell)) === false) field.value = old;
}

function onKey(event, cell, input, field, apply) {
  const moves = { Tab: [0, event.shiftKey ? -1 : 1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  if (event.isComposing) return;
  event.stopPropagation();
  if (event.key === "Escape") {
    event.preventDefault();
    close(cell, input);
    cell.focus();
  } else if (event.key === "Enter") {
    event.preventDefault();
    commit(cell, input, field, apply);
  } else if (moves[event.key]) {
    const next = neighbour(cell, ...moves[event.key])?.value;
    if (!next) return;
    event.preventDefault();
    commit(cell, input, field, apply, () => document.dispatchEvent(new CustomEvent("edit-cell", { detail: next })));
  }
}

function onPaste(event, cell, input, field, apply) {
  const rows = event.clipboardData.getData("text").replace(/\r/g, "").replace(/\n$/, "").split("\n").map((row) => row.split(/\t|,\s*|;\s*/));
  if (rows.length === 1 && rows[0].length === 1) return;
  event.preventDefault();
  const cells = new Map();
  rows.forEach((row, down) => row.forEach((text, right) => {
    const target = neighbour(cell, down, right);
    if (target && plain(text) !== "") cells.set(target.value, plain(text));
  }));
  close(cell, input);
  put(cells, cell, field, apply);
}
