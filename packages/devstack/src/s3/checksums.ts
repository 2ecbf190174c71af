import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { S3Error } from './errors.ts';
import type { HeaderMap } from './headers.ts';

const prefix = 'x-amz-checksum-';
// Headers of this family that are not checksums of the body.
const settings = new Set([
  'x-amz-checksum-mode',
  'x-amz-checksum-algorithm',
  'x-amz-checksum-type',
]);

interface RunningDigest {
  update(chunk: Buffer): void;
  base64(): string;
}

/** Compares a declared checksum with that of the received bytes. */
export class ExpectedChecksum {
  readonly #header: string;
  readonly #digest: RunningDigest;
  #expected: string | undefined;

  constructor(header: string, expected: string | undefined) {
    this.#header = header;
    this.#digest = runningDigest(header.slice(prefix.length));
    this.#expected = expected;
  }

  update(chunk: Buffer): void {
    this.#digest.update(chunk);
  }

  /** Reads the value from the trailers if the header declared it there. */
  readTrailer(trailers: ReadonlyMap<string, string> | undefined): void {
    this.#expected ??= trailers?.get(this.#header);
  }

  /** @throws S3Error `BadDigest`, or `InvalidRequest` when a declared trailer is missing */
  verify(): void {
    if (this.#expected === undefined) {
      throw new S3Error('InvalidRequest', { message: `The trailer ${this.#header} is missing.` });
    }
    if (this.#expected !== this.#digest.base64()) {
      throw new S3Error('BadDigest', {
        message: `The ${this.#header} you specified did not match.`,
      });
    }
  }
}

/**
 * Reads the checksums that a request has in its headers or declares as trailers.
 *
 * @throws S3Error `NotImplemented` for an algorithm other than CRC32, SHA1 and SHA256
 */
export function expectedChecksums(headers: HeaderMap): ExpectedChecksum[] {
  const given = headers
    .names()
    .filter((name) => name.startsWith(prefix) && !settings.has(name))
    .map((name) => new ExpectedChecksum(name, headers.get(name)));
  const announced = (headers.get('x-amz-trailer') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name.startsWith(prefix))
    .map((name) => new ExpectedChecksum(name, undefined));
  return [...given, ...announced];
}

function runningDigest(algorithm: string): RunningDigest {
  if (algorithm === 'crc32') return new Crc32();
  if (algorithm !== 'sha1' && algorithm !== 'sha256') {
    throw new S3Error('NotImplemented', { message: `The checksum ${algorithm} is not supported.` });
  }
  const hash = createHash(algorithm);
  return { update: (chunk) => void hash.update(chunk), base64: () => hash.digest('base64') };
}

class Crc32 implements RunningDigest {
  #value = 0;

  update(chunk: Buffer): void {
    this.#value = crc32(chunk, this.#value);
  }

  base64(): string {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#value);
    return bytes.toString('base64');
  }
}
