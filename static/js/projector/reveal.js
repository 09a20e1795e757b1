// What may not be seen yet. The server sends every number; here they are only covered, and uncovered one by one.
// A step that is entered with → starts with the chosen row, and the rows below it, covered; rows above stay as worked examples.

const covered = new Set();
const told = new Map();
const met = new Set();
const guessed = new Set();

const UNKNOWN = "?";
const cells = (main) => [...main.querySelectorAll(".result .c")];
const rowOf = (ref) => ref.replace(/,?\d+\]$/, "");
const headOf = (ref) => rowOf(ref).replace(/,?\d+$/, "");

export const isHidden = (ref) => covered.has(ref);
export const isGuessed = (main) => guessed.has(main.dataset.step);

/** Meet a step, a head of it or a part of a long row: where the class is to predict, it is covered, once.
 *  `forward`: the step is entered with →, and from then on it is one to predict. */
export function enter(main, forward) {
  if (!main.dataset.reveals) return;
  const fresh = forward && !isGuessed(main);
  if (fresh) guessed.add(main.dataset.step);
  const part = main.querySelector(".strip") ? cells(main)[0].value : headOf(main.dataset.cell);
  if (!isGuessed(main) || (met.has(part) && !fresh)) return;
  met.add(part);
  const all = cells(main);
  const first = all.findIndex((cell) => rowOf(cell.value) === rowOf(main.dataset.cell));
  for (const cell of all.slice(first)) covered.add(cell.value);
}

/** Cover what is to be covered on a page, in the cells and in the arithmetic; uncover the rest. */
export function apply(main, held = "") {
  for (const cell of cells(main)) cover(cell, isHidden(cell.value) || cell.value === held);
  const unknown = isHidden(main.dataset.cell);
  main.querySelector(".panel")?.classList.toggle("veiled", unknown && !held);
  for (const result of main.querySelectorAll("[data-result]")) cover(result, unknown || main.dataset.cell === held);
  coverMap(main);
}

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

/** In a heatmap the colours of covered numbers are covered too. */
function coverMap(main) {
  const map = main.querySelector("[data-map]");
  const row = map?.querySelector(".row");
  if (!row) return;
  map.querySelectorAll(".cover").forEach((old) => old.remove());
  cells(main).forEach((cell) => {
    const column = Number(cell.value.match(/(\d+)\]$/)[1]);
    if (!isHidden(cell.value)) return;
    const box = document.createElementNS(map.namespaceURI, "rect");
    const looks = { class: "cover", x: column, y: Number(row.getAttribute("y")) + 0.04, width: 0.9, height: 0.88 };
    for (const [name, value] of Object.entries(looks)) box.setAttribute(name, value);
    row.before(box);
  });
}

/** The number that comes next: the chosen one, then along the row, then what is left of it, then the rows below; or nothing. */
export function following(main) {
  const all = cells(main);
  const here = all.findIndex((cell) => cell.value === main.dataset.cell);
  if (here < 0) return "";
  const ordered = [...all.slice(here), ...all.slice(0, here).filter((cell) => rowOf(cell.value) === rowOf(main.dataset.cell))];
  const waiting = ordered.filter((cell) => isHidden(cell.value));
  return (waiting.find((cell) => rowOf(cell.value) === rowOf(main.dataset.cell)) || waiting[0] || all.find((cell) => isHidden(cell.value)))?.value || "";
}

export function reveal(main, ref) {
  if (!covered.delete(ref)) return;
  const order = told.get(main.dataset.step) || [];
  told.set(main.dataset.step, [...order, ref]);
}

/** Cover the number shown last, or else the whole chosen row; gives the cell to look at. */
export function hide(main) {
  const order = told.get(main.dataset.step) || [];
  const last = order.pop();
  guessed.add(main.dataset.step);
  if (last) {
    covered.add(last);
    return last;
  }
  const row = cells(main).filter((cell) => rowOf(cell.value) === rowOf(main.dataset.cell));
  for (const cell of row) covered.add(cell.value);
  return row[0]?.value || "";
}

/** How many numbers are still covered in the chosen row, and in all. */
export function left(main) {
  const waiting = cells(main).filter((cell) => isHidden(cell.value));
  return { row: waiting.filter((cell) => rowOf(cell.value) === rowOf(main.dataset.cell)).length, step: waiting.length };
}
