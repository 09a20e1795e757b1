// @ts-check
// Pasted: a text from the clipboard as rows of cells. What a number is the server says; here it is only seen where cells end.

/** A number whose commas part thousands, or may: it stays whole, and the server refuses it. */
const THOUSANDS = /^\s*[-+\u2212]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?\s*$/;

/** Tabs and line breaks part cells, and a comma is then a decimal comma. Without tabs our own notation is understood, 1,2;3,4:
 *  rows by semicolon or line, cells by comma; it has a semicolon, or a line with more than one comma.
 *  Empty where the text is one number, which is pasted as it is.
 *  @param {string} text */
export function rowsOf(text) {
  const lines = text.replace(/\r\n?/g, "\n").replace(/^\n+|\n+$/g, "").split("\n");
  const tabs = lines.some((line) => line.includes("\t"));
  const own = !tabs && lines.some((line) => line.includes(";") || (line.split(",").length > 2 && !THOUSANDS.test(line)));
  const rows = tabs ? lines.map((line) => line.split("\t")) : own ? ownRows(lines) : lines.map((line) => [line]);
  return rows.length === 1 && rows[0].length === 1 ? [] : rows;
}

/** @param {string[]} lines */
const ownRows = (lines) => lines.flatMap((line) => line.split(";")).filter((row) => row.trim()).map((row) => row.split(","));
