import type { Notification } from '@atelier/contract';
import { expect, vi } from 'vitest';
import { call, type CallOptions, type Reachable } from './api.ts';

type Reader = { readonly token: string };

/** Every notification of a person, the newest first. */
export async function inboxOf(
  api: Reachable,
  { token }: Reader,
  query: CallOptions['query'] = {},
): Promise<Notification[]> {
  const { status, body } = await call(api, 'notifications.list', {
    token,
    query: { limit: 100, ...query },
  });
  expect(status).toBe(200);
  return body.data.items;
}

/** Waits until a person has so many events in all, which the follower brings. */
export async function untilEvents(
  api: Reachable,
  reader: Reader,
  count: number,
): Promise<Notification[]> {
  let items: Notification[] = [];
  await expect
    .poll(
      async () => {
        items = await inboxOf(api, reader);
        return items.reduce((sum, { eventCount }) => sum + eventCount, 0);
      },
      { timeout: 20_000, interval: 50 },
    )
    .toBe(count);
  return items;
}

export async function unreadOf(api: Reachable, { token }: Reader): Promise<number> {
  const { status, body } = await call(api, 'notifications.count', { token });
  expect(status).toBe(200);
  return body.data.unread;
}

/** Waits for a notification about a task. */
export async function untilNotified(
  api: Reachable,
  reader: Reader,
  taskId: string,
): Promise<Notification> {
  return vi.waitFor(
    async () => {
      const found = (await inboxOf(api, reader)).find(({ subject }) => subject.id === taskId);
      if (!found) throw new Error('the notification has not arrived');
      return found;
    },
    { timeout: 20_000, interval: 50 },
  );
}
