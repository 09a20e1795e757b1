// Presses: two in a row on one cell, or one that lasts.

const LONG = 550;

/** Call `twice` with a cell that is pressed twice, `long` with one that a finger stays on.
 *
 *  The two presses are counted where they are made: a click, and so a `dblclick`, never comes where the answer to the first press
 *  puts a new cell in the place of the old one while the button is held. */
export function watchPresses({ twice, long }) {
  let second = null;
  document.addEventListener("mousedown", (event) => {
    second = event.button === 0 && event.detail === 2 ? event.target.closest(".c") : null;
  });
  document.addEventListener("mouseup", (event) => {
    const cell = event.detail === 2 && second && event.target.closest(".c");
    if (cell && cell.value === second.value) twice(cell);
  });

  let timer = 0;
  document.addEventListener("pointerdown", (event) => {
    const cell = event.pointerType === "touch" && event.target.closest(".c");
    clearTimeout(timer);
    if (cell) timer = setTimeout(() => long(cell), LONG);
  });
  for (const end of ["pointerup", "pointercancel", "pointermove"]) document.addEventListener(end, () => clearTimeout(timer));
}
