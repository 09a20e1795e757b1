// A product, played: its terms appear one by one, the two numbers of each come out of their matrices, then the row and the column move on.

import * as hidden from "./reveal.js";

const SPEEDS = [4000, 2800, 2000, 1400, 1000, 700, 450, 300];
const KEPT = "haibun.projector.speed";
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
let on = null; // { shown: terms on the screen, answered: the result too, running }
let timer;
let wishes = {};
let main;

export const connect = (given) => Object.assign(wishes, given);
export const isOn = () => on !== null;
/** True while the result of the cell that is played is not to be known yet. */
export const isHolding = () => on !== null && !on.answered;

const step = () => Number(sessionStorage.getItem(KEPT) ?? 4);
export const speed = (words) => words.replace("%(seconds)s", SPEEDS[step()] / 1000);

export function faster(change) {
  sessionStorage.setItem(KEPT, Math.max(0, Math.min(SPEEDS.length - 1, step() + change)));
  draw();
}

/** Start, pause, or play on. Where no motion is wanted each press shows the next term. */
export function toggle(screen) {
  main = screen;
  if (!on) {
    on = { shown: 0, answered: false, running: !still.matches };
    return term();
  }
  if (still.matches) return term();
  on.running = !on.running;
  draw();
}

export function stop() {
  clearTimeout(timer);
  on = null;
}

/** A fresh page while playing: its first term. */
export function dress(screen) {
  main = screen;
  if (!on) return;
  if (!main.dataset.plays) return stop();
  draw();
}

const lines = () => [...main.querySelectorAll("[data-line]")];

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
  const all = [...main.querySelectorAll(".result .c")];
  return all[all.findIndex((cell) => cell.value === main.dataset.cell) + 1]?.value;
}

/** Lines not yet there keep their place; the two numbers of the newest are framed; the next term is due after a while. */
function draw() {
  clearTimeout(timer);
  if (!on) return;
  lines().forEach((line, place) => {
    line.classList.toggle("later", place >= on.shown);
    line.classList.toggle("now", place === on.shown - 1 && !on.answered);
  });
  const now = on.answered ? [] : [...(lines()[on.shown - 1]?.querySelectorAll("[data-ref]") || [])].map((part) => part.dataset.ref);
  for (const cell of main.querySelectorAll(".left .c, .above .c")) cell.classList.toggle("now", now.includes(cell.value));
  hidden.apply(main, on.answered ? "" : main.dataset.cell);
  main.querySelector(".panel").classList.remove("veiled");
  showBar();
  if (on.running) timer = setTimeout(term, SPEEDS[step()]);
}

function showBar() {
  main.querySelector("[data-bar=keys]").hidden = true;
  const bar = main.querySelector("[data-bar=play]");
  bar.hidden = false;
  bar.classList.toggle("running", on.running);
  bar.querySelector("[data-speed]").textContent = speed(JSON.parse(document.getElementById("words").textContent).seconds);
}

/** The numbers of a term come from their cells to their places in the line. */
function fly(line) {
  if (still.matches || !line?.animate) return;
  for (const part of line.querySelectorAll("[data-ref]")) {
    const cell = [...main.querySelectorAll(".left .c, .above .c")].find((other) => other.value === part.dataset.ref);
    if (cell) move(cell, part);
  }
}

function move(cell, part) {
  const [from, to] = [cell.getBoundingClientRect(), part.getBoundingClientRect()];
  const ghost = Object.assign(document.createElement("div"), { className: "ghost", textContent: part.textContent });
  ghost.setAttribute("aria-hidden", "true");
  const px = Object.fromEntries(["left", "top", "width", "height"].map((side) => [side, `${from[side]}px`]));
  Object.assign(ghost.style, px, { fontSize: getComputedStyle(cell).fontSize });
  document.body.append(ghost);
  const way = `translate(${to.left + to.width / 2 - from.left - from.width / 2}px, ${to.top + to.height / 2 - from.top - from.height / 2}px)`;
  const flight = ghost.animate([{ transform: "none" }, { transform: way }], { duration: Math.min(600, SPEEDS[step()] * 0.6), easing: "ease-in-out" });
  flight.onfinish = flight.oncancel = () => ghost.remove();
}
