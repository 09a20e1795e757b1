// Opening an exported .json again: chosen in the menu, or dropped anywhere on the page. The file names the query; the server does the rest.

const menu = () => document.querySelector(".export");
const words = () => JSON.parse(menu().dataset.words);
const MEGABYTE = 2 ** 20;

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-open]")) return;
  const [file] = event.target.files;
  event.target.value = ""; // the same file can be chosen again
  if (file) open(file);
});

async function open(file) {
  menu().open = false;
  if (file.size > menu().dataset.largest * MEGABYTE) return say(words().tooLarge.replace("%(size)s", Math.ceil(file.size / MEGABYTE)));
  let text;
  try {
    text = await file.text();
  } catch {
    return say(words().unreadable);
  }
  return read(text);
}

function read(text) {
  let document_;
  try {
    document_ = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return say(words().notJson);
  }
  const query = document_?.query;
  if (typeof query !== "string" || !Array.isArray(document_.steps)) return say(words().notExport);
  return document.dispatchEvent(new CustomEvent("open-query", { detail: query }));
}

/** Where the server says what is wrong with what was typed. */
function say(message) {
  const box = document.querySelector("[data-live=errors]");
  box.textContent = message;
  box.scrollIntoView({ block: "nearest" });
}

/* Dropping. */
const carriesFiles = (event) => menu() && [...(event.dataTransfer?.types || [])].includes("Files");
let hint = null;

document.addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  hint ??= Object.assign(document.createElement("p"), { className: "drop-hint", textContent: words().drop });
  document.body.append(hint);
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) hide();
});
document.addEventListener("drop", (event) => {
  hide();
  if (!carriesFiles(event)) return;
  event.preventDefault();
  const { files } = event.dataTransfer;
  if (files.length === 1) open(files[0]);
  else say(words().oneFile);
});

function hide() {
  hint?.remove();
  hint = null;
}
