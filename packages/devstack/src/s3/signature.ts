import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { S3Error } from './errors.ts';
import type { HeaderMap } from './headers.ts';
import { awsEncodePath } from './target.ts';
import type { Target } from './target.ts';

const algorithm = 'AWS4-HMAC-SHA256';
const maxClockSkewMilliseconds = 15 * 60 * 1000;
const maxPresignedSeconds = 604_800;

export interface Credentials {
  accessKey: string;
  secretKey: string;
  region: string;
}

export interface SignedRequest {
  method: string;
  target: Target;
  headers: HeaderMap;
}

/** The verified claims of a request; the last three seed the signatures of body chunks. */
export interface Verified {
  kind: 'header' | 'presigned';
  payloadHash: string;
  signingKey: Buffer;
  scope: string;
  amzDate: string;
  signature: string;
}

interface Claim {
  kind: 'header' | 'presigned';
  credential: string;
  amzDate: string;
  signedHeaders: string[];
  signature: string;
  payloadHash: string;
  expiresInSeconds?: number;
}

/**
 * Verifies Signature V4, in the Authorization header or in the query.
 *
 * @throws S3Error with S3's code of each failure; `AccessDenied` without credentials
 */
export function verifySignature(
  request: SignedRequest,
  credentials: Credentials,
  now: Date,
): Verified {
  const claim = readClaim(request);
  const scope = checkScope(claim, credentials);
  checkTime(claim, now);
  checkSignedHeaders(claim, request.headers);
  const signingKey = deriveSigningKey(credentials, claim.amzDate.slice(0, 8));
  const stringToSign = [
    algorithm,
    claim.amzDate,
    scope,
    createHash('sha256').update(canonicalRequest(request, claim), 'latin1').digest('hex'),
  ].join('\n');
  const expected = hmac(signingKey, stringToSign).toString('hex');
  if (!equalHex(expected, claim.signature)) throw new S3Error('SignatureDoesNotMatch');
  const { kind, payloadHash, amzDate, signature } = claim;
  return { kind, payloadHash, signingKey, scope, amzDate, signature };
}

export function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

/** Compares two hex digests in constant time for equal lengths. */
export function equalHex(expected: string, presented: string): boolean {
  const left = Buffer.from(expected, 'latin1');
  const right = Buffer.from(presented, 'latin1');
  return left.length === right.length && timingSafeEqual(left, right);
}

function readClaim({ target, headers }: SignedRequest): Claim {
  const authorization = headers.get('authorization');
  const isPresigned = target.query.has('X-Amz-Algorithm') || target.query.has('X-Amz-Signature');
  if (authorization !== undefined && isPresigned) {
    throw new S3Error('InvalidArgument', { message: 'Only one auth mechanism is allowed.' });
  }
  if (isPresigned) return readPresignedClaim(target, headers);
  if (authorization !== undefined) return readHeaderClaim(authorization, headers);
  if (target.query.has('AWSAccessKeyId')) throw unsupportedMechanism();
  throw new S3Error('AccessDenied');
}

function readHeaderClaim(authorization: string, headers: HeaderMap): Claim {
  if (!authorization.startsWith(`${algorithm} `)) throw unsupportedMechanism();
  const fields = new Map<string, string>();
  for (const part of authorization.slice(algorithm.length).split(',')) {
    const [, name, value] = /^\s*([A-Za-z]+)=(\S+)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined || fields.has(name)) throw malformedHeader();
    fields.set(name, value);
  }
  const credential = fields.get('Credential');
  const signedHeaders = fields.get('SignedHeaders');
  const signature = fields.get('Signature');
  if (!credential || !signedHeaders || !signature || fields.size !== 3) throw malformedHeader();
  const payloadHash = headers.get('x-amz-content-sha256');
  if (payloadHash === undefined) {
    throw new S3Error('InvalidRequest', {
      message: 'Missing required header for this request: x-amz-content-sha256',
    });
  }
  return {
    kind: 'header',
    credential,
    signedHeaders: signedHeaders.split(';'),
    signature,
    payloadHash,
    amzDate: readRequestDate(headers),
  };
}

function readRequestDate(headers: HeaderMap): string {
  const amzDate = headers.get('x-amz-date');
  if (amzDate !== undefined) return amzDate;
  const milliseconds = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(milliseconds)) {
    throw new S3Error('AccessDenied', {
      message: 'AWS authentication requires a valid Date or x-amz-date header',
    });
  }
  return new Date(milliseconds).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function readPresignedClaim(target: Target, headers: HeaderMap): Claim {
  const parameter = (name: string): string => {
    const value = target.query.get(name);
    if (!value) {
      throw queryError(
        'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
      );
    }
    return value;
  };
  if (parameter('X-Amz-Algorithm') !== algorithm) {
    throw queryError('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256"');
  }
  const signedHeaders = parameter('X-Amz-SignedHeaders').split(';');
  const signedHash = signedHeaders.includes('x-amz-content-sha256')
    ? headers.get('x-amz-content-sha256')
    : undefined;
  return {
    kind: 'presigned',
    credential: parameter('X-Amz-Credential'),
    amzDate: parameter('X-Amz-Date'),
    signedHeaders,
    signature: parameter('X-Amz-Signature'),
    payloadHash: signedHash ?? target.query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    expiresInSeconds: readExpires(parameter('X-Amz-Expires')),
  };
}

