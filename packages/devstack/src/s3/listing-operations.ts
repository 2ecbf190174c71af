import { owner } from './bucket-operations.ts';
import type { OperationContext, Reply } from './operation.ts';
import { xmlReply } from './operation.ts';
import { S3Error } from './errors.ts';
import { decodeToken, encodeToken, listKeys } from './listing.ts';
import type { Listing, ListingPosition } from './listing.ts';
import type { ObjectRecord } from './records.ts';
import { awsEncodePath } from './target.ts';
import type { Query } from './target.ts';
import { xmlDocument } from './xml.ts';
import type { XmlElements } from './xml.ts';

const maxPageSize = 1000;

export async function listObjectsV2({ store, target }: OperationContext): Promise<Reply> {
  const bucket = store.bucket(target.bucket);
  const { query } = target;
  if (query.get('list-type') !== '2') {
    throw new S3Error('InvalidArgument', { message: 'The list-type must be 2.' });
  }
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after');
  const request = readListingQuery(query);
  const after = token === undefined ? keyPosition(startAfter) : readToken(token);
  const listing = listKeys(bucket.objects, withPosition(request, after));
  const encode = readEncoding(query);
  return xmlReply(
    xmlDocument('ListBucketResult', {
      ...commonElements(query, request),
      Name: bucket.name,
      StartAfter: startAfter === undefined ? undefined : encode(startAfter),
      ContinuationToken: token,
      NextContinuationToken: listing.next === undefined ? undefined : encodeToken(listing.next),
      KeyCount: listing.keys.length + listing.commonPrefixes.length,
      IsTruncated: listing.next !== undefined,
      Contents: contents(listing, {
        objects: bucket.objects,
        encode,
        withOwner: query.get('fetch-owner') === 'true',
      }),
      CommonPrefixes: listing.commonPrefixes.map((prefix) => ({ Prefix: encode(prefix) })),
    }),
  );
}

export async function listObjectsV1({ store, target }: OperationContext): Promise<Reply> {
  const bucket = store.bucket(target.bucket);
  const { query } = target;
  const marker = query.get('marker') ?? '';
  const request = readListingQuery(query);
  const listing = listKeys(bucket.objects, withPosition(request, markerPosition(marker, request)));
  const encode = readEncoding(query);
  return xmlReply(
    xmlDocument('ListBucketResult', {
      ...commonElements(query, request),
      Name: bucket.name,
      Marker: encode(marker),
      NextMarker: listing.next === undefined ? undefined : encode(listing.next.value),
      IsTruncated: listing.next !== undefined,
      Contents: contents(listing, { objects: bucket.objects, encode, withOwner: true }),
      CommonPrefixes: listing.commonPrefixes.map((prefix) => ({ Prefix: encode(prefix) })),
    }),
  );
}

interface ListingQuery {
  prefix: string;
  delimiter: string;
  maxEntries: number;
}

function readListingQuery(query: Query): ListingQuery {
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    maxEntries: readPageSize(query, 'max-keys'),
  };
}

/** @throws S3Error `InvalidArgument` */
export function readPageSize(query: Query, name: string): number {
  const text = query.get(name) ?? '';
  if (text === '') return maxPageSize;
  if (!/^\d{1,10}$/.test(text) || Number(text) > 0x7fffffff) {
    throw new S3Error('InvalidArgument', {
      message: `Argument ${name} must be an integer between 0 and 2147483647`,
    });
  }
  return Math.min(Number(text), maxPageSize);
}

/** Returns the encoding of names in a listing. @throws S3Error `InvalidArgument` for an unknown encoding-type */
export function readEncoding(query: Query): (text: string) => string {
  const encoding = query.get('encoding-type');
  if (encoding === undefined || encoding === '') return (text) => text;
  if (encoding === 'url') return awsEncodePath;
  throw new S3Error('InvalidArgument', { message: 'Invalid Encoding Method specified in Request' });
}

function withPosition(
  request: ListingQuery,
  after: ListingPosition | undefined,
): ListingQuery & { after?: ListingPosition } {
  return after === undefined ? request : { ...request, after };
}

function keyPosition(key: string | undefined): ListingPosition | undefined {
  return key === undefined || key === '' ? undefined : { kind: 'key', value: key };
}

// A marker may be a common prefix of the previous page, which included all its keys.
function markerPosition(
  marker: string,
  { prefix, delimiter }: ListingQuery,
): ListingPosition | undefined {
  const isCommonPrefix =
    delimiter !== '' &&
    marker.startsWith(prefix) &&
    marker.length > prefix.length &&
    marker.endsWith(delimiter);
  return isCommonPrefix ? { kind: 'prefix', value: marker } : keyPosition(marker);
}

function readToken(token: string): ListingPosition {
  const position = decodeToken(token);
  if (position !== undefined) return position;
  throw new S3Error('InvalidArgument', { message: 'The continuation token provided is incorrect' });
}

function commonElements(
  query: Query,
  { prefix, delimiter, maxEntries }: ListingQuery,
): XmlElements {
  const encode = readEncoding(query);
  return {
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    MaxKeys: maxEntries,
    EncodingType: query.get('encoding-type') || undefined,
  };
}

interface ContentsOptions {
  objects: { get(key: string): ObjectRecord | undefined };
  encode: (text: string) => string;
  withOwner: boolean;
}

function contents(
  listing: Listing,
  { objects, encode, withOwner }: ContentsOptions,
): XmlElements[] {
  return listing.keys.flatMap((key) => {
    const record = objects.get(key);
    if (record === undefined) return [];
    return {
      Key: encode(key),
      LastModified: record.lastModified,
      ETag: `"${record.eTag}"`,
      Size: record.sizeBytes,
      StorageClass: 'STANDARD',
      Owner: withOwner ? owner : undefined,
    };
  });
}
