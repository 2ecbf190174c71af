import type { Batches } from '../../domain/batches/queries.ts';
import { dayMs } from '../../kernel/durations.ts';
import type { Clock } from '../../ports/clock.ts';
import { deleteBeyond, deleteDigests, deleteUnneeded } from './queries/keep.ts';

/** How long a read notification is kept, and an unread one, in days. */
const retentionDays = { read: 180, unread: 365 };
/** How long it is kept that a digest was sent, in days: longer than a period, and any change of a time zone. */
const digestDays = 60;
/** Maximum number of notifications of a person; the oldest go. */
const maxOfPerson = 5_000;

/** Removes notifications that are old, too many, or about what their person may no longer read. Idempotent. */
export async function keepNotifications({
  db,
  clock,
  signal,
}: Batches & { readonly clock: Clock }): Promise<void> {
  const before = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  const { read, unread } = retentionDays;
  const batches = { db, signal };
  await deleteUnneeded(batches, { readBefore: before(read), before: before(unread) });
  await deleteBeyond(batches, maxOfPerson);
  await deleteDigests(batches, before(digestDays));
}
