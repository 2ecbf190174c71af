import { createHash, randomBytes } from 'node:crypto';
import { S3Error } from './errors.ts';

const maxKeyBytes = 1024;

/**
 * Refuses names outside S3's rules. What passes holds only `a-z 0-9 . -`, never two dots in a row, and
 * starts and ends with a letter or digit, so it is also safe as a directory name.
 *
 * @throws S3Error `InvalidBucketName`
 */
export function assertBucketName(name: string): void {
  const hasShape = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name);
  const isIpAddress = /^\d{1,3}(\.\d{1,3}){3}$/.test(name);
  if (!hasShape || isIpAddress || /\.\.|\.-|-\./.test(name)) throw new S3Error('InvalidBucketName');
}

/**
 * Refuses what S3 can't hold as a key; anything else is allowed, also `..` and leading slashes.
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

/** The file name of a key's record: nothing of the key itself ever reaches the file system. */
export function recordFileName(key: string): string {
  return `${createHash('sha256').update(key, 'utf8').digest('hex')}.json`;
}

/** A fresh unguessable name for a stored file. */
export function newBlobId(): string {
  return randomBytes(16).toString('hex');
}

/** A fresh upload id; later ids sort after earlier ones, because uploads are listed by id within a key. */
export function newUploadId(now: Date): string {
  return now.getTime().toString(16).padStart(12, '0') + randomBytes(18).toString('hex');
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

// Surrogates stand for code points above U+FFFF, so they rank after every other UTF-16 unit.
function utf16Rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
