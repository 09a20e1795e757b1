// Turning: a figure of three components is dragged. From where it is seen is part of its address; the server draws it.

const DEGREES_A_PIXEL = 0.4;
const LEAST = 5;

/** Let a box be turned by mouse or finger. A finger that moves up or down scrolls the page, as everywhere. */
export function keepTurning(box, draw) {
  let from = null;
  let busy = false;
  box.addEventListener("pointerdown", (event) => {
    box.dragged = false;
    const turn = new URLSearchParams(box.dataset.figure.split("?")[1]).get("turn");
    if (turn && event.button === 0) from = { x: event.clientX, y: event.clientY, turn: turn.split(",").map(Number), wanted: "" };
  });
  addEventListener("pointermove", async (event) => {
    if (!from || !(box.dragged || begins(from, event))) return;
    box.dragged = true;
    from.wanted = turned(from, event);
    if (busy) return;
    busy = true;
    while (box.isConnected && from?.wanted && !box.dataset.figure.includes(`turn=${from.wanted}`)) {
      box.dataset.figure = box.dataset.figure.replace(/turn=[-\d,]+/, `turn=${from.wanted}`);
      await draw();
    }
    busy = false;
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => {
    const turn = from?.wanted;
    from = null;
    if (turn && box.isConnected) document.dispatchEvent(new CustomEvent("figure-turn", { detail: turn }));
  });
}

/** True where a drag is meant: a few pixels, for a finger to the side. */
function begins({ x, y }, event) {
  const [across, along] = [Math.abs(event.clientX - x), Math.abs(event.clientY - y)];
  return across + along >= LEAST && (event.pointerType !== "touch" || across > along);
}

/** The direction after a drag: to the side turns around, up and down lifts the camera. */
function turned({ x, y, turn: [azimuth, elevation] }, event) {
  const around = Math.round(azimuth - (event.clientX - x) * DEGREES_A_PIXEL);
  const above = Math.round(elevation + (event.pointerType === "touch" ? 0 : event.clientY - y) * DEGREES_A_PIXEL);
  return `${((around % 360) + 360) % 360},${Math.min(90, Math.max(-90, above))}`;
}
