import { createHash, createHmac } from 'node:crypto';

// An independent implementation of Signature V4, so that errors of the server's own can't cancel out.

export interface SigningKeys {
  accessKey: string;
  secretKey: string;
  region: string;
}

export interface Unsigned {
  method: string;
  /** Percent-encoded, without the query. */
  path: string;
  query?: Record<string, string>;
  headers: Record<string, string>;
  payloadHash: string;
}

export interface Signature {
  authorization: string;
  signature: string;
  signingKey: Buffer;
  scope: string;
}

export function sha256Hex(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

export function hmacSha256(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export function amzDate(date: Date): string {
  return `${date.toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '')}Z`;
}

export function encodeQuery(query: Record<string, string>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${strictEncode(name)}=${strictEncode(value)}`,
  );
  return pairs.toSorted().join('&');
}

export function strictEncode(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9._~-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** Computes the Authorization value; signs every header. */
export function signHeaders(
  request: Unsigned,
  keys: SigningKeys,
  date = request.headers['x-amz-date'] ?? '',
): Signature {
  const { signature, signingKey, scope } = sign(request, { keys, date });
  const names = signedNames(request.headers);
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { authorization, signature, signingKey, scope };
}

/** Builds the query of a presigned URL, with the signature. */
export function presignQuery(
  request: Omit<Unsigned, 'payloadHash'>,
  options: { keys: SigningKeys; date: Date; expiresInSeconds: number | string },
): Record<string, string> {
  const date = amzDate(options.date);
  const query = {
    ...request.query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${options.keys.accessKey}/${date.slice(0, 8)}/${options.keys.region}/s3/aws4_request`,
    'X-Amz-Date': date,
    'X-Amz-Expires': String(options.expiresInSeconds),
    'X-Amz-SignedHeaders': signedNames(request.headers),
  };
  const unsigned = { ...request, query, payloadHash: 'UNSIGNED-PAYLOAD' };
  return { ...query, 'X-Amz-Signature': sign(unsigned, { keys: options.keys, date }).signature };
}

function sign(
  request: Unsigned,
  { keys, date }: { keys: SigningKeys; date: string },
): { signature: string; signingKey: Buffer; scope: string } {
  const day = date.slice(0, 8);
  const scope = `${day}/${keys.region}/s3/aws4_request`;
  const headers = new Map(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const names = [...headers.keys()].toSorted();
  const sorted = names.map((name) => [
    name,
    (headers.get(name) ?? '').trim().replaceAll(/ +/g, ' '),
  ]);
  const canonical = [
    request.method,
    request.path,
    encodeQuery(request.query ?? {}),
    ...sorted.map(([name, value]) => `${name}:${value}`),
    '',
    signedNames(request.headers),
    request.payloadHash,
  ].join('\n');
  let signingKey = hmacSha256(`AWS4${keys.secretKey}`, day);
  for (const step of [keys.region, 's3', 'aws4_request']) signingKey = hmacSha256(signingKey, step);
  const digest = createHash('sha256').update(canonical, 'latin1').digest('hex');
  const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${digest}`;
  return { signature: hmacSha256(signingKey, text).toString('hex'), signingKey, scope };
}

function signedNames(headers: Record<string, string>): string {
  return Object.keys(headers)
    .map((name) => name.toLowerCase())
    .toSorted()
    .join(';');
}
