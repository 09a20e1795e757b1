// Address: the address bar follows what is shown, and the form follows an address.

import { data, form } from "./page.js";

/** The address bar holds the canonical query and the place. What is typed in one go is one step back. */
export function remember(query, history) {
  const asked = new URLSearchParams(query);
  const carried = [...form.querySelectorAll("[data-carried]")].map((field) => field.name);
  const place = ["lang", "theme", ...carried, "head", "at", "cell"].filter((name) => asked.get(name))
    .map((name) => `${name}=${encodeURIComponent(asked.get(name)).replace(/%5B/g, "[").replace(/%5D/g, "]").replace(/%2C/g, ",")}`);
  const state = (name) => document.querySelector(`[data-live=state] [name=${name}]`)?.value;
  const cell = state("cell");
  const kept = place.filter((field) => !/^(at|cell|turn)=/.test(field));
  const stays = ["at", "turn"].filter(state).map((name) => `${name}=${state(name)}`);
  const { query: scenario, pin } = document.querySelector(".step").dataset;
  const where = cell ? [`cell=${cell}`] : place.filter((field) => field.startsWith("at="));
  const address = `/?${[scenario, ...kept, ...stays, ...where, ...(pin ? [pin] : [])].join("&")}${asksAbout()}`;
  if (address.length > data.longest) return;
  const typing = history === "type";
  const same = address === location.pathname + location.search || (typing && window.history.state?.typing);
  window.history[same ? "replaceState" : "pushState"]({ typing }, "", address);
}

/** The cell whose slopes are shown, for the address; not one that waits for its word to be typed. */
function asksAbout() {
  const of = document.querySelector("[data-live=state] [name=of]:not([data-waiting])")?.value;
  return of ? `&of=${of}` : "";
}

/** The fields of the form take the values of an address, as after the Back button. */
export function fillFrom(page) {
  for (const field of page.querySelectorAll("#f input:not([type=hidden]), #f select, #f textarea")) {
    const here = form.elements[field.name];
    if (here && here.value !== field.value) here.value = field.value;
  }
}
