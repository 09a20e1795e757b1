// @ts-check
// Turning: a figure of three components is dragged. From where it is seen is part of its address; the server draws it.

import { said, saying } from "../../shared/address.js";

const DEGREES_A_PIXEL = 0.4;
const LEAST = 5;

/** A drag: where it began, from where the figure was seen then, and what is wanted now.
 *  @typedef {{ x: number, y: number, turn: number[], wanted: string }} Drag */

/** Let a box be turned by mouse or finger. A finger that moves up or down scrolls the page, as everywhere.
 *  @param {import("./figure.js").Box} box @param {() => Promise<void>} draw */
export function keepTurning(box, draw) {
  /** @type {Drag | null} */
  let from = null;
  let busy = false;
  const address = () => box.dataset.figure ?? "";
  box.addEventListener("pointerdown", (event) => {
    box.dragged = false;
    const turn = said(address(), "turn");
    if (turn && event.button === 0) from = { x: event.clientX, y: event.clientY, turn: turn.split(",").map(Number), wanted: "" };
  });
  addEventListener("pointermove", async (event) => {
    if (!from || !(box.dragged || begins(from, event))) return;
    box.dragged = true;
    from.wanted = turned(from, event);
    if (busy) return;
    busy = true;
    while (box.isConnected && from?.wanted && said(address(), "turn") !== from.wanted) {
      box.dataset.figure = saying(address(), "turn", from.wanted);
      await draw();
    }
    busy = false;
  });
  const end = () => {
    const turn = from?.wanted;
    from = null;
    if (turn && box.isConnected) document.dispatchEvent(new CustomEvent("figure-turn", { detail: turn }));
  };
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** True where a drag is meant: a few pixels, for a finger to the side.
 *  @param {Drag} from @param {PointerEvent} event */
function begins({ x, y }, event) {
  const [across, along] = [Math.abs(event.clientX - x), Math.abs(event.clientY - y)];
  return across + along >= LEAST && (event.pointerType !== "touch" || across > along);
}

/** The direction after a drag: to the side turns around, up and down lifts the camera.
 *  @param {Drag} from @param {PointerEvent} event */
function turned({ x, y, turn: [azimuth, elevation] }, event) {
  const around = Math.round(azimuth - (event.clientX - x) * DEGREES_A_PIXEL);
  const above = Math.round(elevation + (event.pointerType === "touch" ? 0 : event.clientY - y) * DEGREES_A_PIXEL);
  return `${((around % 360) + 360) % 360},${Math.min(90, Math.max(-90, above))}`;
}
