import { enqueuePictures } from '../../domain/shares/pictures.ts';
import { listUnpictured, type ShownAsset } from '../../domain/shares/queries/shown-assets.ts';
import { objectPrefixes } from '../../domain/stored-objects/kinds.ts';
import { newId } from '../../kernel/ids.ts';
import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { findPicturedShare, insertPicture } from './queries.ts';

type PictureDeps = Pick<JobDeps, 'db' | 'clock' | 'store' | 'pictures'>;

/** Files of one round. */
const roundFiles = 20;
/** Larger ones have no pictures. */
const maxFileBytes = 64 * 1024 * 1024;
/** How long to wait for the inspection of new files, in seconds. */
const inspectionSeconds = 10;
/** A file that isn't inspected an hour after its upload is asked for again by the next visit only. */
const maxInspectionMs = 60 * 60 * 1000;

/** After which a share with more files waits again, behind the others. */
const turnMs = 5_000;

/**
 * Makes the pictures that visitors of a share see in place of its files, as far as there are none, for one turn. Other
 * shares of the organization with the same watermark use the same pictures. Repeated and parallel runs give the same result.
 *
 * @param signal - aborts between two files
 * @throws Failure `storage_unavailable` (503)
 */
export async function makeSharePictures(
  deps: PictureDeps,
  { organizationId, shareId }: Jobs['make_share_pictures'],
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = deps;
  const endsAt = performance.now() + turnMs;
  for (;;) {
    const now = clock.now();
    const share = await findPicturedShare(db, { organizationId, id: shareId }, now);
    if (!share) return;
    const files = await listUnpictured(db, share, roundFiles);
    const ready = files.filter(({ checksum }) => checksum !== null);
    for (const file of ready) {
      signal.throwIfAborted();
      await makePicture(deps, file, { organizationId, watermark: share.watermark });
      if (performance.now() > endsAt) return enqueuePictures(db, share);
    }
    if (ready.length === roundFiles) continue;
    const isAwaited = ({ checksum, storedAt }: ShownAsset) =>
      checksum === null && now.getTime() - storedAt.getTime() < maxInspectionMs;
    if (files.some(isAwaited)) await enqueuePictures(db, share, inspectionSeconds);
    return;
  }
}

async function makePicture(
  { db, clock, store, pictures }: PictureDeps,
  { storedObjectId, key: original, fileSizeBytes, detectedType }: ShownAsset,
  { organizationId, watermark }: { organizationId: string; watermark: string | null },
): Promise<void> {
  const isKnown = pictures.knows({ type: detectedType, bytes: fileSizeBytes });
  const content = isKnown
    ? await store.readObject({ key: original, maxBytes: maxFileBytes })
    : null;
  const picture = Buffer.isBuffer(content) ? await pictures.shared(content, watermark) : null;
  // Random: the key tells nothing about the file.
  const key = picture && `${objectPrefixes.sharePicture}${newId()}.jpg`;
  if (picture && key) await store.putObject({ key, content: picture, contentType: 'image/jpeg' });
  const row = { organizationId, storedObjectId, watermark: watermark ?? '', key };
  const isNew = await db.transaction((tx) => insertPicture(tx, { ...row, createdAt: clock.now() }));
  if (!isNew && key) await store.deleteObject(key);
}
