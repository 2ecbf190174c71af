import { S3Error } from './errors.ts';
import type { HeaderMap } from './headers.ts';
import type { ObjectAttributes, ObjectRecord } from './records.ts';
import type { Query } from './target.ts';

const metadataPrefix = 'x-amz-meta-';
const maxMetadataBytes = 2048;
const contentHeaderNames = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
] as const;

// Headers for features that this server lacks: rejected rather than ignored.
const unsupportedPrefixes = [
  'x-amz-server-side-encryption',
  'x-amz-object-lock-',
  'x-amz-grant-',
  'x-amz-tagging',
  'x-amz-website-redirect-location',
  'x-amz-write-offset-bytes',
];

/**
 * Reads the attributes of the object that a request stores.
 *
 * @throws S3Error `MetadataTooLarge`, `InvalidStorageClass`, `NotImplemented`
 */
export function readAttributes(headers: HeaderMap): ObjectAttributes {
  const names = headers.names();
  const unsupported = names.find((name) =>
    unsupportedPrefixes.some((prefix) => name.startsWith(prefix)),
  );
  const acl = headers.get('x-amz-acl') ?? 'private';
  if (unsupported !== undefined || (acl !== 'private' && acl !== 'bucket-owner-full-control')) {
    throw new S3Error('NotImplemented', { fields: { Header: unsupported ?? 'x-amz-acl' } });
  }
  if ((headers.get('x-amz-storage-class') ?? 'STANDARD') !== 'STANDARD') {
    throw new S3Error('InvalidStorageClass');
  }
  return { contentHeaders: readContentHeaders(headers), userMetadata: readUserMetadata(headers) };
}

/** Returns the response headers of an object, which are the same for all ranges. */
export function objectHeaders(record: ObjectRecord): Record<string, string> {
  const metadata = Object.entries(record.userMetadata).map(
    ([name, value]) => [metadataPrefix + name, value] as const,
  );
  return {
    ...record.contentHeaders,
    ...Object.fromEntries(metadata),
    etag: `"${record.eTag}"`,
    'last-modified': new Date(record.lastModified).toUTCString(),
    'accept-ranges': 'bytes',
  };
}

/**
 * Reads the header values of the query that replace the stored ones.
 *
 * @throws S3Error `InvalidArgument` with control characters
 */
export function responseOverrides(query: Query): Record<string, string> {
  const overrides: Record<string, string> = {};
  for (const name of contentHeaderNames) {
    const value = query.get(`response-${name}`);
    if (value === undefined) continue;
    // oxlint-disable-next-line no-control-regex -- finding control characters is the point
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) {
      throw new S3Error('InvalidArgument', {
        message: `response-${name} holds control characters.`,
      });
    }
    overrides[name] = Buffer.from(value, 'utf8').toString('latin1');
  }
  return overrides;
}

function readContentHeaders(headers: HeaderMap): Record<string, string> {
  const found: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  for (const name of contentHeaderNames) {
    const value = headers.get(name);
    if (value === undefined || value === '') continue;
    const stored = name === 'content-encoding' ? withoutAwsChunked(value) : value;
    if (stored !== '') found[name] = stored;
  }
  return found;
}

// aws-chunked describes the encoding of the request, not of the object.
function withoutAwsChunked(value: string): string {
  return value
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== 'aws-chunked')
    .join(', ');
}

function readUserMetadata(headers: HeaderMap): Record<string, string> {
  const entries = headers
    .names()
    .filter((name) => name.startsWith(metadataPrefix))
    .map((name): [string, string] => [
      name.slice(metadataPrefix.length),
      headers.all(name).join(','),
    ]);
  const sizeBytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (sizeBytes > maxMetadataBytes) throw new S3Error('MetadataTooLarge');
  return Object.fromEntries(entries);
}
