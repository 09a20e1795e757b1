// @ts-check
// Jump: digits are gathered as long as they may become the number of a step.

import { go } from "./go.js";
import * as play from "./play.js";
import { inTurn } from "./queue.js";
import { addressOf, screen, words } from "./screen.js";
import { tell } from "./tell.js";

const PATIENCE = 700;
let typed = "";
let typing = 0;

/** One more digit.
 *  @param {string} digit */
export function jump(digit) {
  const steps = (screen().dataset.steps ?? "").split(" ");
  clearTimeout(typing);
  typed = (typed + digit).replace(/^0+/, "");
  if (!typed) return;
  const number = Number(typed);
  const due = () => inTurn(() => arrive(number, steps));
  if (number * 10 > steps.length) return void due();
  tell(typed);
  typing = setTimeout(due, PATIENCE);
}

/** @param {number} number @param {string[]} steps */
function arrive(number, steps) {
  typed = "";
  if (number > steps.length) return tell(words().noStep.replace("%(number)s", String(number)));
  play.stop();
  const { cell } = screen().dataset;
  return go(addressOf({ at: steps[number - 1], ...(cell && { cell }) }));
}
