import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns a function that starts work, repeated after each pause as long as it is needed. A start while it repeats changes
 * nothing; it keeps no process alive.
 *
 * @param work - never rejects
 */
export function repeatWhile(
  isNeeded: () => boolean,
  { pauseMs, work }: { pauseMs: number; work: () => Promise<void> },
): () => void {
  let isRepeating = false;
  async function repeat(): Promise<void> {
    while (isNeeded()) {
      await delay(pauseMs, undefined, { ref: false });
      await work();
    }
    isRepeating = false;
  }
  return () => {
    if (isRepeating) return;
    isRepeating = true;
    void repeat();
  };
}
