// @ts-check
// Fields: what is typed and chosen in the form, and the buttons that fill a field in.

import { around, button } from "../shared/dom.js";
import { applyConditions } from "./controls.js";
import { flip, isOwnMask } from "./edit/mask.js";
import { field, form } from "./page.js";
import { keyOf } from "./renew.js";
import { goTo, goToCell, press } from "./show.js";

const VECTORS = ["q", "k", "v", "labels_q", "labels_k", "labels_d", "labels_v"];

/** The next random matrix after this one.
 *  @param {string} value */
const another = (value) => `random:${Number(value.match(/^random:(\d+)$/)?.[1] ?? 0) + 1}`;

/** A field is filled in, as with the nearest possible choice, and the page asked again.
 *  @param {string} name @param {string} value */
function take(name, value) {
  field(name).value = value;
  applyConditions();
  return goTo({});
}

/** @param {HTMLInputElement} typedIn */
function typed(typedIn) {
  if (typedIn.id === "text") clearVectors();
  applyConditions();
  goTo({}, { history: "type", changed: typedIn.name });
}

/** A sentence takes the place of vectors that were given directly. */
function clearVectors() {
  if (!field("q").value) return;
  for (const name of VECTORS) field(name).value = "";
}

/** @param {Event} event */
const typedIn = (event) => /** @type {HTMLInputElement} */ (event.target);

/** @param {SubmitEvent} event */
function submitted(event) {
  event.preventDefault();
  const by = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (by?.name === "cell" && isOwnMask(by)) return flip(by);
  return by?.name ? press(by) : goTo({});
}

/** Watch the form. */
export function watchFields() {
  form.addEventListener("submit", submitted);
  form.addEventListener("input", (event) => {
    if (!(/** @type {InputEvent} */ (event).isComposing) && !around(event, "select")) typed(typedIn(event));
  });
  form.addEventListener("compositionend", (event) => typed(typedIn(event)));
  form.addEventListener("change", (event) => {
    applyConditions();
    if (around(event, "select")) goTo({}, { changed: typedIn(event).name });
  });
  document.addEventListener("change", (event) => {
    const chooser = around(event, "[data-chooser]");
    if (chooser) goToCell(typedIn(event).value, { focus: keyOf(chooser) });
  });
  document.addEventListener("click", fillIn);
}

/** @param {MouseEvent} event */
function fillIn(event) {
  const preset = button(event, "[data-fill]");
  const name = preset?.dataset.fill;
  if (preset && name) take(name, preset.value === "random" ? another(field(name).value) : preset.value);
  const offer = button(event, "[data-offer]");
  if (offer?.dataset.offer) take(offer.dataset.offer, offer.value);
}
