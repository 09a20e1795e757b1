// @ts-check
// Renew: parts of a page that has just come take the place of the old ones; the focus and the live region go with them.

import { lightUp, rove } from "../shared/cells.js";
import { all, find, made, need } from "../shared/dom.js";
import { takeParts } from "../shared/swap.js";
import { applyConditions } from "./controls.js";
import { drawFigures } from "./figure/figure.js";
import { data, field, fieldNow, form } from "./page.js";

const spoken = made("p", { className: "unseen", role: "status" });
document.body.append(spoken);

/** Put the new parts in place of the old; focus and scroll stay where they were.
 *  @param {Document} page @param {string} focus @param {(name: string) => boolean} [wanted] */
export function takeOver(page, focus, wanted) {
  const held = focus || keyOf(document.activeElement);
  takeParts(page, { wanted, dress: () => dressAfter(page) });
  restoreFocus(held);
}

/** @param {Document} page */
function dressAfter(page) {
  copyPlaceholders(page);
  applyConditions();
  dress();
}

/** @param {Document} page */
function copyPlaceholders(page) {
  for (const { name, placeholder } of /** @type {HTMLInputElement[]} */ (all("#f [placeholder]", page))) {
    const here = fieldNow(name);
    if (here) here.placeholder = placeholder;
  }
}

/** A way to find the same button again after the page has changed: what it does, and where it stands.
 *  @param {Element | null} element */
export function keyOf(element) {
  if (!element?.closest("[data-live]")) return "";
  if (element instanceof HTMLButtonElement && element.name) {
    const place = element.closest("table")?.className || element.parentElement?.className;
    return JSON.stringify([element.name, element.value, place, element.dataset.turn || ""]);
  }
  const chooser = [...document.querySelectorAll("[data-chooser]")].indexOf(element);
  return chooser >= 0 ? JSON.stringify(["chooser", chooser]) : "";
}

/** @param {string} key */
function restoreFocus(key) {
  if (!key) return;
  const [name, value, , turn] = JSON.parse(key);
  if (name === "chooser") return all("[data-chooser]")[value]?.focus({ preventScroll: true });
  const same = /** @type {HTMLButtonElement[]} */ (all(turn ? `[data-turn="${turn}"]` : `button[name="${name}"]`));
  const match = same.find((button) => button.value === value && keyOf(button) === key)
    || same.find((button) => button.value === value) || (turn && same[0]);
  if (match && match !== document.activeElement) match.focus({ preventScroll: true });
}

/** What every fresh page needs: one stop of the Tab key per matrix, names lit, figures drawn, the sum said. */
export function dress() {
  rove(document);
  lightUp(null);
  for (const message of all("[id^=error-]", form)) {
    field(message.id.slice("error-".length)).ariaInvalid = String(message.textContent !== "");
  }
  speak();
  drawFigures(data);
  centreMap();
}

/** On a phone the map is a strip: the step that is shown stands in its middle. */
function centreMap() {
  const current = find(".map li.current");
  const strip = find(".map");
  if (!current || !strip || strip.scrollWidth <= strip.clientWidth) return;
  const [here, whole] = [current.getBoundingClientRect(), strip.getBoundingClientRect()];
  strip.scrollLeft += here.left + here.width / 2 - (whole.left + whole.width / 2);
}

/** The live region says the chosen cell when it changes, and the step too when that changes; nothing as the page opens. */
function speak() {
  const { step } = need(".step").dataset;
  const said = need("[data-spoken]");
  const sentence = said.textContent ?? "";
  if (spoken.dataset.step && spoken.dataset.step !== step) spoken.textContent = said.dataset.spokenStep ?? "";
  else if (spoken.dataset.step && spoken.dataset.said !== sentence) spoken.textContent = sentence;
  Object.assign(spoken.dataset, { step, said: sentence });
}
