// @ts-check
// Reach: questions that do not wait for ever, and going on by itself after the network, the server or the phone was away.

const PATIENCE = 15_000;
const PAUSES = [2_000, 4_000, 8_000, 15_000];

/** How the latest question is asked again. @type {() => unknown} */
let last = () => {};
/** @type {"idle" | "asking" | "lost"} */
let state = "idle";
let tries = 0;
let faults = 0;
let timer = 0;

/** Ask for a page: its response and its text. `again` asks the same once more, with what is then in the form.
 *  Throws an AbortError where a newer question took its place, and another error where no answer came in time.
 *  @param {string} address @param {RequestInit} options @param {AbortController} controller @param {() => unknown} again */
export async function askPage(address, options, controller, again) {
  last = again;
  state = "asking";
  clearTimeout(timer);
  const late = setTimeout(() => controller.abort(new DOMException("", "TimeoutError")), PATIENCE);
  try {
    const response = await fetch(address, { ...options, signal: controller.signal });
    return { response, text: await response.text() };
  } finally {
    clearTimeout(late);
  }
}

/** The answer has come. */
export function found() {
  state = "idle";
  tries = 0;
  faults = 0;
  clearTimeout(timer);
}

/** The server has answered with a fault of its own: the same is asked once more, and not again by itself. */
export function failed() {
  clearTimeout(timer);
  state = faults ? "idle" : "lost";
  if (!faults) timer = setTimeout(goOn, PAUSES[0]);
  faults += 1;
}

/** No answer has come: ask again after a while, each time a little later, and at once when something happens. */
export function lost() {
  state = "lost";
  clearTimeout(timer);
  timer = setTimeout(goOn, PAUSES[Math.min(tries, PAUSES.length - 1)]);
  tries += 1;
}

/** Something beside the page has not come, such as a figure: `again` asks when something happens.
 *  @param {() => unknown} again */
export function missedBeside(again) {
  if (state !== "idle") return;
  last = again;
  state = "lost";
}

function goOn() {
  if (state !== "idle") last();
}

/** Watch for the moments at which it is worth asking again. `check` asks for what is shown: is the server still there?
 *  @param {() => unknown} check */
export function watch(check) {
  window.addEventListener("online", goOn);
  window.addEventListener("offline", check);
  window.addEventListener("pageshow", (event) => event.persisted && check());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && goOn());
}
