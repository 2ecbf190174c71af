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

/**
 * Like {@link mutate}, for an effect that is a single statement: called without an `Idempotency-Key`, the
 * statement is its own transaction, without the round trips that begin and commit one.
 *
 * @param effect - the same statement, `alone` on the database or `within` a transaction
 * @param answerOf - makes the answer, or throws, of what the statement tells; it changes nothing
 * @throws Failure `idempotency_in_flight` (409) when another attempt took the key over; nothing is changed
 */
export async function mutateAtOnce<Told, Answer>(
  {
    db,
    ctx,
    effect,
  }: {
    db: Database;
    ctx: Pick<PublicContext, 'claim'>;
    effect: { alone: () => Promise<Told>; within: (tx: Transaction) => Promise<Told> };
  },
  answerOf: (told: Told) => Answer,
): Promise<Answer> {
  if (ctx.claim === null) return answerOf(await effect.alone());
  return mutate({ db, ctx }, async (tx) => answerOf(await effect.within(tx)));
}
