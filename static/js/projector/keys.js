// @ts-check
// Which key does what. Clickers send the page keys, and "." or "b" for a dark screen.

/** @typedef {import("./actions.js").Action} Action */

/** @type {Record<string, Action>} */
const ACTIONS = {
  ArrowRight: "following", PageDown: "following", ArrowLeft: "previous", PageUp: "previous", ArrowUp: "up", ArrowDown: "down",
  " ": "reveal", b: "blank", ".": "blank", f: "full", h: "head", l: "language", p: "play", "+": "larger", "=": "larger", ";": "larger",
  "-": "smaller", "−": "smaller", "[": "slower", "<": "slower", "]": "faster", ">": "faster", "?": "keys", Escape: "leave",
};
const REPEATING = ["up", "down", "reveal", "hide", "term"];

/** With a Japanese input method on, the browser names only the place of a key.
 *  @type {Record<string, string>} */
const CODES = { Space: " ", Period: ".", Minus: "-", Semicolon: ";", BracketLeft: "[", BracketRight: "]" };

/** @param {KeyboardEvent} event */
const nameOf = (event) => (event.key === "Process" ? CODES[event.code] || event.code.replace(/^(Key|Digit|Numpad)/, "") : event.key);

/** The action of a key, or its digit; nothing for a key that is not ours.
 *  @param {KeyboardEvent} event @returns {{ digit?: string, action?: Action, repeats?: boolean } | undefined} */
export function actionOf(event) {
  const key = nameOf(event);
  if (/^[0-9]$/.test(key)) return { digit: key };
  let action = ACTIONS[key.length === 1 ? key.toLowerCase() : key];
  if (action === "reveal" && event.shiftKey) action = "hide";
  return action && { action, repeats: REPEATING.includes(action) };
}
