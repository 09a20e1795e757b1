// @ts-check
// The worksheet: a button that prints, numbers that are copied. Everything else is a plain form.

import { watchCopies } from "../shared/copied.js";
import { need } from "../shared/dom.js";

document.documentElement.classList.add("scripted");
watchCopies();
need("[data-print]").addEventListener("click", () => window.print());
