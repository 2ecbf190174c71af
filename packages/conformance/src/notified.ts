import { eventually } from './eventually.ts';
import type { DataOf, Probe } from './probe.ts';

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
  const read = async () => {
    const response = await probe.request('notifications.list', { token, query: { limit: '100' } });
    return { item: probe.dataIn('notifications.list', response).items.find(fits), response };
  };
  return eventually(read, ({ item }) => item !== undefined);
}
