import { exportAttemptHours, exportDays, maxExports, type Export } from '@atelier/contract';
import { Failure } from '../../../kernel/errors.ts';
import type { ExportRow } from './queries.ts';

const hourMs = 60 * 60 * 1000;
const exportMs = exportDays * 24 * hourMs;

/** Returns when the file of an export is deleted; null before there is one. */
export function expiryOf({ readyAt }: Pick<ExportRow, 'readyAt'>): Date | null {
  return readyAt && new Date(readyAt.getTime() + exportMs);
}

export function statusOf(
  row: Pick<ExportRow, 'createdAt' | 'readyAt'>,
  now: Date,
): Export['status'] {
  const expiresAt = expiryOf(row);
  if (expiresAt !== null) return expiresAt > now ? 'READY' : 'EXPIRED';
  const ageMs = now.getTime() - row.createdAt.getTime();
  return ageMs < exportAttemptHours * hourMs ? 'PENDING' : 'FAILED';
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
