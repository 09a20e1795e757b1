// @ts-check
// Figures: Plotly is fetched when the first figure is wanted, after the page is there.

import { addingTo } from "../../shared/address.js";
import { all, made } from "../../shared/dom.js";
import { keepTurning } from "./turn.js";

/** @typedef {import("../../shared/data.js").PageData} PageData */

/** A point or a cell of a figure that was pressed.
 *  @typedef {{ customdata?: string, pointIndex: number[], data: { meta: { step: string, lead: number[] } } }} Point */

/** The little of Plotly that is used.
 *  @typedef {object} Plotly
 *  @property {(box: HTMLElement, data: unknown, layout: unknown, config: object) => Promise<unknown>} react
 *  @property {(box: HTMLElement) => void} purge
 *  @property {(box: HTMLElement, options: object) => Promise<string>} toImage */

/** The box of a figure: the address drawn in it, whether it is there, whether it was just dragged; `on` is Plotly's.
 *  @typedef {HTMLElement & { drawn?: string, plotted?: boolean, dragged?: boolean,
 *    on?: (event: string, call: (event: { points: Point[] }) => void) => void }} Box */

const QUIET = { displayModeBar: false, displaylogo: false, showSendToCloud: false, plotlyServerURL: "", typesetMath: false, responsive: true };

/** Plotly, once it is there. */
export const library = () => /** @type {{ Plotly?: Plotly }} */ (/** @type {unknown} */ (window)).Plotly;

/** @type {Promise<Plotly> | null} */
let loading = null;

/** @param {PageData["plotly"]} files @returns {Promise<Plotly>} */
function plotly({ address, styleIds }) {
  loading ??= new Promise((resolve, reject) => {
    for (const id of styleIds) document.head.append(made("meta", { id }));
    const fail = () => {
      loading = null;
      reject(new Error("plotly"));
    };
    const arrive = () => {
      const here = library();
      if (here) resolve(here);
      else fail();
    };
    document.head.append(made("script", { src: address, onload: arrive, onerror: fail }));
  });
  return loading;
}

const theme = () => (getComputedStyle(document.documentElement).colorScheme === "dark" ? "dark" : "light");

/** Draw every figure that is on the page and not yet drawn as it should be.
 *  @param {PageData} data */
export function drawFigures(data) {
  for (const box of all("[data-figure]")) {
    const here = takeUp(box);
    if (here.drawn !== here.dataset.figure) draw(here, data);
  }
}

/** What Plotly draws at an address; what is too long for one is posted.
 *  @param {string} address @param {number} longest @returns {Promise<{ data: unknown, layout: unknown }>} */
async function ask(address, longest) {
  const { pathname, search } = new URL(address, location.href);
  const response = await (address.length <= longest ? fetch(address) : fetch(pathname, { method: "POST", body: new URLSearchParams(search) }));
  if (!response.ok) throw new Error("figure");
  return response.json();
}

/** @type {Map<string, Box>} */
const kept = new Map();

/** A figure that keeps its box: the one drawn before goes on in the place of the new one, so that nothing flickers.
 *  @param {Box} box @returns {Box} */
function takeUp(box) {
  const name = box.dataset.keep;
  const old = name ? kept.get(name) : box;
  if (!name || old === box) return box;
  if (!old?.plotted) {
    kept.set(name, box);
    return box;
  }
  for (const looks of box.getAttributeNames()) if (looks !== "class") old.setAttribute(looks, box.getAttribute(looks) ?? "");
  old.classList.toggle("turning", box.classList.contains("turning"));
  box.replaceWith(old);
  return old;
}

const PASSING = 300;

/** @param {Box} box @param {string} address */
const isWanted = (box, address) => box.isConnected && box.dataset.figure === address;

/** Draw a figure, or draw it anew. A newer wish for the same box overtakes this one.
 *  Who only passes by a stop on the way along does not wait for Plotly to be fetched and read.
 *  @param {Box} box @param {PageData} data */
async function draw(box, data) {
  const address = box.dataset.figure ?? "";
  box.drawn = address;
  delete box.dataset.ready;
  if (box.dataset.keep && !library()) await new Promise((resolve) => setTimeout(resolve, PASSING));
  if (!isWanted(box, address)) return;
  try {
    const [drawer, figure] = await Promise.all([plotly(data.plotly), ask(addingTo(address, { theme: theme() }), data.longest)]);
    if (!isWanted(box, address)) return;
    if (!box.plotted) box.replaceChildren();
    await drawer.react(box, figure.data, figure.layout, QUIET);
    if (!box.plotted) listen(box, data);
    box.plotted = true;
    if (box.dataset.figure === address) box.dataset.ready = "1";
  } catch {
    if (isWanted(box, address)) fail(box, data);
  }
}

/** In the place of the figure it is said that there is none.
 *  @param {Box} box @param {PageData} data */
function fail(box, data) {
  if (box.plotted) library()?.purge(box);
  box.plotted = false;
  box.textContent = box.dataset.failed || data.plotlyFailed;
  document.dispatchEvent(new CustomEvent("figure-missed"));
}

/** Pressing a cell or a point chooses it; dragging turns what can be turned.
 *  @param {Box} box @param {PageData} data */
function listen(box, data) {
  if (box.dataset.keep) keepTurning(box, () => draw(box, data));
  box.on?.("plotly_click", ({ points: [point] }) => {
    if (box.dragged) return;
    document.dispatchEvent(new CustomEvent("figure-cell", { detail: point.customdata || cellOf(point) }));
  });
}

/** @param {Point} point */
function cellOf({ data: { meta }, pointIndex: [row, column] }) {
  return `${meta.step}[${[...meta.lead, row, column].join(",")}]`;
}
