import { setImmediate as immediate } from 'node:timers/promises';

let lastTurn = Promise.resolve();

/** @returns when the event loop has been around, for one of the callers at a time */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => immediate());
  return lastTurn;
}

/**
 * Divides long work, so that the process does other things in between. All that is divided in a process takes turns.
 *
 * @param maxAtOnce - in the unit of the amounts
 * @returns a function to wait for before each part of the work, with its amount
 */
export function slicer(maxAtOnce: number): (amount: number) => Promise<void> {
  let done = 0;
  return async (amount) => {
    if (done > 0 && done + amount > maxAtOnce) {
      await nextTurn();
      done = 0;
    }
    done += amount;
  };
}
