// @ts-check
// Panels: those that open above the page close with Esc and with a press beside them.

import { all, around, find } from "../shared/dom.js";

const OPEN = ".pill[open], .export[open], .share[open], .compare-menu[open]";

/** Esc closes an open panel, or leaves the matrix for the map.
 *  @param {Element} target */
export function leave(target) {
  const open = /** @type {HTMLElement | null} */ (target.closest(OPEN)) || find(OPEN);
  if (open) {
    open.removeAttribute("open");
    find("summary", open)?.focus();
  } else if (target.matches(".c")) {
    find(".stop[aria-current]")?.focus();
  }
}

/** A panel that opens because of what is wrong in it shows that first. */
export function showWrong() {
  const wrong = /** @type {HTMLElement | null | undefined} */ (find("#f .pill[open] [aria-invalid=true]")?.closest(".control"));
  const panel = wrong?.closest(".panel");
  if (wrong && panel) panel.scrollTop = wrong.offsetTop;
}

/** Watch for presses beside what is open. */
export function watchPanels() {
  document.addEventListener("click", (event) => {
    const at = /** @type {Node} */ (event.target);
    for (const panel of all(OPEN)) if (!panel.contains(at)) panel.removeAttribute("open");
  });
}
