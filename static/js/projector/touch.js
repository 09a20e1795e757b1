// Fingers: a swipe goes to the next or the last step, a tap beside everything shows the next number.

const FAR = 60;
const STILL = 12;
const OWN = "button, a, dialog, input, [data-map], .blank";

/** `swipe(right)` and `tap()` are called; a finger on a button or a cell is left to it. */
export function onTouch({ swipe, tap }) {
  let start = null;
  let swiped = 0;
  document.addEventListener("pointerdown", (event) => {
    start = event.pointerType === "mouse" || !event.isPrimary ? null : { x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointercancel", () => {
    start = null;
  });
  document.addEventListener("pointerup", (event) => {
    if (!start) return;
    const [right, down] = [event.clientX - start.x, event.clientY - start.y];
    start = null;
    if (Math.abs(right) > FAR && Math.abs(right) > 2 * Math.abs(down)) {
      swiped = event.timeStamp;
      swipe(right > 0);
    } else if (Math.hypot(right, down) < STILL && !event.target.closest(OWN)) {
      tap();
    }
  });
  document.addEventListener("click", (event) => {
    if (event.timeStamp - swiped < 100) event.stopPropagation();
    if (event.timeStamp - swiped < 100) event.preventDefault();
  }, { capture: true });
}
