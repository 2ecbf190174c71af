import { createHash } from 'node:crypto';
import { readAttributes } from './attributes.ts';
import { owner } from './bucket-operations.ts';
import type { OperationContext, Reply } from './operation.ts';
import { xmlReply } from './operation.ts';
import { checkCopyConditions, writeCondition } from './conditions.ts';
import { findCopySource } from './copy-source.ts';
import { S3Error } from './errors.ts';
import { readEncoding, readPageSize } from './listing-operations.ts';
import { readRange } from './ranges.ts';
import type { PartRecord } from './records.ts';
import { awsEncodePath } from './target.ts';
import { listUploads } from './upload-listing.ts';
import type { ListedPart, UploadAddress } from './uploads.ts';
import { parseXml, xmlDocument } from './xml.ts';
import type { XmlNode } from './xml.ts';

const maxPartNumber = 10_000;
const maxCompletionBytes = 2 * 1024 * 1024;

export async function createMultipartUpload(context: OperationContext): Promise<Reply> {
  const { store, uploads, target, headers } = context;
  const bucket = store.bucket(target.bucket);
  const uploadId = await uploads.create(bucket, target.key, readAttributes(headers));
  const result = { Bucket: bucket.name, Key: target.key, UploadId: uploadId };
  return xmlReply(xmlDocument('InitiateMultipartUploadResult', result));
}

export async function uploadPart(context: OperationContext): Promise<Reply> {
  const { store, uploads, payload } = context;
  const address = uploadAddress(context);
  const partNumber = readPartNumber(context);
  uploads.find(address);
  const segment = await store.blobs.write(payload.chunks());
  const part = newPart(context, { ...segment, partNumber, eTag: payload.md5Hex });
  await uploads.putPart(address, part);
  return { status: 200, headers: { etag: `"${part.eTag}"` } };
}

export async function uploadPartCopy(context: OperationContext): Promise<Reply> {
  const { store, uploads, headers } = context;
  const address = uploadAddress(context);
  const partNumber = readPartNumber(context);
  uploads.find(address);
  const { record } = findCopySource(context);
  checkCopyConditions(headers, record);
  const rangeHeader = headers.get('x-amz-copy-source-range');
  const range = readRange(rangeHeader, record.sizeBytes);
  if (rangeHeader !== undefined && range === undefined) {
    throw new S3Error('InvalidArgument', {
      message: 'The x-amz-copy-source-range must be bytes=first-last.',
    });
  }
  const unpin = store.blobs.pin(record.segments);
  try {
    const md5 = createHash('md5');
    const span = range ?? { start: 0, end: record.sizeBytes - 1 };
    const segment = await store.blobs.write(tap(store.blobs.read(record.segments, span), md5));
    const part = newPart(context, { ...segment, partNumber, eTag: md5.digest('hex') });
    await uploads.putPart(address, part);
    const result = { LastModified: part.lastModified, ETag: `"${part.eTag}"` };
    return xmlReply(xmlDocument('CopyPartResult', result));
  } finally {
    await unpin();
  }
}

export async function completeMultipartUpload(context: OperationContext): Promise<Reply> {
  const { uploads, payload, headers, target } = context;
  const address = uploadAddress(context);
  const body = parseXml(await payload.text(maxCompletionBytes), 'CompleteMultipartUpload');
  const parts = body.children('Part').map(readListedPart);
  if (parts.length === 0 || parts.length > maxPartNumber) throw new S3Error('MalformedXML');
  const condition = writeCondition(headers);
  const completion = condition === undefined ? { parts } : { parts, condition };
  const record = await uploads.complete(address, completion);
  return xmlReply(
    xmlDocument('CompleteMultipartUploadResult', {
      Location: `http://${headers.get('host') ?? ''}${awsEncodePath(target.path)}`,
      Bucket: target.bucket,
      Key: target.key,
      ETag: `"${record.eTag}"`,
    }),
  );
}

export async function abortMultipartUpload(context: OperationContext): Promise<Reply> {
  await context.uploads.abort(uploadAddress(context));
  return { status: 204 };
}

