// @ts-check
// A product, played: its terms appear one by one, the two numbers of each come out of their matrices, then the row and the column move on.

import { all, cells, find, made, need } from "../shared/dom.js";
import * as hidden from "./reveal.js";
import { results, words } from "./screen.js";

/** What the playing asks of the page: the next cell, that its result may be seen, that it has ended.
 *  @typedef {{ next: (cell: string) => Promise<boolean>, shown: (main: HTMLElement) => void, ended: () => unknown }} Wishes */

/** A product that is played: terms on the screen, the result too, and whether it goes on by itself.
 *  @typedef {{ shown: number, answered: boolean, running: boolean }} Playing */

const SPEEDS = [4000, 2800, 2000, 1400, 1000, 700, 450, 300];
const KEPT = "haibun.projector.speed";
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
/** @type {Playing | null} */
let on = null;
let timer = 0;
/** @type {Wishes} */
let wishes = { next: async () => false, shown: () => {}, ended: () => {} };
/** @type {HTMLElement} */
let main;

/** @param {Wishes} given */
export const connect = (given) => Object.assign(wishes, given);
export const isOn = () => on !== null;
/** True while the result of the cell that is played is not to be known yet. */
export const isHolding = () => on !== null && !on.answered;

const step = () => Number(sessionStorage.getItem(KEPT) ?? 4);
/** The speed in words.
 *  @param {string} said */
export const speed = (said) => said.replace("%(seconds)s", String(SPEEDS[step()] / 1000));

/** Play faster, or slower where the change is negative.
 *  @param {number} change */
export function faster(change) {
  sessionStorage.setItem(KEPT, String(Math.max(0, Math.min(SPEEDS.length - 1, step() + change))));
  draw();
}

/** Start, pause, or play on. Where no motion is wanted each press shows the next term.
 *  @param {HTMLElement} screen */
export function toggle(screen) {
  main = screen;
  if (!on) {
    on = { shown: 0, answered: false, running: !still.matches };
    return term();
  }
  if (still.matches) return term();
  on.running = !on.running;
  return draw();
}

export function stop() {
  clearTimeout(timer);
  on = null;
}

/** A fresh page while playing: its first term.
 *  @param {HTMLElement} screen */
export function dress(screen) {
  main = screen;
  if (!on) return;
  if (!main.dataset.plays) return stop();
  draw();
}

const lines = () => all("[data-line]", main);

/** One term further: the next line, then the result, then the next cell; nothing after the last. */
export function term() {
  if (!on) return undefined;
  if (on.shown < lines().length) {
    on.shown += 1;
    draw();
    return fly(lines()[on.shown - 1]);
  }
  if (!on.answered) {
    on.answered = true;
    draw();
    return wishes.shown(main);
  }
  const next = nextCell();
  if (!next) return wishes.ended();
  Object.assign(on, { shown: 1, answered: false });
  return wishes.next(next).then((came) => came && on && fly(lines()[0]));
}

export function back() {
  if (!on) return;
  if (on.answered) on.answered = false;
  else if (on.shown > 1) on.shown -= 1;
  on.running = false;
  draw();
}

function nextCell() {
  const refs = results(main).map((cell) => cell.value);
  return refs[refs.indexOf(main.dataset.cell ?? "") + 1];
}

/** Lines not yet there keep their place; the two numbers of the newest are framed; the next term is due after a while. */
function draw() {
  clearTimeout(timer);
  if (!on) return;
  const { shown, answered, running } = on;
  lines().forEach((line, place) => {
    line.classList.toggle("later", place >= shown);
    line.classList.toggle("now", place === shown - 1 && !answered);
  });
  const newest = answered ? undefined : lines()[shown - 1];
  const now = newest ? all("[data-ref]", newest).map((part) => part.dataset.ref) : [];
  for (const cell of factors()) cell.classList.toggle("now", now.includes(cell.value));
  hidden.apply(main, answered ? "" : main.dataset.cell);
  find(".panel", main)?.classList.remove("veiled");
  showBar(running);
  if (running) timer = setTimeout(term, SPEEDS[step()]);
}

/** The cells of the two matrices that are multiplied. */
const factors = () => cells(".left .c, .above .c", main);

/** @param {boolean} running */
function showBar(running) {
  need("[data-bar=keys]", main).hidden = true;
  const bar = need("[data-bar=play]", main);
  bar.hidden = false;
  bar.classList.toggle("running", running);
  need("[data-speed]", bar).textContent = speed(words().seconds);
}

/** The numbers of a term come from their cells to their places in the line.
 *  @param {HTMLElement | undefined} line */
function fly(line) {
  if (still.matches || !line) return;
  for (const part of all("[data-ref]", line)) {
    const cell = factors().find((other) => other.value === part.dataset.ref);
    if (cell) move(cell, part);
  }
}

/** @param {HTMLElement} cell @param {HTMLElement} part */
function move(cell, part) {
  const [from, to] = [cell.getBoundingClientRect(), part.getBoundingClientRect()];
  const ghost = made("div", { className: "ghost", textContent: part.textContent, ariaHidden: "true" });
  const px = { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px`, height: `${from.height}px` };
  Object.assign(ghost.style, px, { fontSize: getComputedStyle(cell).fontSize });
  document.body.append(ghost);
  const way = `translate(${to.left + to.width / 2 - from.left - from.width / 2}px, ${to.top + to.height / 2 - from.top - from.height / 2}px)`;
  const flight = ghost.animate([{ transform: "none" }, { transform: way }], { duration: Math.min(600, SPEEDS[step()] * 0.6), easing: "ease-in-out" });
  flight.onfinish = flight.oncancel = () => ghost.remove();
}
