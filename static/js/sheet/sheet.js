// @ts-check
// The sheet, made live: each subject watches what is its own. Nothing is computed here; numbers, words and colours are drawn as sent.

import { watchCopies } from "../shared/copied.js";
import { missedBeside, watch } from "../shared/reach.js";
import { applyConditions } from "./controls.js";
import { watchEdits } from "./edit/edits.js";
import { watchFlip } from "./edit/mask.js";
import { watchFields } from "./fields.js";
import { watchKeyboard } from "./keyboard.js";
import { watchLinks } from "./links.js";
import { field } from "./page.js";
import { showWrong, watchPanels } from "./panels.js";
import { dress } from "./renew.js";
import { check, goTo, goToCell } from "./show.js";

document.documentElement.classList.add("scripted");
field("text").removeAttribute("maxlength");

watchCopies();
watchEdits();
watchFields();
watchFlip();
watchLinks();
watchKeyboard();
watchPanels();
watch(check);

/** @param {Event} event */
const told = (event) => /** @type {CustomEvent<string>} */ (event).detail;
document.addEventListener("figure-missed", () => missedBeside(check));
document.addEventListener("figure-cell", (event) => goToCell(told(event)));
document.addEventListener("figure-turn", (event) => goTo({ turn: told(event) }, { history: "type" }));

applyConditions();
dress();
showWrong();
