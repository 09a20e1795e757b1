// @ts-check
// Queue: what is asked is done after what was asked before, so that two quick presses go two steps.

/** @type {Promise<unknown>} */
let done = Promise.resolve();

/** Do something when all that was asked before is done.
 *  @param {() => unknown} work */
export function inTurn(work) {
  done = done.then(work);
}
