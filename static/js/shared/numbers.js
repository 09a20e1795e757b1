// @ts-check
// Numbers: as they are printed for people, and as a person or a program types them.

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A power of ten as it is typed: ×10⁻³⁰ is e-30.
 *  @param {string} _ @param {string} minus @param {string} digits */
const power = (_, minus, digits) => `e${minus && "-"}${[...digits].map((digit) => RAISED.indexOf(digit)).join("")}`;

/** A number as it is typed, from a number as it is printed: −1.5×10⁻³⁰ is -1.5e-30; full-width digits and signs become plain ones.
 *  What is no number stays none: 10⁶ is not taken for 106.
 *  @param {string | null} text */
export const asTyped = (text) => (text ?? "").replace(/×10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, power).replace(/\u2212/g, "-")
  .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xFEE0)).trim();
