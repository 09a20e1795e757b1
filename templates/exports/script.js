// @ts-check
// Shows the answers that came with the page; it computes nothing.

/** A part of a sum: a sign, or an operand with its text, its cell and its colour.
 *  @typedef {string | [string, string, string]} Part */

/** What a cell says of itself.
 *  @typedef {object} Answer
 *  @property {string} name
 *  @property {string} [value]
 *  @property {string} [expression]
 *  @property {string} [note]
 *  @property {Part[]} [parts] */

/** What came with the page: the answers, the cell to begin with, and what is said of a cell without an answer.
 *  @typedef {object} Answers
 *  @property {Record<string, Answer>} cells
 *  @property {string} start
 *  @property {string} here */

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} selector @param {ParentNode} root @returns {HTMLElement[]} */
const all = (selector, root) => Array.from(root.querySelectorAll(selector));
/** @param {Event} event @param {string} selector @returns {HTMLElement | null} */
const around = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

const answers = /** @type {Answers} */ (JSON.parse(byId("answers").textContent ?? ""));
const { cells, start, here } = answers;
const boxes = new Map(all("[data-ref]", document).map((box) => [box.dataset.ref ?? "", box]));
/** @param {string} name */
const at = (name) => byId(`why-${name}`);
/** @type {Answer} */
const none = { name: "", note: here };

/** @param {[string, string, string]} part */
const operand = ([text, ref, hue]) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `term hue-${hue}`;
  button.dataset.to = ref;
  button.title = cells[ref]?.name || ref;
  button.textContent = text;
  return button;
};

/** @param {string} ref */
const show = (ref) => {
  const { name, value, expression = "", note = "", parts = [] } = cells[ref] || none;
  const written = parts.map((part) => (Array.isArray(part) ? part[0] : part)).join("");
  const rest = parts.length && expression.startsWith(written) ? expression.slice(written.length) : "";
  at("ref").textContent = ref;
  at("name").textContent = name;
  at("value").textContent = value || (boxes.get(ref)?.textContent ?? "");
  at("note").textContent = note;
  at("sum").replaceChildren(...parts.map((part) => (Array.isArray(part) ? operand(part) : part)), rest);
  at("spoken").textContent = expression ? `${name}: ${expression}` : note;
  for (const box of all(".chosen, .lit", document)) box.classList.remove("chosen", "lit");
  for (const part of parts) if (Array.isArray(part)) boxes.get(part[1])?.classList.add("lit");
  boxes.get(ref)?.classList.add("chosen");
};

/** @param {string} ref */
const go = (ref) => {
  const box = boxes.get(ref);
  const table = box?.closest("table");
  if (!box || !table) return;
  for (const other of all("button[tabindex='0']", table)) other.tabIndex = -1;
  box.tabIndex = box.matches("button") ? 0 : -1;
  box.focus({ preventScroll: true });
  box.scrollIntoView({ block: "center", inline: "nearest" });
  show(ref);
};

/** @type {Record<string, [number, number]>} */
const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The name of the cell so many rows down and columns across, or nothing.
 *  @param {HTMLElement} box @param {[number, number]} step */
const neighbour = (box, [down, across]) => {
  const cell = /** @type {HTMLTableCellElement} */ (box.closest("td"));
  const line = /** @type {HTMLTableRowElement} */ (cell.parentElement);
  const row = /** @type {HTMLTableSectionElement} */ (line.parentElement).rows[line.sectionRowIndex + down];
  const next = /** @type {HTMLElement | null | undefined} */ (row?.cells[cell.cellIndex + across]?.querySelector("[data-ref]"));
  return next?.dataset.ref;
};

document.addEventListener("click", (event) => {
  const ref = around(event, "button[data-ref]")?.dataset.ref ?? around(event, "[data-to]")?.dataset.to;
  if (ref) go(ref);
});
document.addEventListener("keydown", (event) => {
  const box = around(event, "button[data-ref]");
  const next = box && steps[event.key] && neighbour(box, steps[event.key]);
  if (!next) return;
  event.preventDefault();
  go(next);
});
if (start) show(start);
