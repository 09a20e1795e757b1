// The projector: keys, clicks and touches become actions; an action leads to a page of the server that takes the place of this one.
// Nothing is computed here. What may not be seen yet is in projector-reveal.js, the playing of a product in projector-play.js.

import { lightUp, rove } from "../shared/cells.js";
import { ask, prefetch } from "./pages.js";
import { actionOf } from "./keys.js";
import * as hidden from "./reveal.js";
import * as play from "./play.js";
import { onTouch } from "./touch.js";

document.documentElement.classList.add("scripted");
const find = (selector) => document.querySelector(selector);
const screen = () => find("main.screen");
const links = () => JSON.parse(screen().dataset.links);
const words = () => JSON.parse(find("#words").textContent);
const dialog = () => find("#keys");
const [live, toast, blank] = ["#live", "#toast", "#blank"].map(find);
let turn = 0;

/** The address of a cell or a step, built as the form would send it. */
export const addressOf = (change) => `/?${new URLSearchParams([...new FormData(find("#f")), ...Object.entries(change)])}`;

/** Show the page at an address; true where it came. The last wish wins. */
async function go(address, { forward = false } = {}) {
  if (!address) return false;
  const mine = ++turn;
  let page;
  try {
    page = await ask(address);
  } catch {
    if (mine === turn) tell(words().offline);
    return false;
  }
  if (mine !== turn) return false;
  takeOver(page, forward);
  return true;
}

/** The new page in place of the old, with what is hidden hidden before it is seen. */
function takeOver(page, forward) {
  const [old, fresh] = [screen(), document.adoptNode(page.querySelector("main.screen"))];
  const focus = keyOf(document.activeElement);
  hidden.enter(fresh, forward);
  hidden.apply(fresh);
  old.replaceWith(fresh);
  if (document.documentElement.lang !== page.documentElement.lang) takeLanguage(page);
  document.title = page.title;
  history.replaceState(null, "", fresh.dataset.address);
  hush();
  dress();
  refocus(focus);
  say(fresh, old.dataset.step !== fresh.dataset.step);
}

function takeLanguage(page) {
  document.documentElement.lang = page.documentElement.lang;
  dialog().replaceWith(document.adoptNode(page.querySelector("#keys")));
}

/** What every fresh page needs. */
function dress() {
  rove(document);
  if (find(".grid")) lightUp(null);
  play.dress(screen());
  const next = links();
  const along = hidden.following(screen());
  prefetch([next.following, along && addressOf({ cell: along }), next.previous, next.down, next.up, next.head].filter(Boolean));
}

function keyOf(element) {
  if (!element?.closest("main")) return "";
  if (element.dataset.act) return `[data-act="${element.dataset.act}"]`;
  if (element.matches(".c")) return ".result .c.chosen";
  return element.matches(".dot") ? ".dot[aria-current]" : "";
}

function refocus(selector) {
  if (selector) find(`main ${selector}`)?.focus({ preventScroll: true });
}

/** The live region: the chosen number as far as it may be known, and the step where it is new. */
function say(main, newStep) {
  const said = (hidden.isHidden(main.dataset.cell) || play.isHolding() ? main.dataset.unsaid : main.dataset.spoken) || "";
  const step = words().step.replace("%(step)s", main.dataset.named).replace("%(said)s", said);
  live.textContent = newStep ? step : said;
}

let fading;

/** A short message for everybody in the room. */
function tell(message) {
  toast.textContent = live.textContent = message;
  toast.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(hush, 4000);
}

function hush() {
  toast.hidden = true;
}

/** Show the next number; say where a row or the step is complete. */
async function reveal() {
  if (play.isOn()) return play.term();
  if (!screen().dataset.reveals) return tell(words().nothing);
  const cell = hidden.following(screen());
  if (!cell) return onward();
  hidden.reveal(screen(), cell);
  await go(addressOf({ cell }));
  const left = hidden.left(screen());
  if (!left.row) tell(left.step ? words().rowDone : words().done);
}

/** All that is on the screen is shown: of a long row, or of rows that are shown one at a time, the next part. */
async function onward() {
  const more = hidden.isGuessed(screen()) && find(".strip") && links().number;
  if (!more) return tell(words().done);
  await go(more);
  if (hidden.isHidden(screen().dataset.cell)) await reveal();
}

async function hide() {
  if (play.isOn()) return play.back();
  if (!screen().dataset.reveals) return tell(words().nothing);
  const cell = hidden.hide(screen());
  if (cell) await go(addressOf({ cell }));
}

function blanked(on = blank.hidden) {
  blank.hidden = !on;
}

