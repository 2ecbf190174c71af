import { readCorsConfiguration, writeCorsConfiguration } from './cors-configuration.ts';
import type { OperationContext, Reply } from './operation.ts';
import { xmlReply } from './operation.ts';
import { S3Error } from './errors.ts';
import { assertObjectKey } from './names.ts';
import { parseXml, xmlDocument } from './xml.ts';
import type { XmlElements } from './xml.ts';

const maxConfigurationBytes = 64 * 1024;
const maxDeleteBytes = 2 * 1024 * 1024;
const maxDeletedKeys = 1000;
export const owner = { ID: 'atelier', DisplayName: 'atelier' };

export async function listBuckets({ store }: OperationContext): Promise<Reply> {
  const buckets = store
    .listBuckets()
    .map(({ name, createdAt }) => ({ Name: name, CreationDate: createdAt }));
  return xmlReply(
    xmlDocument('ListAllMyBucketsResult', { Owner: owner, Buckets: { Bucket: buckets } }),
  );
}

export async function createBucket({
  store,
  target,
  payload,
  region,
  headers,
}: OperationContext): Promise<Reply> {
  const body =
    headers.get('content-length') === undefined ? '' : await payload.text(maxConfigurationBytes);
  if (body !== '') {
    const configuration = parseXml(body, 'CreateBucketConfiguration');
    const constraint = configuration.text('LocationConstraint') ?? '';
    if (constraint !== '' && constraint !== region) {
      throw new S3Error('IllegalLocationConstraintException');
    }
  }
  await store.createBucket(target.bucket);
  return { status: 200, headers: { location: `/${target.bucket}` } };
}

export async function headBucket({ store, target, region }: OperationContext): Promise<Reply> {
  store.bucket(target.bucket);
  return { status: 200, headers: { 'x-amz-bucket-region': region } };
}

export async function deleteBucket({ store, target }: OperationContext): Promise<Reply> {
  await store.deleteBucket(target.bucket);
  return { status: 204 };
}

export async function getBucketLocation({
  store,
  target,
  region,
}: OperationContext): Promise<Reply> {
  store.bucket(target.bucket);
  // S3 represents its first region by an empty element.
  const constraint = region === 'us-east-1' ? '' : region;
  return xmlReply(xmlDocument('LocationConstraint', constraint));
}

export async function putBucketCors({ store, target, payload }: OperationContext): Promise<Reply> {
  const bucket = store.bucket(target.bucket);
  const rules = readCorsConfiguration(await payload.text(maxConfigurationBytes));
  await store.setCorsRules(bucket, rules);
  return { status: 200 };
}

export async function getBucketCors({ store, target }: OperationContext): Promise<Reply> {
  const { corsRules, name } = store.bucket(target.bucket);
  if (corsRules === undefined) {
    throw new S3Error('NoSuchCORSConfiguration', { fields: { BucketName: name } });
  }
  return xmlReply(writeCorsConfiguration(corsRules));
}

export async function deleteBucketCors({ store, target }: OperationContext): Promise<Reply> {
  await store.setCorsRules(store.bucket(target.bucket), undefined);
  return { status: 204 };
}

export async function deleteObjects({ store, target, payload }: OperationContext): Promise<Reply> {
  const bucket = store.bucket(target.bucket);
  const request = parseXml(await payload.text(maxDeleteBytes), 'Delete');
  const keys = request.children('Object').map((object) => object.text('Key'));
  if (keys.length === 0 || keys.length > maxDeletedKeys) throw new S3Error('MalformedXML');
  const isQuiet = request.text('Quiet')?.trim() === 'true';
  const deleted: XmlElements[] = [];
  const errors: XmlElements[] = [];
  for (const key of keys) {
    if (key === undefined || key === '') throw new S3Error('MalformedXML');
    try {
      assertObjectKey(key);
      await store.deleteObject(bucket, key);
      deleted.push({ Key: key });
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      errors.push({ Key: key, Code: error.code, Message: error.message });
    }
  }
  return xmlReply(xmlDocument('DeleteResult', { Deleted: isQuiet ? [] : deleted, Error: errors }));
}
