import type { Topic } from '../announcements.ts';
import type { Executor } from '../executor.ts';
import { sessionOf } from './session.ts';

/** Announces a topic when the transaction commits; never when it rolls back. Without one it announces at once. */
export function announceAfterCommit(executor: Executor, topic: Topic): void {
  sessionOf(executor).announce(topic);
}
