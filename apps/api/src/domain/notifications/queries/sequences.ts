import { sql } from 'drizzle-orm';
import type { Transaction } from '../../../db/executor.ts';

/**
 * Takes as many numbers for each person as are given, and locks their inboxes until the transaction ends.
 *
 * @returns the first number of each
 */
export async function takeSequences(
  tx: Transaction,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const wanted = [...counts].map(([userId, count]) => ({ user_id: userId, count }));
  // In the same order everywhere: consumers of two organizations would deadlock otherwise.
  const rows = await tx.execute<{ userId: string; first: number }>(sql`
    insert into inboxes as inbox (user_id, last_sequence)
    select wanted.user_id, wanted.count
    from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as wanted(user_id uuid, count bigint)
    order by wanted.user_id
    on conflict (user_id) do update set last_sequence = inbox.last_sequence + excluded.last_sequence
    returning user_id as "userId",
      (inbox.last_sequence + 1)::float8 as first`);
  return new Map([...rows].map(({ userId, first }) => [userId, first - (counts.get(userId) ?? 0)]));
}
