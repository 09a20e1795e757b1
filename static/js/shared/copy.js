// Copying a text: to the clipboard where the browser lets us, else into a field where it stands selected.
// Browsers offer no clipboard over plain HTTP under another host name, as in a classroom.

/** Copy a text and say so. `words`: `copied` (said when it is done), `select` (over the field), `close` (its button).
 *  True where the clipboard took it. */
export async function copyText(text, words) {
  if (await taken(text)) {
    announce(words.copied);
    return true;
  }
  offer(text, words);
  return false;
}

async function taken(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no clipboard here, or it may not be used
  }
}

/** Say something in the corner and to the screen reader; it goes away by itself. */
export function announce(message) {
  const home = document.querySelector("dialog.copying[open]") || document.body; // behind an open dialog nothing is said
  let box = home.querySelector(":scope > [data-copied]");
  if (!box) {
    box = Object.assign(document.createElement("p"), { className: "copied" });
    box.dataset.copied = "";
    box.setAttribute("role", "status");
    home.append(box);
  }
  clearTimeout(Number(box.dataset.timer));
  box.textContent = "";
  setTimeout(() => { box.textContent = message; }, 50); // a status that changes is said, also the same one again
  box.dataset.timer = setTimeout(() => { box.textContent = ""; }, 4000);
}

/** A dialog with the text, selected and ready to copy; Esc or the button closes it. */
function offer(text, words) {
  document.querySelector("dialog.copying")?.remove();
  const dialog = Object.assign(document.createElement("dialog"), { className: "copying" });
  const label = Object.assign(document.createElement("label"), { textContent: words.select });
  const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, rows: text.includes("\n") ? 14 : 3, spellcheck: false });
  const close = Object.assign(document.createElement("button"), { type: "button", textContent: words.close || "×" });
  if (!words.close) close.ariaLabel = words.select;
  const before = document.activeElement;
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
