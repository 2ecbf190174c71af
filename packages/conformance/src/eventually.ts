import { setTimeout as delay } from 'node:timers/promises';

/**
 * How long something may take to arrive after the response to what causes it, in milliseconds. A busy deployment needs far
 * more than the two seconds of an idle one.
 */
export const arrivalMs = 60_000;
const pollMs = 100;

/**
 * Reads until what arrives by itself is there.
 *
 * @returns what was read last, there or not
 */
export async function eventually<Read>(
  read: () => Promise<Read>,
  isThere: (read: Read) => boolean,
): Promise<Read> {
  const until = Date.now() + arrivalMs;
  for (;;) {
    const last = await read();
    if (isThere(last) || Date.now() > until) return last;
    await delay(pollMs);
  }
}