async function full() {
  try {
    await (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  } catch {
    tell(words().noFull);
  }
}

/** Leave what is on top: the blank, the list of keys, the full screen, the playing; then the projector. */
function leave() {
  if (document.fullscreenElement) return document.exitFullscreen();
  if (play.isOn()) return stop();
  return location.assign(links().sheet);
}

function stop() {
  play.stop();
  return go(screen().dataset.address);
}

function speed(change) {
  play.faster(change);
  tell(play.speed(words().seconds));
}

/** Larger or smaller; said where that makes no difference, as on a screen that is full. */
async function resize(address, message) {
  const sizes = () => ["style", "class"].map((name) => find(".stage").getAttribute(name)).join() + find(".panel")?.getAttribute("style");
  const before = sizes();
  if (!address || ((await go(address)) && sizes() === before)) tell(message);
}

let typed = "";
let typing;

/** Digits are gathered as long as they may become the number of a step. */
function jump(digit) {
  const steps = screen().dataset.steps.split(" ");
  clearTimeout(typing);
  typed = (typed + digit).replace(/^0+/, "");
  if (!typed) return;
  const number = Number(typed);
  const arrive = () => {
    typed = "";
    if (number > steps.length) return tell(words().noStep.replace("%(number)s", number));
    play.stop();
    return go(addressOf({ at: steps[number - 1], ...(screen().dataset.cell && { cell: screen().dataset.cell }) }));
  };
  if (number * 10 > steps.length) return void (done = done.then(arrive));
  tell(typed);
  typing = setTimeout(() => (done = done.then(arrive)), 700);
}

const walk = (name, options) => () => {
  play.stop();
  return go(links()[name], options);
};

const ACTIONS = {
  following: walk("following", { forward: true }),
  previous: walk("previous"),
  up: walk("up"),
  down: walk("down"),
  head: async () => (await walk("head")()) || tell(words().noHead),
  language: () => go(links().language),
  larger: () => resize(links().larger, words().largest),
  smaller: () => resize(links().smaller, words().smallest),
  play: () => (screen().dataset.plays ? play.toggle(screen()) : tell(words().noPlay)),
  slower: () => speed(-1),
  faster: () => speed(1),
  blank: () => blanked(),
  keys: () => dialog().showModal(),
  term: play.term,
  back: play.back,
  reveal, hide, full, leave, stop,
};

const AT_ONCE = ["blank", "keys", "full", "leave", "slower", "faster"];
let done = Promise.resolve();

/** Do what a key or a button asks, after what was asked before, so that two quick presses go two steps. */
function act(name) {
  if (AT_ONCE.includes(name)) ACTIONS[name]();
  else done = done.then(ACTIONS[name]);
}

play.connect({
  next: (cell) => go(addressOf({ cell })),
  shown: (main) => {
    hidden.reveal(main, main.dataset.cell);
    hidden.apply(main);
    say(main, false);
  },
  ended: stop,
});

let byTab = false;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || ["Shift", "CapsLock"].includes(event.key)) return;
  if (!blank.hidden) {
    event.preventDefault();
    return blanked(false);
  }
  if (event.key === "Tab") byTab = true;
  if (dialog().open) return void (event.key === "?" && dialog().close());
  if (event.key === " " && byTab && event.target.matches("button, a")) {
    event.preventDefault();
    return event.target.click();
  }
  const found = actionOf(event);
  if (!found) return;
  event.preventDefault();
  if (found.digit) jump(found.digit);
  else if (!event.repeat || found.repeats) act(found.action);
});

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const button = event.target.closest("[data-act]");
  const link = event.target.closest(".dot");
  const map = event.target.closest("[data-map]");
  if (link) go(link.href, play.stop());
  else if (map && screen().querySelector(".strip")) go(addressOf({ cell: cellAt(map, event) }));
  else if (!button) return;
  else if (!["larger", "smaller", "slower", "faster"].includes(button.dataset.act)) dialog().close();
  event.preventDefault();
  if (button) act(button.dataset.act);
});

/** The cell under a point of a heatmap. */
function cellAt(map, event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
  const [, step, lead] = map.dataset.map.match(/^(.+)\[((?:\d+,)?)\d+,\d+\]$/) || [];
  const most = map.viewBox.baseVal;
  const within = (value, count) => Math.max(0, Math.min(Math.floor(count) - 1, Math.floor(value)));
  return step ? `${step}[${lead}${within(point.y, most.height)},${within(point.x, most.width)}]` : map.dataset.map;
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "f") return;
  event.preventDefault();
  play.stop();
  go(addressOf({ cell: event.submitter.value }));
});
document.addEventListener("pointerdown", () => {
  byTab = false;
});
blank.addEventListener("click", () => blanked(false));
onTouch({ swipe: (right) => act(right ? "previous" : "following"), tap: () => blank.hidden && !dialog().open && act("reveal") });

hidden.enter(screen(), false);
dress();
