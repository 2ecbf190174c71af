import type { Bucket } from './bucket.ts';
import type { OperationContext } from './operation.ts';
import { S3Error } from './errors.ts';
import type { ObjectRecord } from './records.ts';
import { splitPath } from './target.ts';

/**
 * Finds the object of `x-amz-copy-source`, which is percent-encoded, with or without a leading slash.
 *
 * @throws S3Error `InvalidArgument`, `NoSuchBucket`, `NoSuchKey`, `NoSuchVersion`
 */
export function findCopySource({ store, headers }: OperationContext): {
  bucket: Bucket;
  record: ObjectRecord;
} {
  const header = headers.get('x-amz-copy-source') ?? '';
  const [, path = '', versionId] = /^\/?([^?]*)(?:\?versionId=(.*))?$/.exec(header) ?? [];
  if (versionId !== undefined && versionId !== 'null') throw new S3Error('NoSuchVersion');
  const source = splitPath(`/${decodeSource(path)}`);
  if (source.key === '') {
    throw new S3Error('InvalidArgument', {
      message: 'The copy source must name a bucket and a key.',
    });
  }
  const bucket = store.bucket(source.bucket);
  return { bucket, record: store.object(bucket, source.key) };
}

function decodeSource(path: string): string {
  try {
    return decodeURIComponent(Buffer.from(path, 'latin1').toString('utf8'));
  } catch {
    throw new S3Error('InvalidArgument', {
      message: 'The copy source is not valid percent-encoding.',
    });
  }
}
