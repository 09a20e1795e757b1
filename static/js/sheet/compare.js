// Compare: links that pin, swap and unpin lead to the same page, so the page is taken over in place as after any change.

const plain = (event) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

/** Follow such links in place. `go` takes the query that a link leads to. */
export function followInPlace(go) {
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("[data-follow]");
    if (!link || !plain(event)) return;
    event.preventDefault();
    const menu = link.closest("details");
    if (menu) menu.open = false;
    if (link.dataset.hold !== undefined) hold(link.dataset.hold);
    const held = menu ? ".compare-menu summary" : ".compare-bar [data-follow]";
    await go(new URL(link.href).search.slice(1));
    (document.querySelector(held) || document.querySelector(".compare-menu summary"))?.focus({ preventScroll: true });
  });
}

/** The form holds the pin before the answer is there, so that a change made meanwhile is compared with it. */
function hold(query) {
  const state = document.querySelector("[data-live=state]");
  state.querySelector("[name=pinned]")?.remove();
  if (query) state.append(Object.assign(document.createElement("input"), { type: "hidden", name: "pinned", value: query }));
}
