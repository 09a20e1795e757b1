// @ts-check
// Opening an exported .json again: chosen in the menu, or dropped anywhere on the page. The file names the query; the server does the rest.

import { around, made, need } from "../../shared/dom.js";
import { menu, words } from "./menu.js";

const MEGABYTE = 2 ** 20;

document.addEventListener("change", (event) => {
  const chooser = /** @type {HTMLInputElement | null} */ (around(event, "[data-open]"));
  const file = chooser?.files?.[0];
  if (chooser) chooser.value = ""; // the same file can be chosen again
  if (file) open(file);
});

/** @param {File} file */
async function open(file) {
  menu()?.removeAttribute("open");
  if (file.size > Number(menu()?.dataset.largest) * MEGABYTE) return say(words().tooLarge.replace("%(size)s", String(Math.ceil(file.size / MEGABYTE))));
  let text;
  try {
    text = await file.text();
  } catch {
    return say(words().unreadable);
  }
  return read(text);
}

/** @param {string} text */
function read(text) {
  let document_;
  try {
    document_ = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return say(words().notJson);
  }
  const query = document_?.query;
  if (typeof query !== "string" || !Array.isArray(document_.steps)) say(words().notExport);
  else document.dispatchEvent(new CustomEvent("open-query", { detail: query }));
}

/** Where the server says what is wrong with what was typed.
 *  @param {string} message */
function say(message) {
  const box = need("[data-live=errors]");
  box.textContent = message;
  box.scrollIntoView({ block: "nearest" });
}

/* Dropping. */

/** @param {DragEvent} event */
const carriesFiles = (event) => menu() && [...(event.dataTransfer?.types || [])].includes("Files");

/** @type {HTMLElement | null} */
let hint = null;

document.addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  hint ??= made("p", { className: "drop-hint", textContent: words().drop });
  document.body.append(hint);
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) hide();
});
document.addEventListener("drop", (event) => {
  hide();
  if (!carriesFiles(event)) return;
  event.preventDefault();
  const files = event.dataTransfer?.files ?? [];
  if (files.length === 1) open(files[0]);
  else say(words().oneFile);
});

function hide() {
  hint?.remove();
  hint = null;
}
