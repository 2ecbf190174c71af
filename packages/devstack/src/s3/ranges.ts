import type { ByteSpan } from './blobs.ts';
import { S3Error } from './errors.ts';

/**
 * Resolves a Range header against an object's size.
 *
 * @returns undefined for the whole object: like S3, it ignores several ranges and other syntax
 * @throws S3Error `InvalidRange` when the range contains no byte
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteSpan | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') return suffixRange(Number(last), sizeBytes);
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Number(last);
  if (last !== '' && end < start) return undefined;
  if (start >= sizeBytes) throw unsatisfiable(sizeBytes);
  return { start, end: Math.min(end, sizeBytes - 1) };
}

function suffixRange(lengthBytes: number, sizeBytes: number): ByteSpan {
  if (lengthBytes === 0 || sizeBytes === 0) throw unsatisfiable(sizeBytes);
  return { start: Math.max(0, sizeBytes - lengthBytes), end: sizeBytes - 1 };
}

function unsatisfiable(sizeBytes: number): S3Error {
  return new S3Error('InvalidRange', {
    fields: { ActualObjectSize: String(sizeBytes) },
    headers: { 'content-range': `bytes */${sizeBytes}` },
  });
}
