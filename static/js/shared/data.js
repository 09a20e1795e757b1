// @ts-check
// Data: what the server hands to the scripts beside the page, as JSON, and what it looks like.

/** What is said around a copied text: done, select it here, close.
 *  @typedef {{ copied: string, select: string, close?: string }} CopyWords */

/** The sheet's `#page-data`. An address longer than `longest` is posted.
 *  @typedef {object} PageData
 *  @property {PlotlyFiles} plotly
 *  @property {string} plotlyFailed
 *  @property {string} offline
 *  @property {number} longest
 *  @property {CopyWords} copy
 *  @property {string} editLabel */

/** Where Plotly is, and the names of the styles it would write into the page.
 *  @typedef {{ address: string, styleIds: string[] }} PlotlyFiles */

/** The projector's `#words`.
 *  @typedef {Record<"done" | "rowDone" | "noStep" | "noPlay" | "noHead" | "nothing" | "offline" | "seconds" | "step"
 *    | "largest" | "smallest" | "noFull", string>} ProjectorWords */

/** The `data-links` of a screen: where each move leads; one that leads nowhere is empty.
 *  @typedef {Partial<Record<"following" | "previous" | "up" | "down" | "head" | "language" | "larger" | "smaller" | "number"
 *    | "sheet", string>>} ProjectorLinks */

/** The `data-words` of the Export menu.
 *  @typedef {CopyWords & Record<"failed" | "drop" | "notJson" | "notExport" | "unreadable" | "oneFile" | "tooLarge", string>} ExportWords */

/** What the server wrote into a page as JSON, under the name of its script element.
 *  @param {string} id @returns {any} */
export const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
