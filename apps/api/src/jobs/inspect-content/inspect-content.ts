import { createHash } from 'node:crypto';
import type { Database } from '../../db/executor.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { Pictures, Thumbnail } from '../../ports/pictures.ts';
import { thumbnailKeyOf } from '../../domain/thumbnails.ts';
import { detectedTypeOf, sampleBytes } from './detected-type.ts';
import { findStoredObject, noteFindings, type UnreadObject } from './queries.ts';

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
  storedObjectId: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, pictures } = deps;
  const object = await findStoredObject(db, storedObjectId);
  if (!object) return forget(deps, storedObjectId);
  if (object.checksum !== null) return;
  const reading = await read(deps, object, signal);
  // Lost by the storage, or just deleted: the janitor compares the two.
  if (!reading) return;
  const { checksum, detectedType } = reading;
  const thumbnail = reading.picture && (await pictures.thumbnail(reading.picture));
  if (thumbnail && !(await keep(deps, storedObjectId, thumbnail))) {
    return forget(deps, storedObjectId);
  }
  const isNoted = await noteFindings(db, storedObjectId, {
    checksum,
    detectedType,
    widthPixels: thumbnail?.originalWidth ?? null,
    heightPixels: thumbnail?.originalHeight ?? null,
    thumbnailKey: thumbnail && thumbnailKeyOf(storedObjectId),
  });
  if (!isNoted) await forget(deps, storedObjectId);
}

/** Removes what an aborted or concurrent run may have stored for a deleted object. */
async function forget({ store }: InspectionDeps, storedObjectId: string): Promise<void> {
  await store.deleteObject(thumbnailKeyOf(storedObjectId));
}

/** @returns null if the storage has no such object */
async function read(
  { store, pictures }: InspectionDeps,
  { key, sizeBytes }: UnreadObject,
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
  storedObjectId: string,
  { content }: Thumbnail,
): Promise<boolean> {
  if (!(await findStoredObject(db, storedObjectId))) return false;
  await store.putObject({
    key: thumbnailKeyOf(storedObjectId),
    content,
    contentType: 'image/webp',
  });
  return true;
}
