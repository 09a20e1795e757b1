// @ts-check
// Elements: those looked for on a page, and those an event was made on, each with its kind.

/** The first element, or nothing.
 *  @param {string} selector @param {ParentNode} [root] @returns {HTMLElement | null} */
export const find = (selector, root = document) => root.querySelector(selector);

/** The first element; a page without it is no page of ours.
 *  @param {string} selector @param {ParentNode} [root] @returns {HTMLElement} */
export function need(selector, root = document) {
  const found = find(selector, root);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

/** All elements, in the order of the page.
 *  @param {string} selector @param {ParentNode} [root] @returns {HTMLElement[]} */
export const all = (selector, root = document) => [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector))];

/** All cells of matrices, which are buttons.
 *  @param {string} selector @param {ParentNode} [root] @returns {HTMLButtonElement[]} */
export const cells = (selector, root = document) => /** @type {HTMLButtonElement[]} */ (all(selector, root));

/** The element that an event was made on, or the nearest one around it, that the selector names.
 *  @param {Event} event @param {string} selector @returns {HTMLElement | null} */
export const around = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

/** The button that an event was made on, where the selector names one.
 *  @param {Event} event @param {string} selector */
export const button = (event, selector) => /** @type {HTMLButtonElement | null} */ (around(event, selector));

/** The link that an event was made on, where the selector names one.
 *  @param {Event} event @param {string} selector */
export const link = (event, selector) => /** @type {HTMLAnchorElement | null} */ (around(event, selector));

/** A new element with its properties.
 *  @template {keyof HTMLElementTagNameMap} T
 *  @param {T} tag @param {Partial<HTMLElementTagNameMap[T]>} looks @returns {HTMLElementTagNameMap[T]} */
export const made = (tag, looks) => Object.assign(document.createElement(tag), looks);
