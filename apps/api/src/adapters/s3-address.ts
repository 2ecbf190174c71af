import { createHmac, hash } from 'node:crypto';

export interface SigningSettings {
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

type Pairs = readonly (readonly [name: string, value: string])[];

export interface AddressToSign {
  readonly method: 'GET' | 'PUT';
  /** The URL of the object, without a query. */
  readonly url: URL;
  readonly expiresInSeconds: number;
  /** The time from which the URL is valid. */
  readonly from: Date;
  /** Additional query parameters: lower case, in alphabetical order. */
  readonly parameters: Pairs;
  /** Headers that the storage requires with exactly these values: lower case, sorted, all before `host`. */
  readonly headers?: Pairs;
}

/**
 * Presigns object URLs with Signature Version 4, like the storage's own client, at a third of
 * its cost: the key is derived once a day instead of once per URL, and pages contain hundreds.
 *
 * @see docs/decisions/0022-library-lists-and-bin.md
 */
export function addressSigner({ region, accessKey, secretKey }: SigningSettings) {
  const keyOf = rememberLast((day: string) =>
    [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`),
  );

  return ({ method, url, expiresInSeconds, from, parameters, headers = [] }: AddressToSign) => {
    const timestamp = from.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
    const day = timestamp.slice(0, 8);
    const scope = `${day}/${region}/s3/aws4_request`;
    const signed = [...headers, ['host', url.host] as const];
    const signedNames = signed.map(([name]) => name).join(';');
    // Sorted by bytes, as the signature requires: upper case comes first.
    const query = [
      'X-Amz-Algorithm=AWS4-HMAC-SHA256',
      `X-Amz-Credential=${encoded(`${accessKey}/${scope}`)}`,
      `X-Amz-Date=${timestamp}`,
      `X-Amz-Expires=${expiresInSeconds}`,
      `X-Amz-SignedHeaders=${encoded(signedNames)}`,
      ...parameters.map(([name, value]) => `${name}=${encoded(value)}`),
    ].join('&');
    const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
    const request = `${method}\n${url.pathname}\n${query}\n${lines}\n${signedNames}\nUNSIGNED-PAYLOAD`;
    const toSign = `AWS4-HMAC-SHA256\n${timestamp}\n${scope}\n${hash('sha256', request)}`;
    const signature = hmac(keyOf(day), toSign).toString('hex');
    return `${url.origin}${url.pathname}?${query}&X-Amz-Signature=${signature}`;
  };
}

/** Encodes a storage key for a path. */
export function pathOf(key: string): string {
  return key.split('/').map(encoded).join('/');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Encodes everything but letters, digits, `-`, `.`, `_` and `~`: stricter than `encodeURIComponent`. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function rememberLast<Result>(make: (input: string) => Result): (input: string) => Result {
  let last: { input: string; result: Result } | null = null;
  return (input) => {
    if (last?.input !== input) last = { input, result: make(input) };
    return last.result;
  };
}
