import { S3Error } from './errors.ts';
import type { HeaderMap } from './headers.ts';
import type { ObjectRecord } from './records.ts';
import type { WriteCondition } from './store.ts';

/**
 * Checks the conditions of a read in the order of RFC 9110.
 *
 * @throws S3Error `PreconditionFailed` or `NotModified`
 */
export function checkReadConditions(headers: HeaderMap, record: ObjectRecord): void {
  const ifMatch = headers.get('if-match');
  const ifUnmodifiedSince = readDate(headers.get('if-unmodified-since'));
  if (ifMatch !== undefined) {
    if (!matchesETag(ifMatch, record)) throw failed('If-Match');
  } else if (ifUnmodifiedSince !== undefined && modifiedAt(record) > ifUnmodifiedSince) {
    throw failed('If-Unmodified-Since');
  }
  const ifNoneMatch = headers.get('if-none-match');
  const ifModifiedSince = readDate(headers.get('if-modified-since'));
  if (ifNoneMatch !== undefined) {
    if (matchesETag(ifNoneMatch, record)) throw notModified(record);
  } else if (ifModifiedSince !== undefined && modifiedAt(record) <= ifModifiedSince) {
    throw notModified(record);
  }
}

/** Checks the conditions of a copy on its source. @throws S3Error `PreconditionFailed` */
export function checkCopyConditions(headers: HeaderMap, source: ObjectRecord): void {
  const ifMatch = headers.get('x-amz-copy-source-if-match');
  const ifNoneMatch = headers.get('x-amz-copy-source-if-none-match');
  const ifUnmodifiedSince = readDate(headers.get('x-amz-copy-source-if-unmodified-since'));
  const ifModifiedSince = readDate(headers.get('x-amz-copy-source-if-modified-since'));
  if (ifMatch !== undefined) {
    if (!matchesETag(ifMatch, source)) throw failed('x-amz-copy-source-If-Match');
  } else if (ifUnmodifiedSince !== undefined && modifiedAt(source) > ifUnmodifiedSince) {
    throw failed('x-amz-copy-source-If-Unmodified-Since');
  }
  if (ifNoneMatch !== undefined) {
    if (matchesETag(ifNoneMatch, source)) throw failed('x-amz-copy-source-If-None-Match');
  } else if (ifModifiedSince !== undefined && modifiedAt(source) <= ifModifiedSince) {
    throw failed('x-amz-copy-source-If-Modified-Since');
  }
}

/** Returns the conditions of a write on the object that it replaces; undefined without any. */
export function writeCondition(headers: HeaderMap): WriteCondition | undefined {
  const ifMatch = headers.get('if-match');
  const ifNoneMatch = headers.get('if-none-match');
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return (current) => {
    if (ifMatch !== undefined && current === undefined) throw new S3Error('NoSuchKey');
    if (ifMatch !== undefined && current !== undefined && !matchesETag(ifMatch, current)) {
      throw failed('If-Match');
    }
    if (ifNoneMatch !== undefined && current !== undefined && matchesETag(ifNoneMatch, current)) {
      throw failed('If-None-Match');
    }
  };
}

/** Whether a Range applies: always without If-Range, else only to the same object. */
export function isRangeCurrent(headers: HeaderMap, record: ObjectRecord): boolean {
  const ifRange = headers.get('if-range');
  if (ifRange === undefined) return true;
  const date = readDate(ifRange);
  return date === undefined ? ifRange === `"${record.eTag}"` : modifiedAt(record) === date;
}

function matchesETag(header: string, record: ObjectRecord): boolean {
  return header
    .split(',')
    .map((tag) =>
      tag
        .trim()
        .replace(/^W\//, '')
        .replace(/^"(.*)"$/, '$1'),
    )
    .some((tag) => tag === '*' || tag === record.eTag);
}

// HTTP dates have whole seconds.
function modifiedAt(record: ObjectRecord): number {
  return Math.floor(Date.parse(record.lastModified) / 1000) * 1000;
}

function readDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2}/.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

function notModified(record: ObjectRecord): S3Error {
  const cacheControl = record.contentHeaders['cache-control'];
  return new S3Error('NotModified', {
    headers: {
      etag: `"${record.eTag}"`,
      'last-modified': new Date(record.lastModified).toUTCString(),
      ...(cacheControl === undefined ? {} : { 'cache-control': cacheControl }),
    },
  });
}

function failed(condition: string): S3Error {
  return new S3Error('PreconditionFailed', { fields: { Condition: condition } });
}
