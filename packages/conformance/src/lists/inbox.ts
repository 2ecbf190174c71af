import { setTimeout as delay } from 'node:timers/promises';
import type { Creator } from './creator.ts';

/** How long a notification may take to arrive. */
const arrivalMs = 15_000;
const pollMs = 100;

/** Lets the colleague comment on tasks of the reader, and waits until each is in the reader's inbox: it arrives after the response. */
export async function notifyReader(
  { probe, reader, colleague }: Creator,
  taskIds: readonly string[],
): Promise<void> {
  for (const taskId of taskIds) {
    const body = { body: 'For your inbox' };
    await probe.succeed('comments.create', { ...colleague, params: { taskId }, body });
  }
  const until = Date.now() + arrivalMs;
  for (;;) {
    const query = { limit: '100' };
    const { items } = await probe.succeed('notifications.list', { token: reader.token, query });
    const arrived = new Set(items.map(({ subject }) => subject.id));
    if (taskIds.every((id) => arrived.has(id)) || Date.now() > until) return;
    await delay(pollMs);
  }
}
