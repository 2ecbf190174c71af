import { randomBytes } from 'node:crypto';
import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { exportAttemptMs } from '../../domain/account-exports/times.ts';
import { enqueueJob } from '../../domain/job-queue.ts';
import { objectPrefixes } from '../../domain/stored-objects/kinds.ts';
import { archiveOf } from './archive.ts';
import { beginAttempt, findScope, finishAttempt } from './queries.ts';

export type ExportDeps = Pick<JobDeps, 'db' | 'clock' | 'store'>;

/**
 * Writes an export to the storage, from the beginning each time. No-op for one that is ready, given up or gone.
 *
 * Each attempt has an object of its own: of two that run at once, the later one wins, and the size of the object stays
 * that of its row.
 *
 * @param signal - means that the process ends: the export is left to the next attempt
 * @see docs/decisions/0077-export.md
 */
export async function exportAccount(
  deps: ExportDeps,
  { exportId, origin }: Jobs['export_account'],
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, store } = deps;
  const attemptKey = `${objectPrefixes.export}${randomBytes(32).toString('base64url')}`;
  const since = new Date(clock.now().getTime() - exportAttemptMs);
  const attempt = await db.transaction(async (tx) => {
    const begun = await beginAttempt(tx, { exportId, attemptKey, since });
    if (begun?.formerKey) await enqueueJob(tx, 'delete_object', { key: begun.formerKey });
    return begun;
  });
  if (!attempt) return;
  const scope = await findScope(db, attempt.userId, clock.now());
  const sizeBytes = await store.putStream({
    key: attemptKey,
    content: archiveOf(db, { scope, exportedAt: clock.now(), signal }),
    contentType: 'application/zip',
  });
  const isReady = await db.transaction(async (tx) => {
    const finished = { exportId, attemptKey, sizeBytes, readyAt: clock.now() };
    if (!(await finishAttempt(tx, finished))) return false;
    await enqueueJob(tx, 'send_export_notice', { exportId, origin });
    return true;
  });
  // Another attempt has begun, or the account is gone.
  if (!isReady) await store.deleteObject(attemptKey);
}