function readExpires(text: string): number {
  if (!/^-?\d+$/.test(text)) throw queryError('X-Amz-Expires should be a number');
  const seconds = Number(text);
  if (seconds < 1) throw queryError('X-Amz-Expires must be positive');
  if (seconds > maxPresignedSeconds) {
    throw queryError('X-Amz-Expires must be at most a week (in seconds); that is 604800');
  }
  return seconds;
}

function checkScope(claim: Claim, credentials: Credentials): string {
  const parts = claim.credential.split('/');
  const [date, region, service, terminator] = parts.slice(-4);
  const accessKey = parts.slice(0, -4).join('/');
  if (date === undefined || region === undefined || accessKey === '') {
    throw scopeError(
      claim,
      'The credential must be <access key>/YYYYMMDD/<region>/s3/aws4_request.',
    );
  }
  if (accessKey !== credentials.accessKey) throw new S3Error('InvalidAccessKeyId');
  if (date !== claim.amzDate.slice(0, 8)) {
    throw scopeError(claim, 'The credential date is not the date of the request.');
  }
  if (region !== credentials.region) {
    throw scopeError(claim, `The region '${region}' is wrong; expecting '${credentials.region}'`, {
      Region: credentials.region,
    });
  }
  if (service !== 's3' || terminator !== 'aws4_request') {
    throw scopeError(claim, 'The credential must be for service s3 and end in aws4_request.');
  }
  return [date, region, service, terminator].join('/');
}

function checkTime(claim: Claim, now: Date): void {
  const signedAt = parseAmzDate(claim);
  const skewMilliseconds = signedAt - now.getTime();
  if (claim.expiresInSeconds === undefined) {
    if (Math.abs(skewMilliseconds) > maxClockSkewMilliseconds)
      throw new S3Error('RequestTimeTooSkewed');
    return;
  }
  if (skewMilliseconds > maxClockSkewMilliseconds) {
    throw new S3Error('AccessDenied', { message: 'Request is not valid yet' });
  }
  if (now.getTime() > signedAt + claim.expiresInSeconds * 1000) {
    throw new S3Error('AccessDenied', { message: 'Request has expired' });
  }
}

function parseAmzDate(claim: Claim): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(claim.amzDate) ?? [];
  const milliseconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  if (claim.kind === 'presigned') {
    throw queryError("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
  }
  throw new S3Error('AccessDenied', {
    message: 'AWS authentication requires a valid Date or x-amz-date header',
  });
}

// The holder of a signed URL must not add headers that change what is stored or returned.
function checkSignedHeaders(claim: Claim, headers: HeaderMap): void {
  const signed = new Set(claim.signedHeaders);
  const isCanonical = claim.signedHeaders.every((name) => /^[a-z0-9-]+$/.test(name));
  if (!isCanonical || signed.size !== claim.signedHeaders.length || !signed.has('host')) {
    throw scopeError(claim, 'SignedHeaders must be lower-case, distinct and include host.');
  }
  const unsigned = headers.names().filter((name) => name.startsWith('x-amz-') && !signed.has(name));
  const hasSignedDate =
    claim.kind === 'presigned' || signed.has('x-amz-date') || signed.has('date');
  if (unsigned.length === 0 && hasSignedDate) return;
  throw new S3Error('AccessDenied', {
    message: 'There were headers present in the request which were not signed',
    fields: { HeadersNotSigned: (unsigned.length > 0 ? unsigned : ['x-amz-date']).join(', ') },
  });
}

function canonicalRequest({ method, target, headers }: SignedRequest, claim: Claim): string {
  const names = claim.signedHeaders.toSorted();
  const lines = names.map((name) => `${name}:${canonicalHeaderValue(headers.all(name))}\n`);
  return [
    method,
    awsEncodePath(target.path),
    target.query.canonical(),
    lines.join(''),
    names.join(';'),
    claim.payloadHash,
  ].join('\n');
}

function canonicalHeaderValue(values: readonly string[]): string {
  return values.map((value) => value.trim().replace(/ +/g, ' ')).join(',');
}

function deriveSigningKey({ secretKey, region }: Credentials, date: string): Buffer {
  return hmac(hmac(hmac(hmac(`AWS4${secretKey}`, date), region), 's3'), 'aws4_request');
}

function unsupportedMechanism(): S3Error {
  return new S3Error('InvalidRequest', {
    message: 'The authorization mechanism is not supported. Please use AWS4-HMAC-SHA256.',
  });
}

function malformedHeader(): S3Error {
  return new S3Error('AuthorizationHeaderMalformed', {
    message: 'The authorization header requires exactly Credential, SignedHeaders and Signature.',
  });
}

function queryError(message: string): S3Error {
  return new S3Error('AuthorizationQueryParametersError', { message });
}

function scopeError(claim: Claim, message: string, fields: Record<string, string> = {}): S3Error {
  const code =
    claim.kind === 'presigned'
      ? 'AuthorizationQueryParametersError'
      : 'AuthorizationHeaderMalformed';
  return new S3Error(code, { message, fields });
}
