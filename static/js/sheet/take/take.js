// @ts-check
// Take it home: pictures in pixels, and code that goes to the clipboard. The files come from the server as they are.

import { announce, copyText } from "../../shared/copy.js";
import { button, find, made, need } from "../../shared/dom.js";
import { library } from "../figure/figure.js";
import { words } from "./menu.js";

document.addEventListener("click", (event) => {
  const saver = button(event, "[data-save]");
  const copied = button(event, "[data-copy]")?.dataset.copy;
  if (saver) save(saver, event);
  if (copied) copy(copied);
});

/** The code of a file, as text.
 *  @param {string} ending */
async function copy(ending) {
  try {
    const answer = await ask(ending);
    copyText(await answer.text(), words());
  } catch {
    announce(words().failed);
  }
}

/** Ask for the file that a link or a button of the menu leads to.
 *  @param {string} ending */
async function ask(ending) {
  const source = /** @type {HTMLAnchorElement | HTMLButtonElement} */ (need(`.export [data-ending="${ending}"]`));
  const answer = await (source instanceof HTMLAnchorElement ? fetch(source.href) : post(source));
  if (!answer.ok) throw new Error("export");
  return answer;
}

/** What is too long for an address is posted.
 *  @param {HTMLButtonElement} source */
function post(source) {
  const fields = [...new FormData(source.form ?? undefined)].map(([name, value]) => [name, String(value)]);
  return fetch(source.formAction, { method: "POST", body: new URLSearchParams(fields) });
}

/** Save the picture: the figure that Plotly has drawn, else the server's; as SVG the latter is a plain link.
 *  @param {HTMLElement} saver @param {MouseEvent} event */
async function save(saver, event) {
  const group = saver.closest(".take") || find(".step .take");
  const whole = group?.hasAttribute("data-whole"); // of two scenarios the server draws both
  const card = whole ? null : group?.closest(".card");
  const figure = card ? find(".js-plotly-plot", card) : null;
  const kind = saver.dataset.save ?? "";
  if (!figure && kind === "svg") return;
  event.preventDefault();
  const name = `${need(".export").dataset.name}.${kind}`;
  try {
    download(figure ? await drawn(figure, kind) : await toPixels(await (await ask("svg")).blob()), name);
  } catch {
    announce(words().failed);
  }
}

/** What Plotly has drawn, at twice its size where it is made of pixels.
 *  @param {HTMLElement} figure @param {string} format */
async function drawn(figure, format) {
  const { width, height } = figure.getBoundingClientRect();
  const drawer = library();
  if (!drawer) throw new Error("plotly");
  return drawer.toImage(figure, { format, width, height, scale: format === "png" ? 2 : 1 });
}

const LARGEST = 12_000;

/** An SVG drawn at twice its size, or as large as a canvas may be; the address of a PNG.
 *  @param {Blob} svg */
async function toPixels(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(image.src);
  }
  const scale = Math.min(2, LARGEST / image.naturalWidth, LARGEST / image.naturalHeight);
  const [width, height] = [Math.round(image.naturalWidth * scale), Math.round(image.naturalHeight * scale)];
  const canvas = made("canvas", { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  if (!blob) throw new Error("canvas");
  return URL.createObjectURL(blob);
}

/** @param {string} address @param {string} name */
function download(address, name) {
  const link = made("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  if (address.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(address), 10_000); // the browser has read it by then
}
