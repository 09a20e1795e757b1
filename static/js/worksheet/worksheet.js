// @ts-check
// The worksheet: a button that prints. Everything else is a plain form.

import { need } from "../shared/dom.js";

document.documentElement.classList.add("scripted");
need("[data-print]").addEventListener("click", () => window.print());
