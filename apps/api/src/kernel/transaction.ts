import type { Database, Transaction } from '../db/client.ts';
import type { PublicContext } from './context.ts';

/**
 * Runs the one transaction of a mutation. When the call came with an `Idempotency-Key`, its answer is
 * stored in the same transaction: after a crash there are both or neither, so a retry never repeats the
 * effect.
 *
 * @param work - makes the change and returns the complete answer: the `data` of the declared success
 * @throws Failure `idempotency_in_flight` (409) when another attempt took the key over; nothing is changed
 * @see docs/decisions/0015-idempotency-keys.md
 */
export async function mutate<Answer>(
  { db, ctx }: { db: Database; ctx: Pick<PublicContext, 'claim'> },
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  return db.transaction(async (tx) => {
    const answer = await work(tx);
    await ctx.claim?.settle(tx, answer);
    return answer;
  });
}
