// Figures: Plotly is fetched when the first figure is wanted, after the page is there.

import { keepTurning } from "./turn.js";

const QUIET = { displayModeBar: false, displaylogo: false, showSendToCloud: false, plotlyServerURL: "", typesetMath: false, responsive: true };

let loading = null;

function plotly({ address, styleIds }) {
  loading ??= new Promise((resolve, reject) => {
    for (const id of styleIds) document.head.append(Object.assign(document.createElement("meta"), { id }));
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      loading = null;
      reject(new Error("plotly"));
    };
    document.head.append(script);
  });
  return loading;
}

const theme = () => (getComputedStyle(document.documentElement).colorScheme === "dark" ? "dark" : "light");

/** Draw every figure that is on the page and not yet drawn as it should be. */
export function drawFigures(data) {
  for (const box of document.querySelectorAll("[data-figure]")) {
    const here = takeUp(box);
    if (here.drawn !== here.dataset.figure) draw(here, data);
  }
}

/** A figure; what is too long for an address is posted. */
function ask(address, longest) {
  if (address.length <= longest) return fetch(address);
  const [path, query] = address.split("?");
  return fetch(path, { method: "POST", body: new URLSearchParams(query) });
}

const kept = new Map();

/** A figure that keeps its box: the one drawn before goes on in the place of the new one, so that nothing flickers. */
function takeUp(box) {
  const old = kept.get(box.dataset.keep);
  if (!box.dataset.keep || old === box) return box;
  if (!old?.plotted) {
    kept.set(box.dataset.keep, box);
    return box;
  }
  for (const name of box.getAttributeNames()) if (name !== "class") old.setAttribute(name, box.getAttribute(name));
  old.classList.toggle("turning", box.classList.contains("turning"));
  box.replaceWith(old);
  return old;
}

const PASSING = 300;
const isWanted = (box, address) => box.isConnected && box.dataset.figure === address;

/** Draw a figure, or draw it anew. A newer wish for the same box overtakes this one.
 *  Who only passes by a stop on the way along does not wait for Plotly to be fetched and read. */
async function draw(box, data) {
  const address = box.dataset.figure;
  box.drawn = address;
  delete box.dataset.ready;
  if (box.dataset.keep && !window.Plotly) await new Promise((resolve) => setTimeout(resolve, PASSING));
  if (!isWanted(box, address)) return;
  try {
    const [library, figure] = await Promise.all([
      plotly(data.plotly),
      ask(`${address}&theme=${theme()}`, data.longest).then((response) => (response.ok ? response.json() : Promise.reject(new Error("figure")))),
    ]);
    if (!isWanted(box, address)) return;
    if (!box.plotted) box.replaceChildren();
    await library.react(box, figure.data, figure.layout, QUIET);
    if (!box.plotted) listen(box, data);
    box.plotted = true;
    if (box.dataset.figure === address) box.dataset.ready = "1";
  } catch {
    if (!isWanted(box, address)) return;
    if (box.plotted) window.Plotly.purge(box);
    box.plotted = false;
    box.textContent = box.dataset.failed || data.plotlyFailed;
    document.dispatchEvent(new CustomEvent("figure-missed"));
  }
}

/** Pressing a cell or a point chooses it; dragging turns what can be turned. */
function listen(box, data) {
  if (box.dataset.keep) keepTurning(box, () => draw(box, data));
  box.on("plotly_click", (event) => {
    const point = event.points[0];
    if (box.dragged) return;
    const cell = point.customdata || `${point.data.meta.step}[${[...point.data.meta.lead, point.pointIndex[0], point.pointIndex[1]].join(",")}]`;
    document.dispatchEvent(new CustomEvent("figure-cell", { detail: cell }));
  });
}
