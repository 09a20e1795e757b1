// @ts-check
// Going: the page at an address takes the place of the one that is shown, with what is hidden hidden before it is seen.

import { lightUp, rove } from "../shared/cells.js";
import { find } from "../shared/dom.js";
import { askNewest, takeParts } from "../shared/swap.js";
import { ask, prefetch } from "./pages.js";
import * as play from "./play.js";
import * as hidden from "./reveal.js";
import { addressOf, links, screen, words } from "./screen.js";
import { hush, say, tell } from "./tell.js";

/** Show the page at an address; true where it came. The last wish wins.
 *  @param {string | undefined} address @param {{ forward?: boolean }} [options] */
export async function go(address, { forward = false } = {}) {
  if (!address) return false;
  const page = await askNewest(() => ask(address), () => tell(words().offline));
  if (page) takeOver(page, forward);
  return page !== null;
}

/** @param {Document} page @param {boolean} forward */
function takeOver(page, forward) {
  const [root, lang] = [document.documentElement, page.documentElement.lang];
  const step = screen().dataset.step;
  const focus = keyOf(document.activeElement);
  takeParts(page, {
    parts: "main.screen, #keys",
    wanted: (name) => name !== "keys" || root.lang !== lang,
    prepare: (part) => part.matches("main") && cover(part, forward),
    dress: () => {
      root.lang = lang;
      document.title = page.title;
      history.replaceState(null, "", screen().dataset.address);
      hush();
      dress();
    },
  });
  refocus(focus);
  say(screen(), step !== screen().dataset.step);
}

/** @param {HTMLElement} main @param {boolean} forward */
function cover(main, forward) {
  hidden.enter(main, forward);
  hidden.apply(main);
}

/** What every fresh page needs. */
export function dress() {
  rove(document);
  if (find(".grid")) lightUp(null);
  play.dress(screen());
  const next = links();
  const along = hidden.following(screen());
  const wanted = [next.following, along && addressOf({ cell: along }), next.previous, next.down, next.up, next.head];
  prefetch(wanted.flatMap((address) => address || []));
}

/** How the element that has the focus is found on the next page.
 *  @param {Element | null} element */
function keyOf(element) {
  if (!(element instanceof HTMLElement) || !element.closest("main")) return "";
  if (element.dataset.act) return `[data-act="${element.dataset.act}"]`;
  if (element.matches(".c")) return ".result .c.chosen";
  return element.matches(".dot") ? ".dot[aria-current]" : "";
}

/** @param {string} selector */
function refocus(selector) {
  if (selector) find(`main ${selector}`)?.focus({ preventScroll: true });
}
