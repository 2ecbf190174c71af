import { createS3ObjectStore } from '../adapters/s3.ts';
import type { S3Settings } from '../adapters/s3/client.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Database } from '../db/executor.ts';
import { Failure } from '../kernel/errors.ts';
import { OperatorError } from '../domain/operator-error.ts';
import {
  endExpiredUploads,
  type ExpiredUploadsReport,
} from '../domain/storage-upkeep/expired-uploads.ts';
import {
  reconcileStorage,
  whyWithheld,
  type ReconciliationMode,
  type ReconciliationReport,
} from '../domain/storage-upkeep/reconcile.ts';
import { innermostCause } from './innermost-cause.ts';
import { singleLine } from './safe-text.ts';

/**
 * Compares storage and database, and optionally cleans up.
 *
 * @returns a human-readable report, and whether all was done that the mode asks for
 * @throws OperatorError if the storage can't be used
 */
export async function operateStorage(call: {
  readonly db: Database;
  readonly settings: S3Settings;
  readonly mode: ReconciliationMode;
  readonly complain: (line: string) => void;
}): Promise<{ report: string; isDone: boolean }> {
  const { db, settings, mode, complain } = call;
  const log = {
    error: (about: { readonly err?: unknown }, message: string) =>
      complain(`${message}: ${singleLine(innermostCause(about.err).message)}`),
  };
  const deps = { db, store: createS3ObjectStore(settings), clock: systemClock, log };
  try {
    const expired = await endExpiredUploads(deps, mode === 'examine' ? mode : 'mend');
    const found = { ...expired, ...(await reconcileStorage(deps, mode)) };
    const { failed, withheld } = found;
    if (withheld) complain(whyWithheld(withheld));
    return { report: describe(mode, found), isDone: failed === 0 && withheld === null };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'storage_unavailable') throw error;
    throw new OperatorError(`The file storage at ${settings.endpoint} could not be used.`, {
      cause: error,
    });
  }
}

function describe(
  mode: ReconciliationMode,
  report: ExpiredUploadsReport & ReconciliationReport,
): string {
  const [done, aborted, removed] =
    mode === 'examine'
      ? ['to finish', 'to abort', 'to remove']
      : ['finished', 'aborted', 'removed'];
  const missing = report.missingObjects - report.firstMissing.length;
  return [
    `Expired uploads ${done}: ${report.finished}`,
    `Expired uploads ${aborted}: ${report.aborted}`,
    `Expired uploads that failed: ${report.failed}`,
    `Multipart uploads nothing knows of ${aborted}: ${report.orphanMultipartUploads}`,
    `Objects nothing refers to ${removed}: ${report.orphanObjects}`,
    `Objects missing in the storage: ${report.missingObjects}`,
    ...report.firstMissing.map(({ id, key }) => `  ${id}  ${key}`),
    ...(missing > 0 ? [`  … and ${missing} more`] : []),
  ].join('\n');
}
