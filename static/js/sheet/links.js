// @ts-check
// Links: what leads to another scenario is followed in place; a link is copied; the other theme is the one that is not seen.

import { adding, saying } from "../shared/address.js";
import { copyText } from "../shared/copy.js";
import { link } from "../shared/dom.js";
import { followInPlace } from "./compare.js";
import { data, fieldNow } from "./page.js";
import { leave } from "./panels.js";
import { show } from "./show.js";

const ALONG = ["lang", "theme", "hide"];

/** Language, theme and what a link hides stay as they are.
 *  @param {string} query */
function openQuery(query) {
  const here = ALONG.filter((name) => fieldNow(name)?.value).map((name) => [name, fieldNow(name)?.value ?? ""]);
  show(adding(query, Object.fromEntries(here)), { fill: true });
}

const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark";

/** @param {MouseEvent} event */
function copyLink(event) {
  const copied = link(event, "[data-copy-link]");
  if (!copied) return;
  event.preventDefault();
  leave(copied);
  copyText(copied.href, data.copy);
}

/** @param {MouseEvent} event */
function switchTheme(event) {
  const other = link(event, "[data-theme-switch]");
  if (other) other.href = saying(other.href, "theme", isDark() ? "light" : "dark");
}

/** Watch links, and the browser's own way back and forward. */
export function watchLinks() {
  document.addEventListener("open-query", (event) => openQuery(/** @type {CustomEvent<string>} */ (event).detail));
  document.addEventListener("click", copyLink);
  document.addEventListener("click", switchTheme);
  followInPlace((query) => show(query, { fill: true }));
  window.addEventListener("popstate", () => show(location.search.slice(1), { history: "keep" }));
}
