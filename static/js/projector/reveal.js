// @ts-check
// What may not be seen yet. The server sends every number; here they are only covered, and uncovered one by one.
// A step that is entered with → starts with the chosen row, and the rows below it, covered; rows above stay as worked examples.

import { all, find } from "../shared/dom.js";
import { results } from "./screen.js";

/** Cells that are covered; of each step those shown one by one; parts that were met; steps that are to predict.
 *  @type {[Set<string>, Map<string, string[]>, Set<string>, Set<string>]} */
const [covered, told, met, guessed] = [new Set(), new Map(), new Set(), new Set()];

const UNKNOWN = "?";

/** @param {string} ref */
const rowOf = (ref) => ref.replace(/,?\d+\]$/, "");
/** @param {string} ref */
const headOf = (ref) => rowOf(ref).replace(/,?\d+$/, "");
/** @param {HTMLElement} main */
const chosen = (main) => main.dataset.cell ?? "";
/** @param {HTMLElement} main */
const stepOf = (main) => main.dataset.step ?? "";

/** @param {string} ref */
export const isHidden = (ref) => covered.has(ref);
/** @param {HTMLElement} main */
export const isGuessed = (main) => guessed.has(stepOf(main));

/** Meet a step, a head of it or a part of a long row: where the class is to predict, it is covered, once.
 *  `forward`: the step is entered with →, and from then on it is one to predict.
 *  @param {HTMLElement} main @param {boolean} forward */
export function enter(main, forward) {
  if (!main.dataset.reveals) return;
  const fresh = forward && !isGuessed(main);
  if (fresh) guessed.add(stepOf(main));
  const part = find(".strip", main) ? results(main)[0].value : headOf(chosen(main));
  if (!isGuessed(main) || (met.has(part) && !fresh)) return;
  met.add(part);
  const every = results(main);
  const first = every.findIndex((cell) => rowOf(cell.value) === rowOf(chosen(main)));
  for (const cell of every.slice(first)) covered.add(cell.value);
}

/** Cover what is to be covered on a page, in the cells and in the arithmetic; uncover the rest. The result of the cell that is `held` is covered too.
 *  @param {HTMLElement} main @param {string} held */
export function apply(main, held = "") {
  for (const cell of results(main)) cover(cell, isHidden(cell.value) || cell.value === held);
  const unknown = isHidden(chosen(main));
  find(".panel", main)?.classList.toggle("veiled", unknown && !held);
  for (const result of all("[data-result]", main)) cover(result, unknown || main.dataset.cell === held);
  coverMap(main);
}

/** @param {HTMLElement} element @param {boolean} unknown */
function cover(element, unknown) {
  if (unknown && element.dataset.told === undefined) {
    element.dataset.told = element.textContent;
    element.textContent = UNKNOWN;
    element.removeAttribute("title");
  } else if (!unknown && element.dataset.told !== undefined) {
    element.textContent = element.dataset.told;
    delete element.dataset.told;
  }
  element.classList.toggle("unknown", unknown);
}

/** In a heatmap the colours of covered numbers are covered too.
 *  @param {HTMLElement} main */
function coverMap(main) {
  const map = main.querySelector("[data-map]");
  const row = map?.querySelector(".row");
  if (!map || !row) return;
  map.querySelectorAll(".cover").forEach((old) => old.remove());
  results(main).forEach((cell) => {
    const column = Number(cell.value.match(/(\d+)\]$/)?.[1]);
    if (!isHidden(cell.value)) return;
    const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const looks = { class: "cover", x: column, y: Number(row.getAttribute("y")) + 0.04, width: 0.9, height: 0.88 };
    for (const [name, value] of Object.entries(looks)) box.setAttribute(name, String(value));
    row.before(box);
  });
}

/** The number that comes next: the chosen one, then along the row, then what is left of it, then the rows below; or nothing.
 *  @param {HTMLElement} main */
export function following(main) {
  const refs = results(main).map((cell) => cell.value);
  const here = refs.indexOf(chosen(main));
  if (here < 0) return "";
  const row = rowOf(chosen(main));
  const waiting = [...refs.slice(here), ...refs.slice(0, here).filter((ref) => rowOf(ref) === row)].filter(isHidden);
  return waiting.find((ref) => rowOf(ref) === row) || waiting[0] || refs.find(isHidden) || "";
}

/** Show a number from now on.
 *  @param {HTMLElement} main @param {string} ref */
export function reveal(main, ref) {
  if (!covered.delete(ref)) return;
  told.set(stepOf(main), [...(told.get(stepOf(main)) ?? []), ref]);
}

/** Cover the number shown last, or else the whole chosen row; gives the cell to look at.
 *  @param {HTMLElement} main */
export function hide(main) {
  const order = told.get(stepOf(main)) || [];
  const last = order.pop();
  guessed.add(stepOf(main));
  if (last) {
    covered.add(last);
    return last;
  }
  const row = results(main).filter((cell) => rowOf(cell.value) === rowOf(chosen(main)));
  for (const cell of row) covered.add(cell.value);
  return row[0]?.value || "";
}

/** How many numbers are still covered in the chosen row, and in all.
 *  @param {HTMLElement} main */
export function left(main) {
  const waiting = results(main).filter((cell) => isHidden(cell.value));
  return { row: waiting.filter((cell) => rowOf(cell.value) === rowOf(chosen(main))).length, step: waiting.length };
}
