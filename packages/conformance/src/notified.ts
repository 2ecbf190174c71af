import { setTimeout as delay } from 'node:timers/promises';
import type { DataOf, Probe } from './probe.ts';

/** How long a notification may take to arrive, in milliseconds. */
export const arrivalMs = 15_000;
const pollMs = 100;

type Notification = DataOf<'notifications.list'>['items'][number];

/**
 * Waits for a notification of a person, which arrives after the response to what it is about.
 *
 * @returns undefined if none has arrived in time, and the last response in any case
 */
export async function untilNotified(
  probe: Probe,
  token: string,
  fits: (item: Notification) => boolean,
) {
  const until = Date.now() + arrivalMs;
  for (;;) {
    const response = await probe.request('notifications.list', { token, query: { limit: '100' } });
    const item = probe.dataIn('notifications.list', response).items.find(fits);
    if (item || Date.now() > until) return { item, response };
    await delay(pollMs);
  }
}
