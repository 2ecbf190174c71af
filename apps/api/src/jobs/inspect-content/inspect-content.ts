import { createHash } from 'node:crypto';
import type { Database } from '../../db/executor.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { Pictures, Thumbnail } from '../../ports/pictures.ts';
import { thumbnailKeyOf } from '../../domain/thumbnails.ts';
import { detectedTypeOf, sampleBytes } from './detected-type.ts';
import { releaseThumbnail } from '../../domain/storage-upkeep/release.ts';
import {
  findStoredObject,
  type StoredObjectKey,
  type StoredObjectRow,
} from '../../domain/stored-objects/queries.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { findEverywhere, noteFindings } from './queries.ts';

interface InspectionDeps {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly pictures: Pictures;
}

/** Bytes per request to the storage: only that much of a file is in memory, unless it is a picture. */
const rangeBytes = 1024 * 1024;

/** The result of reading an object to its end. */
interface Reading {
  readonly checksum: string;
  readonly detectedType: string | null;
  /** The whole content, if it is a picture that can have a thumbnail. */
  readonly picture: Buffer | null;
}

/**
 * Reads a stored object once from start to end, and records its checksum, its detected type
 * and, for a picture, its size and a thumbnail. Unreadable pictures are recorded as such.
 * Repeated and parallel runs give the same result; if the object is deleted during a run, nothing remains.
 *
 * @param signal - aborts between two ranges
 * @throws Failure `storage_unavailable` (503)
 * @see docs/decisions/0028-content-inspection.md
 */
export async function inspectContent(
  deps: InspectionDeps,
  { organizationId, storedObjectId: id }: Jobs['inspect_content'],
  signal: AbortSignal,
): Promise<void> {
  if (organizationId !== undefined) return inspect(deps, { organizationId, id }, signal);
  const rows = await findEverywhere(deps.db, id);
  for (const row of rows) await inspect(deps, row, signal);
  if (rows.length === 0) await forget(deps, id);
}

async function inspect(
  deps: InspectionDeps,
  key: StoredObjectKey,
  signal: AbortSignal,
): Promise<void> {
  const { db, pictures } = deps;
  const object = await findStoredObject(db, key);
  if (!object) return forget(deps, key.id);
  if (object.checksum !== null) return;
  const reading = await read(deps, object, signal);
  // Lost by the storage, or just deleted: the janitor compares the two.
  if (!reading) return;
  const { checksum, detectedType } = reading;
  const thumbnail = reading.picture && (await pictures.thumbnail(reading.picture));
  if (thumbnail && !(await keep(deps, key, thumbnail))) return forget(deps, key.id);
  const isNoted = await noteFindings(db, key, {
    checksum,
    detectedType,
    widthPixels: thumbnail?.originalWidth ?? null,
    heightPixels: thumbnail?.originalHeight ?? null,
    thumbnailKey: thumbnail && thumbnailKeyOf(key.id),
  });
  if (!isNoted) await forget(deps, key.id);
}

/** Removes what an aborted or concurrent run may have stored for a deleted object, unless a copy shows it. */
async function forget(deps: InspectionDeps, storedObjectId: string): Promise<void> {
  await releaseThumbnail(deps, thumbnailKeyOf(storedObjectId));
}

/** @returns null if the storage has no such object */
async function read(
  { store, pictures }: InspectionDeps,
  { key, sizeBytes }: StoredObjectRow,
  signal: AbortSignal,
): Promise<Reading | null> {
  const hash = createHash('sha256');
  let detectedType: string | null = null;
  let picture: Buffer | null = null;
  for (let fromByte = 0; fromByte < sizeBytes; fromByte += rangeBytes) {
    signal.throwIfAborted();
    const bytes = Math.min(rangeBytes, sizeBytes - fromByte);
    const range = await store.readRange({ key, fromByte, bytes });
    if (!range) return null;
    hash.update(range);
    if (fromByte === 0) {
      detectedType = await detectedTypeOf(range.subarray(0, sampleBytes));
      const isKnown = pictures.knows({ type: detectedType, bytes: sizeBytes });
      picture = isKnown ? Buffer.allocUnsafe(sizeBytes) : null;
    }
    if (picture) range.copy(picture, fromByte);
  }
  return { checksum: hash.digest('hex'), detectedType, picture };
}

/** @returns false if the object was deleted during the run */
async function keep(
  { db, store }: InspectionDeps,
  object: StoredObjectKey,
  { content }: Thumbnail,
): Promise<boolean> {
  if (!(await findStoredObject(db, object))) return false;
  await store.putObject({
    key: thumbnailKeyOf(object.id),
    content,
    contentType: 'image/webp',
  });
  return true;
}
