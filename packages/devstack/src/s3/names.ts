import { createHash, randomBytes } from 'node:crypto';
import { S3Error } from './errors.ts';

const maxKeyBytes = 1024;

/**
 * Whether a name follows S3's rules. A valid name has only `a-z 0-9 . -`, no consecutive dots, and starts and ends
 * with a letter or digit, so it is also a safe directory name.
 */
export function isBucketName(name: string): boolean {
  const hasShape = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name);
  const isIpAddress = /^\d{1,3}(\.\d{1,3}){3}$/.test(name);
  return hasShape && !isIpAddress && !/\.\.|\.-|-\./.test(name);
}

/** @throws S3Error `InvalidBucketName` */
export function assertBucketName(name: string): void {
  if (!isBucketName(name)) throw new S3Error('InvalidBucketName');
}

/**
 * Rejects invalid S3 keys; `..` and leading slashes are valid.
 *
 * @throws S3Error `KeyTooLongError` above 1024 bytes of UTF-8, `InvalidArgument` with NUL
 */
export function assertObjectKey(key: string): void {
  if (key.includes('\0')) {
    throw new S3Error('InvalidArgument', { message: 'A key must not contain NUL.' });
  }
  if (!key.isWellFormed()) {
    throw new S3Error('InvalidArgument', { message: 'A key must be valid Unicode.' });
  }
  if (Buffer.byteLength(key) > maxKeyBytes) throw new S3Error('KeyTooLongError');
}

/** Returns the file name of a key's record, which does not contain the key. */
export function recordFileName(key: string): string {
  return `${createHash('sha256').update(key, 'utf8').digest('hex')}.json`;
}

export function isRecordFileName(name: string): boolean {
  return /^[0-9a-f]{64}\.json$/.test(name);
}

/** Creates a random name of a stored file. */
export function newBlobId(): string {
  return randomBytes(16).toString('hex');
}

/** Creates an upload id. Later ids sort after earlier ones, because uploads are listed by id within a key. */
export function newUploadId(now: Date): string {
  return now.getTime().toString(16).padStart(12, '0') + randomBytes(18).toString('hex');
}

export function isUploadId(name: string): boolean {
  return /^[0-9a-f]{48}$/.test(name);
}

/** Orders strings by their UTF-8 bytes, as S3 lists keys. Both must be well-formed. */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return utf16Rank(a) - utf16Rank(b);
  }
  return left.length - right.length;
}

// Surrogates encode code points above U+FFFF, so they sort after every other UTF-16 unit.
function utf16Rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
