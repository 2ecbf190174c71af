import { objectHeaders, readAttributes, responseOverrides } from './attributes.ts';
import type { ByteSpan } from './blobs.ts';
import type { OperationContext, Reply } from './operation.ts';
import { xmlReply } from './operation.ts';
import {
  checkCopyConditions,
  checkReadConditions,
  isRangeCurrent,
  writeCondition,
} from './conditions.ts';
import { findCopySource } from './copy-source.ts';
import { S3Error } from './errors.ts';
import { readRange } from './ranges.ts';
import type { ObjectRecord } from './records.ts';
import { xmlDocument } from './xml.ts';

export async function putObject(context: OperationContext): Promise<Reply> {
  const { store, target, headers, payload } = context;
  const bucket = store.bucket(target.bucket);
  const attributes = readAttributes(headers);
  const condition = writeCondition(headers);
  // Also before the body, so that an error saves the transfer.
  condition?.(bucket.objects.get(target.key));
  const segment = await store.blobs.write(payload.chunks());
  const record: ObjectRecord = {
    ...attributes,
    key: target.key,
    sizeBytes: segment.sizeBytes,
    eTag: payload.md5Hex,
    lastModified: store.now().toISOString(),
    segments: [segment],
  };
  await store.commitObject(bucket, record, condition);
  return { status: 200, headers: { etag: `"${record.eTag}"` } };
}

export async function getObject(context: OperationContext): Promise<Reply> {
  const { record, range, reply } = describeObject(context);
  const { start, end } = range ?? { start: 0, end: record.sizeBytes - 1 };
  const unpin = context.store.blobs.pin(record.segments);
  const chunks = context.store.blobs.read(record.segments, { start, end });
  return { ...reply, body: { sizeBytes: end - start + 1, chunks, close: unpin } };
}

export async function headObject(context: OperationContext): Promise<Reply> {
  const { record, range, reply } = describeObject(context);
  const sizeBytes = range === undefined ? record.sizeBytes : range.end - range.start + 1;
  return { ...reply, headers: { ...reply.headers, 'content-length': String(sizeBytes) } };
}

export async function deleteObject({ store, target, headers }: OperationContext): Promise<Reply> {
  const bucket = store.bucket(target.bucket);
  await store.deleteObject(bucket, target.key, writeCondition(headers));
  return { status: 204 };
}

export async function copyObject(context: OperationContext): Promise<Reply> {
  const { store, target, headers } = context;
  const bucket = store.bucket(target.bucket);
  const source = findCopySource(context);
  checkCopyConditions(headers, source.record);
  const isReplacing = readMetadataDirective(context) === 'REPLACE';
  const isSelf = source.bucket === bucket && source.record.key === target.key;
  if (isSelf && !isReplacing) {
    throw new S3Error('InvalidRequest', {
      message: 'This copy request is illegal because it copies an object to itself unchanged.',
    });
  }
  const attributes = readAttributes(headers);
  const unpin = store.blobs.pin(source.record.segments);
  try {
    const { contentHeaders, userMetadata, sizeBytes, eTag } = source.record;
    const record: ObjectRecord = {
      ...(isReplacing ? attributes : { contentHeaders, userMetadata }),
      key: target.key,
      sizeBytes,
      eTag,
      lastModified: store.now().toISOString(),
      segments: await store.blobs.duplicate(source.record.segments),
    };
    await store.commitObject(bucket, record, writeCondition(headers));
    const result = { LastModified: record.lastModified, ETag: `"${eTag}"` };
    return xmlReply(xmlDocument('CopyObjectResult', result));
  } finally {
    await unpin();
  }
}

interface Description {
  record: ObjectRecord;
  range: ByteSpan | undefined;
  reply: { status: number; headers: Record<string, string> };
}

function describeObject({ store, target, headers }: OperationContext): Description {
  const record = store.object(store.bucket(target.bucket), target.key);
  checkReadConditions(headers, record);
  const range = isRangeCurrent(headers, record)
    ? readRange(headers.get('range'), record.sizeBytes)
    : undefined;
  const described = { ...objectHeaders(record), ...responseOverrides(target.query) };
  if (range === undefined) return { record, range, reply: { status: 200, headers: described } };
  const contentRange = `bytes ${range.start}-${range.end}/${record.sizeBytes}`;
  return {
    record,
    range,
    reply: { status: 206, headers: { ...described, 'content-range': contentRange } },
  };
}

function readMetadataDirective({ headers }: OperationContext): 'COPY' | 'REPLACE' {
  const directive = headers.get('x-amz-metadata-directive') ?? 'COPY';
  if (directive === 'COPY' || directive === 'REPLACE') return directive;
  throw new S3Error('InvalidArgument', { message: 'Unknown metadata directive.' });
}
