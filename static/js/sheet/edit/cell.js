// @ts-check
// Editing in the cell: a field opens in place, Enter applies, Esc cancels, Tab and the up and down arrows move on,
// and a block that is pasted fills a block. An edit is one more entry of the field `edits`; the server does the rest.

import { neighbour } from "../../shared/cells.js";
import { made } from "../../shared/dom.js";
import { asTyped } from "../../shared/numbers.js";
import { rowsOf } from "./pasted.js";

/** A cell that is edited: its field, the form's field of all edits, and what puts them to work: false where the server refuses them.
 *  @typedef {object} Editor
 *  @property {HTMLButtonElement} cell
 *  @property {HTMLInputElement} input
 *  @property {HTMLInputElement} field
 *  @property {(cell: HTMLButtonElement) => Promise<boolean | null>} apply */

const CELL = /^([^[]+)\[([\d,]+)\]$/;

/** Edits as a map from cell to number, and back to the text of the field.
 *  @param {string} text */
const readEdits = (text) => new Map(text.split(";").filter((entry) => entry.trim())
  .map((entry) => /** @type {[string, string]} */ (entry.trim().split("="))));

/** @param {Map<string, string>} edits */
const writeEdits = (edits) => [...edits].map((entry) => entry.join("=")).join(";");

/** Open a field in a cell. `apply` takes the new text of the edits and says whether the server took it.
 *  @param {HTMLButtonElement} cell @param {HTMLInputElement} field @param {string} label @param {Editor["apply"]} apply */
export function openEditor(cell, field, label, apply) {
  if (!CELL.test(cell.value) || cell.parentElement?.querySelector(".edit")) return;
  /** @type {Partial<HTMLInputElement>} */
  const looks = { className: "edit", inputMode: "text", autocomplete: "off", autocapitalize: "none", spellcheck: false };
  const input = made("input", { ...looks, value: asTyped(cell.textContent) }); // no keypad: those of iPhones have no minus
  const editor = { cell, input, field, apply };
  input.setAttribute("aria-label", label.replace("%(cell)s", cell.value));
  cell.hidden = true;
  cell.after(input);
  input.select();
  input.addEventListener("keydown", (event) => onKey(event, editor));
  input.addEventListener("paste", (event) => onPaste(event, editor));
  input.addEventListener("blur", () => commit(editor));
}

/** @param {Editor} editor */
function close({ cell, input }) {
  input.dataset.closed = "1";
  input.remove();
  cell.hidden = false;
}

/** @param {Editor} editor @param {() => void} [next] */
async function commit(editor, next) {
  const { cell, input } = editor;
  if (input.dataset.closed) return;
  const before = asTyped(cell.textContent);
  const text = asTyped(input.value);
  close(editor);
  if (text !== "" && text !== before) await put(new Map([[cell.value, text]]), editor);
  return next?.();
}

/** Add edits; where the server refuses them, the field is as it was before.
 *  @param {Map<string, string>} cells @param {Editor} editor */
async function put(cells, { cell, field, apply }) {
  const old = field.value;
  const edits = readEdits(old);
  for (const [name, value] of cells) edits.set(name, value);
  field.value = writeEdits(edits);
  if ((await apply(cell)) === false) field.value = old;
}

/** @param {KeyboardEvent} event @param {Editor} editor */
function onKey(event, editor) {
  const { cell } = editor;
  /** @type {Record<string, [number, number]>} */
  const moves = { Tab: [0, event.shiftKey ? -1 : 1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
  if (event.isComposing) return;
  event.stopPropagation();
  if (event.key === "Escape") {
    event.preventDefault();
    close(editor);
    cell.focus();
  } else if (event.key === "Enter") {
    event.preventDefault();
    commit(editor);
  } else if (moves[event.key]) {
    const next = neighbour(cell, ...moves[event.key])?.value;
    if (!next) return;
    event.preventDefault();
    commit(editor, () => document.dispatchEvent(new CustomEvent("edit-cell", { detail: next })));
  }
}

/** @param {ClipboardEvent} event @param {Editor} editor */
function onPaste(event, editor) {
  const rows = rowsOf(event.clipboardData?.getData("text") ?? "");
  if (!rows.length) return;
  event.preventDefault();
  const cells = new Map();
  rows.forEach((row, down) => row.forEach((number, right) => {
    const target = neighbour(editor.cell, down, right);
    if (target && asTyped(number) !== "") cells.set(target.value, asTyped(number));
  }));
  close(editor);
  put(cells, editor);
}
