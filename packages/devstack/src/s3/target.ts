import { S3Error } from './errors.ts';
import { assertBucketName, assertObjectKey } from './names.ts';

/** A parsed request target; `bucket` is empty for the service, `key` for a bucket. */
export interface Target {
  readonly bucket: string;
  readonly key: string;
  readonly path: string;
  readonly query: Query;
}

/** Percent-encodes like AWS: everything but `A-Z a-z 0-9 - . _ ~`. */
function awsEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Like awsEncode, but keeps `/`. */
export function awsEncodePath(path: string): string {
  return awsEncode(path).replaceAll('%2F', '/');
}

/** Decoded query parameters, in received order. */
export class Query {
  readonly #entries: readonly (readonly [string, string])[];

  constructor(rawQuery: string) {
    this.#entries = rawQuery
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const equals = pair.indexOf('=');
        const name = equals === -1 ? pair : pair.slice(0, equals);
        const value = equals === -1 ? '' : pair.slice(equals + 1);
        return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))] as const;
      });
    const names = this.#entries.map(([name]) => name);
    if (new Set(names).size !== names.length) {
      throw new S3Error('InvalidArgument', { message: 'A query parameter is repeated.' });
    }
  }

  has(name: string): boolean {
    return this.#entries.some(([candidate]) => candidate === name);
  }

  get(name: string): string | undefined {
    return this.#entries.find(([candidate]) => candidate === name)?.[1];
  }

  names(): string[] {
    return this.#entries.map(([name]) => name);
  }

  /** Builds the canonical query string of Signature V4, without the signature. */
  canonical(): string {
    return this.#entries
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => [awsEncode(name), awsEncode(value)] as const)
      .toSorted(([a, x], [b, y]) => compareAscii(a, b) || compareAscii(x, y))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
  }
}

/**
 * Parses a path-style request target.
 *
 * @throws S3Error `InvalidURI`, `InvalidBucketName`, `KeyTooLongError` or `InvalidArgument`
 */
export function parseTarget(url: string): Target {
  if (!url.startsWith('/')) throw new S3Error('InvalidURI');
  const questionMark = url.indexOf('?');
  const rawPath = questionMark === -1 ? url : url.slice(0, questionMark);
  const query = new Query(questionMark === -1 ? '' : url.slice(questionMark + 1));
  const path = decode(rawPath);
  const { bucket, key } = splitPath(path);
  return { bucket, key, path, query };
}

/** Splits `/bucket/key`; the key keeps other slashes. */
export function splitPath(path: string): { bucket: string; key: string } {
  const secondSlash = path.indexOf('/', 1);
  const bucket = secondSlash === -1 ? path.slice(1) : path.slice(1, secondSlash);
  const key = secondSlash === -1 ? '' : path.slice(secondSlash + 1);
  if (bucket !== '') assertBucketName(bucket);
  else if (key !== '') throw new S3Error('InvalidBucketName');
  if (key !== '') assertObjectKey(key);
  return { bucket, key };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI', { message: 'The target is not valid percent-encoded UTF-8.' });
  }
}

function compareAscii(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
