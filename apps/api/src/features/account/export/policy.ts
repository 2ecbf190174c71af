import { exportDays, maxExports, type Export } from '@atelier/contract';
import { expiryOf, exportAttemptMs, exportMs } from '../../../domain/account-exports/times.ts';
import { Failure } from '../../../kernel/errors.ts';
import type { ExportRow } from './queries.ts';

export function statusOf(
  row: Pick<ExportRow, 'createdAt' | 'readyAt'>,
  now: Date,
): Export['status'] {
  if (row.readyAt !== null) return expiryOf(row.readyAt) > now ? 'READY' : 'EXPIRED';
  const ageMs = now.getTime() - row.createdAt.getTime();
  return ageMs < exportAttemptMs ? 'PENDING' : 'FAILED';
}

/**
 * @param newest - the newest exports of the account, the newest first; at least as many as are allowed in a week
 * @throws Failure `export_pending` (409), `rate_limited` (429) with the time of the next one
 */
export function assertMayExport(newest: readonly ExportRow[], now: Date): void {
  if (newest.some((row) => statusOf(row, now) === 'PENDING')) throw new Failure('export_pending');
  const last = newest[maxExports - 1];
  if (!last) return;
  const waitMs = last.createdAt.getTime() + exportMs - now.getTime();
  if (waitMs <= 0) return;
  throw new Failure('rate_limited', {
    message: `An account has at most ${maxExports} exports in ${exportDays} days`,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  });
}
