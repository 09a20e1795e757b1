// @ts-check
// The page that prepares a link: every change asks the server for the same page and takes over the parts that changed.

import { asked } from "../shared/address.js";
import { copyText } from "../shared/copy.js";
import { all, button, find, made, need } from "../shared/dom.js";
import { watch } from "../shared/reach.js";
import { askServer, missed, reached, takeParts } from "../shared/swap.js";

const form = /** @type {HTMLFormElement} */ (need("#class"));
const words = /** @type {import("../shared/data.js").CopyWords & { offline: string }} */ ({ ...form.dataset });

document.documentElement.classList.add("scripted");

/** The form as an address of this page; empty fields are left out. */
function addressOf() {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return asked(form, new URLSearchParams(fields.filter(([name, value]) => value !== "" || name === "text")).toString());
}

async function update() {
  const address = addressOf();
  const answer = await askServer(address, {}, update, sayOffline);
  if (!answer) return;
  if (!find("#class", answer.page)) return void missed(sayOffline, answer);
  reached();
  takeOver(answer.page);
  if (answer.response.ok) history.replaceState(null, "", address);
}

/** @param {string} said */
function sayOffline(said) {
  const message = made("p", { className: "error", textContent: said || words.offline });
  const place = need("[data-live=errors]", form);
  if (place.textContent !== message.textContent) place.replaceChildren(message);
}

/** Put the new parts in place of the old; boxes and choices follow the answer and keep the focus.
 *  @param {Document} page */
function takeOver(page) {
  takeParts(page);
  for (const box of /** @type {HTMLInputElement[]} */ (all("#class [type=checkbox]", page))) {
    Object.assign(need(`[type=checkbox][value="${box.value}"]`, form), { checked: box.checked, disabled: box.disabled });
  }
  const [steps, here] = [need("#at", page), need("#at", form)];
  if (steps.innerHTML !== here.innerHTML) here.replaceChildren(...[...steps.children].map((step) => document.adoptNode(step)));
  const text = find("#text", form);
  if (text) text.ariaInvalid = String(Boolean(find("#text[aria-invalid]", page)));
}

form.addEventListener("input", (event) => {
  if (!(/** @type {InputEvent} */ (event).isComposing)) update();
});
form.addEventListener("compositionend", update);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  update();
});
document.addEventListener("click", (event) => {
  const copier = button(event, "[data-copy-link]");
  if (copier) copyText(copier.value, words);
});
watch(update);
