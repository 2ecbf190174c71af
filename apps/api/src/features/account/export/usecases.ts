import { maxExports, type Export } from '@atelier/contract';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { lockAccount } from '../../../domain/account-sessions/queries.ts';
import { aboutUser, recordAccountActivity } from '../../../domain/activity.ts';
import { enqueueJob } from '../../../domain/job-queue.ts';
import { originOf } from '../../../domain/security-notices.ts';
import { mutate } from '../../../domain/transaction.ts';
import type { UserContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { expiryOf } from '../../../domain/account-exports/times.ts';
import { assertMayExport, statusOf } from './policy.ts';
import { findExport, insertExport, listExports, type ExportRow } from './queries.ts';

/** How long a URL of the file works. */
const urlSeconds = 5 * 60;

/**
 * Exports what the service keeps of a person.
 *
 * @see docs/decisions/0077-export.md
 */
export function exportUseCases({ db, clock, store }: Pick<Deps, 'db' | 'clock' | 'store'>) {
  async function present(row: ExportRow, { isConfirmed }: UserContext): Promise<Export> {
    const now = clock.now();
    const { id, key, createdAt, sizeBytes } = row;
    const status = statusOf(row, now);
    const expiresAt = row.readyAt && expiryOf(row.readyAt);
    return {
      id,
      status,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt && expiresAt.toISOString(),
      sizeBytes,
      url:
        status === 'READY' && isConfirmed && key && expiresAt
          ? await addressOf(key, {
              createdAt,
              secondsLeft: (expiresAt.getTime() - now.getTime()) / 1000,
            })
          : null,
    };
  }

  function addressOf(
    key: string,
    { createdAt, secondsLeft }: { createdAt: Date; secondsLeft: number },
  ): Promise<string> {
    return store.presignDownload({
      key,
      expiresInSeconds: Math.min(urlSeconds, secondsLeft),
      fileName: `atelier-export-${createdAt.toISOString().slice(0, 10)}.zip`,
      contentType: 'application/zip',
      detectedType: 'application/zip',
      disposition: 'attachment',
    });
  }

  return {
    /** @throws Failure `export_pending` (409), `rate_limited` (429) for the fourth one in a week */
    async request(ctx: UserContext): Promise<Export> {
      const { id: userId } = ctx.user;
      const lockFirst = (tx: Transaction) => lockAccount(tx, userId);
      return mutate({ db, clock, ctx, lockFirst }, async (tx, ctx) => {
        const account = await lockAccount(tx, userId);
        if (account?.accountStatus !== 'VERIFIED') throw new Failure('unauthenticated');
        const now = clock.now();
        assertMayExport(await listExports(tx, userId, maxExports), now);
        const row = await insertExport(tx, { id: newId(), userId, createdAt: now });
        await enqueueJob(tx, 'export_account', { exportId: row.id, origin: originOf(ctx) });
        await recordAccountActivity(tx, {
          ...aboutUser({ id: userId, email: account.email }, ctx, now),
          action: 'user.export',
        });
        return present(row, ctx);
      });
    },

    async latest(ctx: UserContext): Promise<{ export: Export | null }> {
      const [row] = await listExports(db, ctx.user.id, 1);
      return { export: row ? await present(row, ctx) : null };
    },

    /** @throws Failure `not_found` (404) for one of another account, and for one that was removed */
    async get(id: string, ctx: UserContext): Promise<Export> {
      const row = await findExport(db, { userId: ctx.user.id, id });
      if (!row) throw new Failure('not_found');
      return present(row, ctx);
    },
  };
}
