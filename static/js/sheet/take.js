// Take it home: pictures in pixels, and code that goes to the clipboard. The files come from the server as they are.

import { announce, copyText } from "../shared/copy.js";

const words = () => JSON.parse(document.querySelector(".export").dataset.words);

document.addEventListener("click", (event) => {
  const saver = event.target.closest("[data-save]");
  const copier = event.target.closest("[data-copy]");
  if (saver) save(saver, event);
  if (copier) copy(copier.dataset.copy);
});

/** The code of a file, as text. */
async function copy(ending) {
  try {
    const answer = await ask(ending);
    copyText(await answer.text(), words());
  } catch {
    announce(words().failed);
  }
}

/** Ask for the file that a link or a button of the menu leads to. */
async function ask(ending) {
  const source = document.querySelector(`.export [data-ending="${ending}"]`);
  const answer = await (source.href
    ? fetch(source.href)
    : fetch(source.formAction, { method: "POST", body: new URLSearchParams(new FormData(source.form)) }));
  if (!answer.ok) throw new Error("export");
  return answer;
}

/** Save the picture: the figure that Plotly has drawn, else the server's; as SVG the latter is a plain link. */
async function save(button, event) {
  const group = button.closest(".take") || document.querySelector(".step .take");
  const whole = group?.hasAttribute("data-whole"); // of two scenarios the server draws both
  const figure = whole ? null : group?.closest(".card")?.querySelector(".js-plotly-plot");
  const kind = button.dataset.save;
  if (!figure && kind === "svg") return;
  event.preventDefault();
  const name = `${document.querySelector(".export").dataset.name}.${kind}`;
  try {
    download(figure ? await drawn(figure, kind) : await toPixels(await (await ask("svg")).blob()), name);
  } catch {
    announce(words().failed);
  }
}

/** What Plotly has drawn, at twice its size where it is made of pixels. */
function drawn(figure, format) {
  const { width, height } = figure.getBoundingClientRect();
  return window.Plotly.toImage(figure, { format, width, height, scale: format === "png" ? 2 : 1 });
}

const LARGEST = 12_000;

/** An SVG drawn at twice its size, or as large as a canvas may be; the address of a PNG. */
async function toPixels(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(image.src);
  }
  const scale = Math.min(2, LARGEST / image.naturalWidth, LARGEST / image.naturalHeight);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.naturalWidth * scale);
  canvas.height = Math.round(image.naturalHeight * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  return URL.createObjectURL(blob);
}

function download(address, name) {
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  if (address.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(address), 10_000); // the browser has read it by then
}
