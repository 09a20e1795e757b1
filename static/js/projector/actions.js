// @ts-check
// Actions: what a key, a button or a finger can ask for. Most lead to another page of the server.

import { find, need } from "../shared/dom.js";
import { go } from "./go.js";
import * as play from "./play.js";
import { inTurn } from "./queue.js";
import * as hidden from "./reveal.js";
import { addressOf, dialog, links, screen, words } from "./screen.js";
import { say, tell } from "./tell.js";

/** @typedef {keyof import("../shared/data.js").ProjectorLinks} Way */

const blank = need("#blank");

/** True while the screen is dark. */
export const isBlank = () => !blank.hidden;

/** Make the screen dark, or show it again. */
export function toggleBlank() {
  blank.hidden = !blank.hidden;
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
  return undefined;
}

/** All that is on the screen is shown: of a long row, or of rows that are shown one at a time, the next part. */
async function onward() {
  const more = hidden.isGuessed(screen()) && find(".strip") && links().number;
  if (!more) return tell(words().done);
  await go(more);
  if (hidden.isHidden(screen().dataset.cell ?? "")) await reveal();
}

async function hide() {
  if (play.isOn()) return play.back();
  if (!screen().dataset.reveals) return tell(words().nothing);
  const cell = hidden.hide(screen());
  if (cell) await go(addressOf({ cell }));
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
  return location.assign(links().sheet ?? "/");
}

function stop() {
  play.stop();
  return go(screen().dataset.address);
}

/** @param {number} change */
function speed(change) {
  play.faster(change);
  tell(play.speed(words().seconds));
}

/** Larger or smaller; said where that makes no difference, as on a screen that is full.
 *  @param {string | undefined} address @param {string} message */
async function resize(address, message) {
  const before = sizes();
  if (!address || ((await go(address)) && sizes() === before)) tell(message);
}

const sizes = () => [".stage", ".panel"].map((part) => ["style", "class"].map((name) => find(part)?.getAttribute(name)).join()).join();

/** @param {Way} way @param {{ forward?: boolean }} [options] */
function walk(way, options) {
  play.stop();
  return go(links()[way], options);
}

const ACTIONS = {
  following: () => walk("following", { forward: true }),
  previous: () => walk("previous"),
  up: () => walk("up"),
  down: () => walk("down"),
  head: async () => (await walk("head")) || tell(words().noHead),
  language: () => go(links().language),
  larger: () => resize(links().larger, words().largest),
  smaller: () => resize(links().smaller, words().smallest),
  play: () => (screen().dataset.plays ? play.toggle(screen()) : tell(words().noPlay)),
  slower: () => speed(-1),
  faster: () => speed(1),
  blank: toggleBlank,
  keys: () => dialog().showModal(),
  term: play.term,
  back: play.back,
  reveal, hide, full, leave, stop,
};

/** @typedef {keyof typeof ACTIONS} Action */

const AT_ONCE = ["blank", "keys", "full", "leave", "slower", "faster"];

/** Do what a key or a button asks.
 *  @param {Action} name */
export function act(name) {
  if (AT_ONCE.includes(name)) ACTIONS[name]();
  else inTurn(ACTIONS[name]);
}

play.connect({
  next: (cell) => go(addressOf({ cell })),
  shown: (main) => {
    hidden.reveal(main, main.dataset.cell ?? "");
    hidden.apply(main);
    say(main, false);
  },
  ended: stop,
});
