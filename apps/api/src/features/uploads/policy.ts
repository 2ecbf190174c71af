import { objectPrefixes } from '../../domain/stored-objects/kinds.ts';
import { Failure, invalidField } from '../../kernel/errors.ts';
import type { StoredPart } from '../../ports/object-store.ts';

const mebibyte = 1024 * 1024;
/** Minimum size of a part in S3, except the last. */
const minStoredPartBytes = 5 * mebibyte;
/** Maximum size of a part in S3. */
const maxStoredPartBytes = 5 * 1024 * mebibyte;
/** Target number, so that a resumed upload loses little and the list of addresses stays short. */
const idealPartCount = 1_000;
const maxFileNameBytes = 200;

/** @throws Failure `validation_failed` (400) above the largest file of this service */
export function assertFileSize(fileSizeBytes: number, maxFileBytes: number): void {
  if (fileSizeBytes <= maxFileBytes) return;
  throw invalidField(
    ['fileSize'],
    'too_big',
    `Too big: a file may have at most ${maxFileBytes} bytes`,
  );
}

/** Returns the size of each part but the last in bytes: the minimum, or a thousandth of the file in whole MiB if larger. */
export function partSizeOf(fileSizeBytes: number, minPartSizeBytes: number): number {
  const thousandth = Math.ceil(fileSizeBytes / idealPartCount / mebibyte) * mebibyte;
  return Math.min(maxStoredPartBytes, Math.max(minPartSizeBytes, thousandth));
}

interface Cut {
  readonly fileSizeBytes: number;
  readonly partSizeBytes: number;
}

/** Returns the number of parts of a file; an empty one has one. */
export function partCountOf({ fileSizeBytes, partSizeBytes }: Cut): number {
  return Math.max(1, Math.ceil(fileSizeBytes / partSizeBytes));
}

/** Returns the size of one part in bytes. */
export function partBytes({ fileSizeBytes, partSizeBytes }: Cut, partNumber: number): number {
  return Math.min(partSizeBytes, fileSizeBytes - (partNumber - 1) * partSizeBytes);
}

/**
 * Splits the parts of a resumed upload into stored and missing ones.
 *
 * @returns stored parts of the expected size, and the numbers of the others, both ascending
 */
export function sortParts(
  cut: Cut,
  stored: readonly StoredPart[],
): { usable: StoredPart[]; missing: number[] } {
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]));
  const usable: StoredPart[] = [];
  const missing: number[] = [];
  for (let partNumber = 1; partNumber <= partCountOf(cut); partNumber += 1) {
    const part = byNumber.get(partNumber);
    // A part with another size was split differently or is corrupted: the client sends it again.
    if (part?.sizeBytes === partBytes(cut, partNumber)) usable.push(part);
    else missing.push(partNumber);
  }
  return { usable, missing };
}

/**
 * Returns the storage key of an upload. The name only helps to recognize it: separators, control and
 * bidirectional characters become `_`, and it is cut to 200 bytes with its extension kept.
 */
export function storageKey(upload: {
  collectionId: string;
  uploadId: string;
  fileName: string;
}): string {
  const folder = `${objectPrefixes.content}${upload.collectionId}/${upload.uploadId}`;
  return `${folder}/${safeFileName(upload.fileName)}`;
}

function safeFileName(fileName: string): string {
  const safe = fileName
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|#%&{}$!'@+`=^~[\]]/gu, '_')
    .replaceAll(/\.{2,}|^\./g, '_');
  const dot = safe.lastIndexOf('.');
  const extension = dot > 0 && safe.length - dot <= 16 ? safe.slice(dot) : '';
  return cutToBytes(safe.slice(0, safe.length - extension.length), maxFileNameBytes) + extension;
}

function cutToBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    cut += character;
  }
  return cut || '_';
}

/**
 * Compares the client's list with the parts in the storage, before the storage is asked to complete:
 * afterwards, a retry is impossible.
 *
 * @returns the parts as the storage lists them, ascending
 * @throws Failure `upload_part_invalid`, `upload_part_too_small` or `upload_size_mismatch` (400)
 */
export function assertPartsMatch(
  listed: readonly { partNumber: number; eTag: string }[],
  stored: readonly StoredPart[],
  fileSizeBytes: number,
): StoredPart[] {
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]));
  const parts = listed
    .toSorted((one, other) => one.partNumber - other.partNumber)
    .map(({ partNumber, eTag }) => {
      const part = byNumber.get(partNumber);
      if (!part) throw partFailure(`Part ${partNumber} was never stored`);
      if (part.eTag !== eTag.replaceAll('"', '')) {
        throw partFailure(`The ETag of part ${partNumber} does not match what was stored`);
      }
      return part;
    });
  const tooSmall = parts.slice(0, -1).find((part) => part.sizeBytes < minStoredPartBytes);
  if (tooSmall) {
    throw new Failure('upload_part_too_small', {
      message: `Part ${tooSmall.partNumber} has ${tooSmall.sizeBytes} bytes; every part but the last needs ${minStoredPartBytes}`,
    });
  }
  const storedBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  if (storedBytes !== fileSizeBytes) {
    throw new Failure('upload_size_mismatch', {
      message: `The parts hold ${storedBytes} bytes, but ${fileSizeBytes} were declared`,
    });
  }
  return parts;
}

function partFailure(message: string): Failure {
  return new Failure('upload_part_invalid', { message });
}
