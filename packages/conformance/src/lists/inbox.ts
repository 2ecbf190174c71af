import { untilNotified } from '../notified.ts';
import type { Creator } from './creator.ts';

/** Lets the colleague comment on tasks of the reader, and waits until each is in the reader's inbox: it arrives after the response. */
export async function notifyReader(
  { probe, reader, colleague }: Creator,
  taskIds: readonly string[],
): Promise<void> {
  for (const taskId of taskIds) {
    const body = { body: 'For your inbox' };
    await probe.succeed('comments.create', { ...colleague, params: { taskId }, body });
  }
  for (const taskId of taskIds) {
    await untilNotified(probe, reader.token, ({ subject }) => subject.id === taskId);
  }
}
