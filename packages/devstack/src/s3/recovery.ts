import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from './blobs.ts';
import { Bucket } from './bucket.ts';
import type { Upload } from './bucket.ts';
import type { DurableFiles } from './durable-files.ts';
import type { Layout } from './layout.ts';
import { isBucketName, isRecordFileName, isUploadId } from './names.ts';
import {
  DamagedRecord,
  readBucketRecord,
  readObjectRecord,
  readPartRecord,
  readUploadRecord,
} from './records.ts';
import type { ObjectRecord } from './records.ts';
import { SortedMap } from './sorted-map.ts';

const parallelReads = 32;

interface RecoverySource {
  layout: Layout;
  files: DurableFiles;
  blobs: BlobStore;
}

/**
 * Reads the stored buckets and cleans up after a crash: removes temporary files, uploads whose object is already
 * committed, and blobs without a record. Ignores what other programs leave in the directories, such as `.DS_Store`.
 *
 * @throws DamagedRecord rather than delete the bytes of an unreadable record
 */
export async function recover({
  layout,
  files,
  blobs,
}: RecoverySource): Promise<Map<string, Bucket>> {
  await mkdir(layout.bucketsDir, { recursive: true });
  await files.clearTemporary();
  const buckets = new Map<string, Bucket>();
  const entries = await readdir(layout.bucketsDir, { withFileTypes: true });
  // `desktop.ini` is a valid bucket name, but a file.
  const names = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  for (const name of names.filter(isBucketName).toSorted()) {
    buckets.set(name, await loadBucket({ layout, files }, name));
  }
  await blobs.open(referencedBlobs(buckets.values()));
  return buckets;
}

async function loadBucket(
  { layout, files }: Pick<RecoverySource, 'layout' | 'files'>,
  name: string,
): Promise<Bucket> {
  const { createdAt, corsRules } = await readRecord(layout.bucketFile(name), readBucketRecord);
  const objects = await readRecords(layout.objectsDir(name), readObjectRecord, isRecordFileName);
  const completed = new Set(objects.map(({ uploadId }) => uploadId));
  const uploads = new Map<string, Upload>();
  for (const uploadId of (await readdir(layout.uploadsDir(name))).filter(isUploadId)) {
    const directory = layout.uploadDir(name, uploadId);
    if (completed.has(uploadId)) await files.removeDirectory(directory);
    else uploads.set(uploadId, await loadUpload(directory));
  }
  return new Bucket({
    name,
    createdAt,
    corsRules,
    objects: new SortedMap(objects.map((record): [string, ObjectRecord] => [record.key, record])),
    uploads,
  });
}

async function loadUpload(directory: string): Promise<Upload> {
  const upload = await readRecord(join(directory, 'upload.json'), readUploadRecord);
  const parts = await readRecords(directory, readPartRecord, (name) =>
    /^part-\d+\.json$/.test(name),
  );
  return { ...upload, parts: new Map(parts.map((part) => [part.partNumber, part])) };
}

async function readRecords<Shape>(
  directory: string,
  read: (json: unknown) => Shape,
  isRecord: (name: string) => boolean,
): Promise<Shape[]> {
  const names = (await readdir(directory)).filter(isRecord);
  const records: Shape[] = [];
  for (let index = 0; index < names.length; index += parallelReads) {
    const batch = names.slice(index, index + parallelReads);
    records.push(
      ...(await Promise.all(batch.map((name) => readRecord(join(directory, name), read)))),
    );
  }
  return records;
}

async function readRecord<Shape>(path: string, read: (json: unknown) => Shape): Promise<Shape> {
  try {
    return read(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new DamagedRecord(path, cause);
  }
}

function referencedBlobs(buckets: Iterable<Bucket>): Set<string> {
  const blobIds = new Set<string>();
  for (const { objects, uploads } of buckets) {
    for (const { segments } of objects.values()) {
      for (const { blobId } of segments) blobIds.add(blobId);
    }
    for (const { parts } of uploads.values()) {
      for (const { blobId } of parts.values()) blobIds.add(blobId);
    }
  }
  return blobIds;
}