export async function listParts(context: OperationContext): Promise<Reply> {
  const { target, uploads } = context;
  const upload = uploads.find(uploadAddress(context));
  const marker = target.query.get('part-number-marker') ?? '0';
  if (!/^\d{1,10}$/.test(marker)) {
    throw new S3Error('InvalidArgument', { message: 'The part-number-marker must be a number.' });
  }
  const pageSize = readPageSize(target.query, 'max-parts');
  const rest = [...upload.parts.values()]
    .filter(({ partNumber }) => partNumber > Number(marker))
    .toSorted((a, b) => a.partNumber - b.partNumber);
  const page = rest.slice(0, pageSize);
  const encode = readEncoding(target.query);
  return xmlReply(
    xmlDocument('ListPartsResult', {
      Bucket: target.bucket,
      Key: encode(target.key),
      UploadId: upload.uploadId,
      Initiator: owner,
      Owner: owner,
      StorageClass: 'STANDARD',
      PartNumberMarker: Number(marker),
      NextPartNumberMarker: page.at(-1)?.partNumber ?? 0,
      MaxParts: pageSize,
      IsTruncated: pageSize > 0 && rest.length > page.length,
      Part: page.map(({ partNumber, lastModified, eTag, sizeBytes }) => ({
        PartNumber: partNumber,
        LastModified: lastModified,
        ETag: `"${eTag}"`,
        Size: sizeBytes,
      })),
    }),
  );
}

export async function listMultipartUploads({ store, target }: OperationContext): Promise<Reply> {
  const bucket = store.bucket(target.bucket);
  const { query } = target;
  const request = {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    keyMarker: query.get('key-marker') ?? '',
    uploadIdMarker: query.get('upload-id-marker') ?? '',
    maxEntries: readPageSize(query, 'max-uploads'),
  };
  const page = listUploads(bucket.uploads.values(), request);
  const encode = readEncoding(query);
  return xmlReply(
    xmlDocument('ListMultipartUploadsResult', {
      Bucket: bucket.name,
      Prefix: encode(request.prefix),
      Delimiter: request.delimiter === '' ? undefined : encode(request.delimiter),
      KeyMarker: encode(request.keyMarker),
      UploadIdMarker: request.uploadIdMarker,
      NextKeyMarker: page.next === undefined ? undefined : encode(page.next.keyMarker),
      NextUploadIdMarker: page.next?.uploadIdMarker,
      MaxUploads: request.maxEntries,
      EncodingType: query.get('encoding-type') || undefined,
      IsTruncated: page.next !== undefined,
      Upload: page.uploads.map(({ key, uploadId, initiated }) => ({
        Key: encode(key),
        UploadId: uploadId,
        Initiator: owner,
        Owner: owner,
        StorageClass: 'STANDARD',
        Initiated: initiated,
      })),
      CommonPrefixes: page.commonPrefixes.map((prefix) => ({ Prefix: encode(prefix) })),
    }),
  );
}

function uploadAddress({ store, target }: OperationContext): UploadAddress {
  const bucket = store.bucket(target.bucket);
  return { bucket, key: target.key, uploadId: target.query.get('uploadId') ?? '' };
}

function readPartNumber({ target }: OperationContext): number {
  return parsePartNumber(target.query.get('partNumber') ?? '');
}

function parsePartNumber(text: string): number {
  const partNumber = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (partNumber >= 1 && partNumber <= maxPartNumber) return partNumber;
  throw new S3Error('InvalidArgument', {
    message: 'Part number must be an integer between 1 and 10000, inclusive',
  });
}

function readListedPart(part: XmlNode): ListedPart {
  const partNumber = part.text('PartNumber')?.trim();
  const eTag = part.text('ETag')?.trim();
  if (partNumber === undefined || eTag === undefined) throw new S3Error('MalformedXML');
  return { partNumber: parsePartNumber(partNumber), eTag: eTag.replace(/^"(.*)"$/, '$1') };
}

function newPart({ store }: OperationContext, part: Omit<PartRecord, 'lastModified'>): PartRecord {
  return { ...part, lastModified: store.now().toISOString() };
}

async function* tap(
  chunks: AsyncIterable<Buffer>,
  hash: { update(chunk: Buffer): unknown },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
