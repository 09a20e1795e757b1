// The page that prepares a link: every change asks the server for the same page and takes over the parts that changed.

import { copyText } from "../shared/copy.js";
import { askPage, found, lost, watch } from "../shared/reach.js";

const form = document.getElementById("class");
let waiting = null;

document.documentElement.classList.add("scripted");

/** The form as an address of this page; empty fields are left out. */
function addressOf() {
  const fields = new URLSearchParams([...new FormData(form)].filter(([name, value]) => value !== "" || name === "text"));
  return `/class?${fields}`;
}

async function update() {
  waiting?.abort();
  const mine = new AbortController();
  waiting = mine;
  const address = addressOf();
  try {
    const { response, text } = await askPage(address, { headers: { Accept: "text/html" } }, mine, update);
    const page = new DOMParser().parseFromString(text, "text/html");
    if (!page.getElementById("class")) throw new Error("another page");
    found();
    takeOver(page);
    if (response.ok) history.replaceState(null, "", address);
  } catch (error) {
    if (error.name === "AbortError") return;
    lost();
    sayOffline();
  }
}

function sayOffline() {
  const message = Object.assign(document.createElement("p"), { className: "error", textContent: form.dataset.offline });
  const place = form.querySelector("[data-live=errors]");
  if (place.textContent !== message.textContent) place.replaceChildren(message);
}

/** Put the new parts in place of the old; boxes and choices follow the answer and keep the focus. */
function takeOver(page) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (next && next.outerHTML !== part.outerHTML) part.replaceWith(document.adoptNode(next));
  }
  for (const box of page.querySelectorAll("#class [type=checkbox]")) {
    Object.assign(form.querySelector(`[type=checkbox][value="${box.value}"]`), { checked: box.checked, disabled: box.disabled });
  }
  const steps = page.getElementById("at");
  if (steps.innerHTML !== form.elements.at.innerHTML) form.elements.at.replaceChildren(...[...steps.children].map((step) => document.adoptNode(step)));
  if (form.elements.text) form.elements.text.ariaInvalid = String(Boolean(page.querySelector("#text[aria-invalid]")));
}

form.addEventListener("input", (event) => {
  if (!event.isComposing) update();
});
form.addEventListener("compositionend", update);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  update();
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy-link]");
  if (button) copyText(button.value, form.dataset);
});
watch(update);
