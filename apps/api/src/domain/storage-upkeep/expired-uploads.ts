import type { Deps } from '../../deps.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { UploadRow } from '../save-upload/queries.ts';
import { giveUpUpload, uploadSaver } from '../save-upload/save-upload.ts';
import { expiredUploads } from './queries.ts';

export type UpkeepDeps = Pick<Deps, 'db' | 'store' | 'clock'> & {
  readonly log: { error(about: object, message: string): void };
  /** Aborts between two uploads, or two pages of the bucket. */
  readonly signal?: AbortSignal;
};

/** `examine` changes nothing and counts what `mend` would do. */
export type UpkeepMode = 'examine' | 'mend';

/** The results for expired uploads. */
export interface ExpiredUploadsReport {
  /** Saved as assets: their completion had stopped before that. */
  finished: number;
  /** Aborted, including everything that the storage held of them. */
  aborted: number;
  /** Left for the next run; the log says why. */
  failed: number;
}

/**
 * Ends expired uploads. Any number of processes may do so at once, beside completions and
 * aborts: the lock of each upload decides.
 *
 * @throws Failure `storage_unavailable` (503); the next run handles the rest
 */
export async function endExpiredUploads(
  deps: UpkeepDeps,
  mode: UpkeepMode,
): Promise<ExpiredUploadsReport> {
  const report: ExpiredUploadsReport = { finished: 0, aborted: 0, failed: 0 };
  for await (const upload of expiredUploads(deps.db, deps.clock.now())) {
    deps.signal?.throwIfAborted();
    try {
      const outcome = await (mode === 'mend' ? end : foresee)(deps, upload);
      if (outcome) report[outcome] += 1;
    } catch (error) {
      if (error instanceof Failure && error.code === 'storage_unavailable') throw error;
      // One failure must not block the others.
      deps.log.error(
        { err: error, uploadId: upload.id },
        `The expired upload ${upload.id} could not be ended`,
      );
      report.failed += 1;
    }
  }
  return report;
}

type Outcome = 'finished' | 'aborted';

async function foresee({ store }: UpkeepDeps, upload: UploadRow): Promise<Outcome> {
  return (await joinedObject(store, upload)) ? 'finished' : 'aborted';
}

/** @returns null when another process ended it in the meantime */
async function end(deps: UpkeepDeps, upload: UploadRow): Promise<Outcome | null> {
  const { db, store, clock } = deps;
  const origin = { requestId: `janitor-${newId()}`, now: clock.now() };
  const object = await joinedObject(store, upload);
  if (object) {
    const saving = { authority: null, upload, object, ...origin };
    const saved = await uploadSaver(db)(saving).catch(refused);
    if (saved?.assetId) return 'finished';
  }
  const before = await db.transaction((tx) =>
    giveUpUpload(tx, upload, { ...origin, actorId: null, apiKeyId: null, reason: 'expired' }),
  );
  if (before !== 'ACTIVE') return null;
  const { key, storageUploadId } = upload;
  if (storageUploadId !== null) await store.abortMultipartUpload({ key, storageUploadId });
  return 'aborted';
}

/** Finds the object of an upload that the storage completed and that only has to be saved. */
async function joinedObject(store: UpkeepDeps['store'], upload: UploadRow) {
  if (upload.storageUploadId === null) return null;
  const object = await store.statObject(upload.key);
  return object?.sizeBytes === upload.fileSizeBytes ? object : null;
}

/** By the plan, or because its uploader has lost the right. */
function refused(error: unknown): null {
  if (!(error instanceof Failure)) throw error;
  if (error.code === 'plan_limit_reached' || error.code === 'permission_denied') return null;
  throw error;
}
