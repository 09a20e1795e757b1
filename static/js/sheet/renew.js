// Renew: parts of a page that has just come take the place of the old ones; focus, scroll and the live region go with them.

import { lightUp, rove } from "../shared/cells.js";
import { applyConditions } from "./controls.js";
import { drawFigures } from "./figure.js";
import { data, form } from "./page.js";

const spoken = Object.assign(document.createElement("p"), { className: "unseen" });
spoken.setAttribute("role", "status");
document.body.append(spoken);

const live = (root) => [...root.querySelectorAll("[data-live]")];
const nameOf = (element) => element.dataset.live;

/** Put the new parts in place of the old; focus and scroll stay where they were. */
export function takeOver(page, focus, wanted = () => true) {
  const held = focus || keyOf(document.activeElement);
  const scrolled = live(document).flatMap((part) => [part, ...part.querySelectorAll("[data-keep-scroll]")])
    .map((part) => [part.dataset.live || part.className, part.scrollLeft, part.scrollTop]);
  const fresh = new Map(live(page).map((part) => [nameOf(part), part]));
  for (const part of live(document)) {
    const next = fresh.get(nameOf(part));
    if (next && wanted(nameOf(part)) && next.outerHTML !== part.outerHTML) part.replaceWith(document.adoptNode(next));
  }
  for (const [name, left, top] of scrolled) {
    const part = document.querySelector(`[data-live="${name}"]`)
      || [...document.querySelectorAll("[data-keep-scroll]")].find((other) => other.className === name);
    if (part) Object.assign(part, { scrollLeft: left, scrollTop: top });
  }
  copyPlaceholders(page);
  applyConditions(form);
  dress();
  restoreFocus(held);
}

function copyPlaceholders(page) {
  for (const field of page.querySelectorAll("#f [placeholder]")) {
    const here = form.elements[field.name];
    if (here) here.placeholder = field.placeholder;
  }
}

/** A way to find the same button again after the page has changed: what it does, and where it stands. */
export function keyOf(element) {
  if (!element?.closest("[data-live]")) return "";
  if (element.matches("button[name]")) {
    const place = element.closest("table")?.className || element.parentElement.className;
    return JSON.stringify([element.name, element.value, place, element.dataset.turn || ""]);
  }
  return element.matches("[data-chooser]") ? JSON.stringify(["chooser", [...document.querySelectorAll("[data-chooser]")].indexOf(element)]) : "";
}

function restoreFocus(key) {
  if (!key) return;
  const [name, value, place, turn] = JSON.parse(key);
  if (name === "chooser") return void document.querySelectorAll("[data-chooser]")[value]?.focus({ preventScroll: true });
  const same = [...document.querySelectorAll(turn ? `[data-turn="${turn}"]` : `button[name="${name}"]`)];
  const match = same.find((button) => button.value === value && keyOf(button) === key)
    || same.find((button) => button.value === value) || (turn && same[0]);
  if (match && match !== document.activeElement) match.focus({ preventScroll: true });
}

/** What every fresh page needs: one stop of the Tab key per matrix, names lit, figures drawn, the sum said. */
export function dress() {
  rove(document);
  lightUp(null);
  for (const message of form.querySelectorAll("[id^=error-]")) {
    form.elements[message.id.slice("error-".length)].ariaInvalid = String(message.textContent !== "");
  }
  speak();
  drawFigures(data);
  const current = document.querySelector(".map li.current");
  const strip = document.querySelector(".map");
  if (!current || strip.scrollWidth <= strip.clientWidth) return;
  const [here, whole] = [current.getBoundingClientRect(), strip.getBoundingClientRect()];
  strip.scrollLeft += here.left + here.width / 2 - (whole.left + whole.width / 2);
}

/** The live region says the chosen cell when it changes, and the step too when that changes; nothing as the page opens. */
function speak() {
  const step = document.querySelector(".step").dataset.step;
  const said = document.querySelector("[data-spoken]");
  const sentence = said.textContent;
  if (spoken.dataset.step && spoken.dataset.step !== step) spoken.textContent = said.dataset.spokenStep;
  else if (spoken.dataset.step && spoken.dataset.said !== sentence) spoken.textContent = sentence;
  Object.assign(spoken.dataset, { step, said: sentence });
}
