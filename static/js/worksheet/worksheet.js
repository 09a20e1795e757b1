// The worksheet: a button that prints. Everything else is a plain form.
document.documentElement.classList.add("scripted");
document.querySelector("[data-print]").addEventListener("click", () => window.print());
