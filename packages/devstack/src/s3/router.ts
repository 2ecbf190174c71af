import {
  createBucket,
  deleteBucket,
  deleteBucketCors,
  deleteObjects,
  getBucketCors,
  getBucketLocation,
  headBucket,
  listBuckets,
  putBucketCors,
} from './bucket-operations.ts';
import type { Operation } from './operation.ts';
import { S3Error } from './errors.ts';
import type { HeaderMap } from './headers.ts';
import { listObjectsV1, listObjectsV2 } from './listing-operations.ts';
import {
  abortMultipartUpload,
  completeMultipartUpload,
  createMultipartUpload,
  listMultipartUploads,
  listParts,
  uploadPart,
  uploadPartCopy,
} from './multipart-operations.ts';
import { copyObject, deleteObject, getObject, headObject, putObject } from './object-operations.ts';
import type { Target } from './target.ts';

const operations: ReadonlyMap<string, Operation> = new Map([
  ['GET service', listBuckets],
  ['PUT bucket', createBucket],
  ['HEAD bucket', headBucket],
  ['DELETE bucket', deleteBucket],
  ['GET bucket', listObjectsV1],
  ['GET bucket list-type', listObjectsV2],
  ['GET bucket location', getBucketLocation],
  ['GET bucket cors', getBucketCors],
  ['PUT bucket cors', putBucketCors],
  ['DELETE bucket cors', deleteBucketCors],
  ['GET bucket uploads', listMultipartUploads],
  ['POST bucket delete', deleteObjects],
  ['PUT object', putObject],
  ['PUT object copy', copyObject],
  ['GET object', getObject],
  ['HEAD object', headObject],
  ['DELETE object', deleteObject],
  ['POST object uploads', createMultipartUpload],
  ['PUT object partNumber uploadId', uploadPart],
  ['PUT object partNumber uploadId copy', uploadPartCopy],
  ['POST object uploadId', completeMultipartUpload],
  ['GET object uploadId', listParts],
  ['DELETE object uploadId', abortMultipartUpload],
]);

// Parameters that select another operation in S3. Unsupported ones are rejected: ignoring them, `PUT /bucket?policy`
// would create a bucket and `PUT /key?acl` would overwrite an object.
const selectors = new Set(
  `accelerate acl analytics append attributes cors delete encryption intelligent-tiering inventory
  legal-hold lifecycle list-type location logging metadataTable metrics notification object-lock
  ownershipControls partNumber policy policyStatus publicAccessBlock renameObject replication
  requestPayment restore retention select select-type session tagging torrent uploadId uploads
  versioning versions website`.split(/\s+/),
);

/**
 * Finds the operation of a request.
 *
 * @throws S3Error `NotImplemented`, or `NoSuchVersion` because there are no versions
 */
export function findOperation(method: string, target: Target, headers: HeaderMap): Operation {
  const level = target.bucket === '' ? 'service' : target.key === '' ? 'bucket' : 'object';
  const selected = target.query
    .names()
    .filter((name) => selectors.has(name))
    .toSorted();
  const isCopy =
    method === 'PUT' && level === 'object' && headers.get('x-amz-copy-source') !== undefined;
  const name = [method, level, ...selected, ...(isCopy ? ['copy'] : [])].join(' ');
  const operation = operations.get(name);
  if (operation === undefined) throw new S3Error('NotImplemented');
  if ((target.query.get('versionId') ?? 'null') !== 'null') throw new S3Error('NoSuchVersion');
  return operation;
}
