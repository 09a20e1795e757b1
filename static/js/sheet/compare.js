// @ts-check
// Compare: links that pin, swap and unpin lead to the same page, so the page is taken over in place as after any change.

import { find, link, made, need } from "../shared/dom.js";

/** @param {MouseEvent} event */
const plain = (event) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

/** Follow such links in place. `go` takes the query that a link leads to.
 *  @param {(query: string) => Promise<unknown>} go */
export function followInPlace(go) {
  document.addEventListener("click", async (event) => {
    const followed = link(event, "[data-follow]");
    if (!followed || !plain(event)) return;
    event.preventDefault();
    const menu = followed.closest("details");
    if (menu) menu.open = false;
    if (followed.dataset.hold !== undefined) hold(followed.dataset.hold);
    const held = menu ? ".compare-menu summary" : ".compare-bar [data-follow]";
    await go(new URL(followed.href).search.slice(1));
    (find(held) || find(".compare-menu summary"))?.focus({ preventScroll: true });
  });
}

/** The form holds the pin before the answer is there, so that a change made meanwhile is compared with it.
 *  @param {string} query */
function hold(query) {
  const state = need("[data-live=state]");
  state.querySelector("[name=pinned]")?.remove();
  if (query) state.append(made("input", { type: "hidden", name: "pinned", value: query }));
}
