// Pages of the projector, fetched once and kept, so that the next step is there before it is wanted.

const MOST = 80;
const kept = new Map();

/** The text of the page at an address. */
function fetched(address) {
  const key = new URL(address, location.href).href;
  if (!kept.has(key)) {
    const coming = fetch(key, { headers: { Accept: "text/html" } }).then(async (response) => {
      const text = await response.text();
      if (!response.ok) throw new Error("page");
      return text;
    });
    coming.catch(() => kept.delete(key));
    kept.set(key, coming);
    if (kept.size > MOST) kept.delete(kept.keys().next().value);
  }
  return kept.get(key);
}

/** The page at an address, as a document of its own. Throws where it does not come. */
export async function ask(address) {
  const page = new DOMParser().parseFromString(await fetched(address), "text/html");
  if (!page.querySelector("main.screen")) throw new Error("page");
  return page;
}

let wanted = [];
let busy = false;

/** Fetch these one after the other; a newer wish takes the place of the older. */
export async function prefetch(addresses) {
  wanted = addresses;
  if (busy) return;
  busy = true;
  while (wanted.length) await fetched(wanted.shift()).catch(() => {});
  busy = false;
}
