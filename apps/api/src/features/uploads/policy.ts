import { Failure, invalidField } from '../../kernel/errors.ts';
import type { StoredPart } from '../../ports/object-store.ts';

const mebibyte = 1024 * 1024;
/** Smallest part but the last that S3 accepts. */
const minStoredPartBytes = 5 * mebibyte;
/** Largest part that S3 accepts. */
const maxStoredPartBytes = 5 * 1024 * mebibyte;
/** Aimed at, so that a resumed upload loses little and the list of addresses stays short. */
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

/** Bytes of each part but the last: the minimum, or a thousandth of the file in whole MiB if that is more. */
export function partSizeOf(fileSizeBytes: number, minPartSizeBytes: number): number {
  const thousandth = Math.ceil(fileSizeBytes / idealPartCount / mebibyte) * mebibyte;
  return Math.min(maxStoredPartBytes, Math.max(minPartSizeBytes, thousandth));
}

interface Cut {
  readonly fileSizeBytes: number;
  readonly partSizeBytes: number;
}

/** How many parts a file has; an empty one has one. */
export function partCountOf({ fileSizeBytes, partSizeBytes }: Cut): number {
  return Math.max(1, Math.ceil(fileSizeBytes / partSizeBytes));
}

/** Bytes of one part. */
export function partBytes({ fileSizeBytes, partSizeBytes }: Cut, partNumber: number): number {
  return Math.min(partSizeBytes, fileSizeBytes - (partNumber - 1) * partSizeBytes);
}

/**
 * Which parts a resumed upload need not send again.
 *
 * @returns stored parts of the expected size, and the numbers of all others, both ascending
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
    // Another size was cut elsewhere, or is what a crossed wire left: the file needs it anew.
    if (part?.sizeBytes === partBytes(cut, partNumber)) usable.push(part);
    else missing.push(partNumber);
  }
  return { usable, missing };
}

/**
 * The storage key of an upload. The name is only there to be recognized: separators, control and
 * bidirectional characters become `_`, and it is cut to 200 bytes with its extension kept.
 */
export function storageKey(upload: {
  collectionId: string;
  uploadId: string;
  fileName: string;
}): string {
  return `collection/${upload.collectionId}/${upload.uploadId}/${safeFileName(upload.fileName)}`;
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
 * Compares what the client lists with what the storage holds, before the storage is asked to complete:
 * afterwards it would be too late to try again.
 *
 * @returns the parts as the storage knows them, ascending
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
