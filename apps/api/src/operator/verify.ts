import { createS3ObjectStore } from '../adapters/s3.ts';
import type { S3Settings } from '../adapters/s3/client.ts';
import type { Database } from '../db/executor.ts';
import { Failure } from '../kernel/errors.ts';
import { OperatorError } from '../domain/operator-error.ts';
import { verifyStorage, type StorageVerification } from '../domain/verify/storage.ts';
import { verifyDatabase, type CheckResult } from '../domain/verify/verify.ts';
import { singleLine } from './safe-text.ts';

/**
 * Checks every invariant of the database and the storage.
 *
 * @returns a human-readable report, and whether every invariant holds
 * @throws OperatorError if the storage can't be used
 */
export async function operateVerify(
  db: Database,
  settings: S3Settings,
): Promise<{ report: string; holds: boolean }> {
  const database = await verifyDatabase(db);
  const { results, leftForJanitor } = await verifyStorage({
    db,
    store: createS3ObjectStore(settings),
  }).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'storage_unavailable') throw error;
    throw new OperatorError(`The file storage at ${settings.endpoint} could not be used.`, {
      cause: error,
    });
  });
  const all = [...database, ...results];
  const failed = all.filter(({ total }) => total > 0);
  return {
    holds: failed.length === 0,
    report: [
      ...all.flatMap(lines),
      janitorLine(leftForJanitor),
      `verify: ${all.length - failed.length} hold, ${failed.length} broken`,
    ].join('\n'),
  };
}

function lines({ name, claim, total, subjects }: CheckResult): string[] {
  if (total === 0) return [`ok      ${name}: ${claim}`];
  return [
    `BROKEN  ${name}: ${claim}; ${total} not so`,
    ...subjects.map((subject) => `          ${singleLine(subject)}`),
    ...(total > subjects.length ? [`          … and ${total - subjects.length} more`] : []),
  ];
}

function janitorLine(left: StorageVerification['leftForJanitor']): string {
  const { expiredUploads, multipartUploads, objects } = left;
  return `Left for the janitor: ${expiredUploads} expired uploads, ${multipartUploads} multipart uploads, ${objects} objects`;
}
