import { lifetimes } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { lockAccount } from '../../domain/account-sessions/queries.ts';
import { findConfirmedAt } from '../../domain/second-factor/queries.ts';
import { mutate } from '../../domain/transaction.ts';
import type { UserContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';

/**
 * Runs changes of the factors, of which an account makes one at a time. Its confirmation is checked once more: a factor
 * that was turned on meanwhile has voided it.
 */
export function factorChange({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return <Result>(
    ctx: UserContext,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> => {
    const lockFirst = (tx: Transaction) => lockAccount(tx, ctx.user.id);
    return mutate({ db, clock, ctx, lockFirst }, async (tx) => {
      const confirmedAt = await findConfirmedAt(tx, ctx.credential.id);
      if (confirmedUntil(confirmedAt) <= clock.now()) throw new Failure('confirmation_required');
      return work(tx);
    });
  };
}

/** Returns when a confirmation stops counting; a time long ago without one. */
export function confirmedUntil(confirmedAt: Date | null): Date {
  return new Date((confirmedAt?.getTime() ?? 0) + lifetimes.confirmationSeconds * 1000);
}
