// @ts-check
// Address: the server writes addresses; here a field of one says something else, or a form says what it asks for.

/** What an address says under a name; nothing where it is silent.
 *  @param {string} address @param {string} name */
export const said = (address, name) => new URL(address, location.href).searchParams.get(name) ?? "";

/** An address in which a field says something else and all the rest stands as it was written.
 *  @param {string} address @param {string} name @param {string} text */
export const saying = (address, name, text) => address.replace(new RegExp(`(?<=[?&]${name}=)[^&]*`), text);

/** A query that says more.
 *  @param {string} query @param {Record<string, string>} more */
export function adding(query, more) {
  const fields = new URLSearchParams(query);
  for (const [name, text] of Object.entries(more)) fields.set(name, text);
  return fields.toString();
}

/** The address that a form asks for: its page, with these fields.
 *  @param {HTMLFormElement} form @param {string} query */
export const asked = (form, query) => withQuery(form.action, query);

/** @param {string} page @param {string} query */
function withQuery(page, query) {
  const address = new URL(page, location.href);
  address.search = query;
  return address.pathname + address.search;
}

/** An address that says more.
 *  @param {string} address @param {Record<string, string>} more */
export const addingTo = (address, more) => withQuery(address, adding(new URL(address, location.href).search, more));
