// Shows the answers that came with the page; it computes nothing.
const { cells, start, here } = JSON.parse(document.getElementById("answers").textContent);
const boxes = new Map([...document.querySelectorAll("[data-ref]")].map((box) => [box.dataset.ref, box]));
const at = (name) => document.getElementById(`why-${name}`);
const none = { name: "", value: "", expression: "", note: here, parts: [] };

const operand = ([text, ref, hue]) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `term hue-${hue}`;
  button.dataset.to = ref;
  button.title = cells[ref]?.name || ref;
  button.textContent = text;
  return button;
};

const show = (ref) => {
  const { name, value, expression, note = "", parts = [] } = cells[ref] || none;
  const written = parts.map((part) => (Array.isArray(part) ? part[0] : part)).join("");
  const rest = parts.length && expression.startsWith(written) ? expression.slice(written.length) : "";
  at("ref").textContent = ref;
  at("name").textContent = name;
  at("value").textContent = value || boxes.get(ref).textContent;
  at("note").textContent = note;
  at("sum").replaceChildren(...parts.map((part) => (Array.isArray(part) ? operand(part) : part)), rest);
  at("spoken").textContent = expression ? `${name}: ${expression}` : note;
  document.querySelectorAll(".chosen, .lit").forEach((box) => box.classList.remove("chosen", "lit"));
  parts.filter(Array.isArray).forEach(([, operandRef]) => boxes.get(operandRef).classList.add("lit"));
  boxes.get(ref).classList.add("chosen");
};

const go = (ref) => {
  const box = boxes.get(ref);
  box.closest("table").querySelectorAll("button[tabindex='0']").forEach((other) => { other.tabIndex = -1; });
  box.tabIndex = box.matches("button") ? 0 : -1;
  box.focus({ preventScroll: true });
  box.scrollIntoView({ block: "center", inline: "nearest" });
  show(ref);
};

const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const neighbour = (box, [down, across]) => {
  const cell = box.closest("td");
  const row = cell.parentElement.parentElement.rows[cell.parentElement.sectionRowIndex + down];
  return row?.cells[cell.cellIndex + across]?.querySelector("[data-ref]");
};

document.addEventListener("click", ({ target }) => {
  const box = target.closest("button[data-ref]");
  const term = target.closest("[data-to]");
  if (box) go(box.dataset.ref);
  if (term) go(term.dataset.to);
});
document.addEventListener("keydown", (event) => {
  const box = event.target.closest("button[data-ref]");
  const next = box && steps[event.key] && neighbour(box, steps[event.key]);
  if (!next) return;
  event.preventDefault();
  go(next.dataset.ref);
});
if (start) show(start);
