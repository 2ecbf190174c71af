import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { StorageSetupError } from '../../ports/object-store.ts';
import { codeOf, ignoring, type S3Settings, type StorageClient } from './client.ts';
import { corsFor } from './cors.ts';

type Settings = S3Settings & { readonly origins: readonly string[] };

/** Implements `ObjectStore.setUp`. */
export async function setUpBucket(client: StorageClient, settings: Settings): Promise<string[]> {
  try {
    await findOrMakeBucket(client, settings);
  } catch (error) {
    if (error instanceof StorageSetupError) throw error;
    throw new StorageSetupError(whatIsWrong(error, settings), { cause: error });
  }
  try {
    await allowOrigins(client, settings);
    return [];
  } catch (error) {
    return [
      `The storage did not take CORS rules for the bucket ${settings.bucket}${suffix(codeOf(error))}: ` +
        `browsers can upload only if it lets pages of ${settings.origins.join(', ')} GET and PUT, and exposes the header ETag.`,
    ];
  }
}

/** Lists instead of requesting the head: only a response with a body explains an error. */
async function findOrMakeBucket(client: StorageClient, settings: Settings): Promise<void> {
  const { bucket, region } = settings;
  const list = () => client.listObjectsV2Query(bucket, '', '', '', 1, '');
  const found = await list().catch(ignoring('NoSuchBucket', 'NotFound'));
  if (found) return;
  try {
    await client.makeBucket(bucket, region).catch(ignoring('BucketAlreadyOwnedByYou'));
  } catch (error) {
    throw new StorageSetupError(whyNotMade(error, settings), { cause: error });
  }
  await list();
}

function whyNotMade(error: unknown, settings: Settings): string {
  const { bucket } = settings;
  switch (codeOf(error)) {
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return `S3_BUCKET: there is no bucket ${bucket}, and the account of S3_ACCESS_KEY may not make it; make it, or allow s3:CreateBucket.`;
    case 'BucketAlreadyExists':
      return `S3_BUCKET: the bucket ${bucket} belongs to another account; choose another name.`;
    default:
      return whatIsWrong(error, settings);
  }
}

/** One line for the operator. It never contains a key, nor text from the storage, which may contain one. */
function whatIsWrong(error: unknown, settings: Settings): string {
  const { bucket, endpoint, region } = settings;
  const code = codeOf(error);
  switch (code) {
    case 'InvalidAccessKeyId':
      return `S3_ACCESS_KEY: the storage at ${endpoint} knows no such access key; set the key of an account there.`;
    case 'SignatureDoesNotMatch':
      return `S3_SECRET_KEY: it is not the secret key of S3_ACCESS_KEY at ${endpoint}; set the one that belongs to it, or S3_REGION if that is not ${region}.`;
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
    case 'MovedPermanently':
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
      return `S3_REGION: the bucket ${bucket} is not in ${region}; set ${regionOf(error) ?? 'the region of the bucket'}, and S3_ENDPOINT to match.`;
    case 'InvalidLocationConstraint':
      return `S3_REGION: the storage at ${endpoint} has no region ${region}; set one of its own, or make the bucket ${bucket} there.`;
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return `S3_ACCESS_KEY: its account may not use the bucket ${bucket}; allow s3:ListBucket, s3:ListBucketMultipartUploads, s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListMultipartUploadParts.`;
    case 'RequestTimeTooSkewed':
      return `S3_ENDPOINT: the clocks of this machine and of the storage at ${endpoint} differ by too much; set them right.`;
    case 'InvalidBucketName':
      return `S3_BUCKET: the storage at ${endpoint} takes no bucket named ${bucket}; choose another name.`;
    default:
      return `S3_ENDPOINT: no S3-compatible storage responds at ${endpoint}${suffix(code)}; set its address, with http:// or https:// as it wants it.`;
  }
}

function suffix(code: string): string {
  return /^\w+$/.test(code) ? ` (${code})` : '';
}

function regionOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code =
    'region' in error ? error.region : 'amzBucketRegion' in error ? error.amzBucketRegion : null;
  return typeof code === 'string' && /^[\w-]+$/.test(code) ? code : undefined;
}

async function allowOrigins(client: StorageClient, { bucket, origins }: Settings): Promise<void> {
  const request = { bucketName: bucket, query: 'cors' };
  const response = await client
    .makeRequestAsync({ ...request, method: 'GET' })
    .catch(ignoring('NoSuchCORSConfiguration'));
  const wanted = corsFor(origins, response ? await text(response) : null);
  if (wanted === null) return;
  const md5 = createHash('md5').update(wanted).digest('base64');
  await client.makeRequestAsyncOmit(
    { ...request, method: 'PUT', headers: { 'content-md5': md5 } },
    wanted,
    [200, 204],
  );
}
