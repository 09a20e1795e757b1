// @ts-check
// Copying a text: to the clipboard where the browser lets us, else into a field where it stands selected.
// Browsers offer no clipboard over plain HTTP under another host name, as in a classroom.

import { find, made } from "./dom.js";

/** @typedef {import("./data.js").CopyWords} CopyWords */

/** Copy a text and say so. `words`: `copied` (said when it is done), `select` (over the field), `close` (its button).
 *  True where the clipboard took it.
 *  @param {string} text @param {CopyWords} words */
export async function copyText(text, words) {
  if (await taken(text)) {
    announce(words.copied);
    return true;
  }
  offer(text, words);
  return false;
}

/** @param {string} text */
async function taken(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no clipboard here, or it may not be used
  }
}

/** Say something in the corner and to the screen reader; it goes away by itself.
 *  @param {string} message */
export function announce(message) {
  const home = find("dialog.copying[open]") || document.body; // behind an open dialog nothing is said
  const box = find(":scope > [data-copied]", home) || corner(home);
  clearTimeout(Number(box.dataset.timer));
  box.textContent = "";
  setTimeout(() => { box.textContent = message; }, 50); // a status that changes is said, also the same one again
  box.dataset.timer = String(setTimeout(() => { box.textContent = ""; }, 4000));
}

/** The box in the corner.
 *  @param {HTMLElement} home */
function corner(home) {
  const box = made("p", { className: "copied", role: "status" });
  box.dataset.copied = "";
  home.append(box);
  return box;
}

/** A dialog with the text, selected and ready to copy; Esc or the button closes it.
 *  @param {string} text @param {CopyWords} words */
function offer(text, words) {
  document.querySelector("dialog.copying")?.remove();
  const dialog = made("dialog", { className: "copying" });
  const label = made("label", { textContent: words.select });
  const field = made("textarea", { value: text, readOnly: true, rows: text.includes("\n") ? 14 : 3, spellcheck: false });
  const close = made("button", { type: "button", textContent: words.close || "×" });
  if (!words.close) close.ariaLabel = words.select;
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  label.append(field);
  dialog.append(label, close);
  document.body.append(dialog);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    before?.focus?.({ preventScroll: true });
  });
  dialog.addEventListener("keydown", (event) => event.stopPropagation()); // the page's own keys rest meanwhile
  dialog.addEventListener("copy", () => announce(words.copied));
  dialog.showModal();
  field.focus();
  field.select();
  field.scrollTop = 0;
}
