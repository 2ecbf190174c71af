import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { expectedChecksums } from './checksums.ts';
import type { ExpectedChecksum } from './checksums.ts';
import { ChunkDecoder, chunkedForm } from './chunked.ts';
import { S3Error } from './errors.ts';
import type { HeaderMap } from './headers.ts';
import { equalHex } from './signature.ts';
import type { Verified } from './signature.ts';

const maxPayloadBytes = 5 * 1024 ** 3;

export interface PayloadSource {
  request: IncomingMessage;
  headers: HeaderMap;
  verified: Verified;
  /** Called once before the first byte is read, to respond to `Expect: 100-continue`. */
  beforeRead: () => void;
}

/** A request body, which is valid only if `chunks` ends without an error. */
export class Payload {
  readonly #source: PayloadSource;
  readonly #md5 = createHash('md5');
  #md5Hex: string | undefined;

  constructor(source: PayloadSource) {
    this.#source = source;
  }

  /** The MD5 of the whole decoded body; available when `chunks` has ended. */
  get md5Hex(): string {
    if (this.#md5Hex === undefined) throw new Error('The payload has not been read to its end.');
    return this.#md5Hex;
  }

  /**
   * Reads the decoded bytes; a chunk is valid until the next is read. Throws at the end if length, hash, signature or
   * checksum differ.
   *
   * @throws S3Error `EntityTooLarge`, `IncompleteBody`, `XAmzContentSHA256Mismatch`, `BadDigest`,
   *   `InvalidDigest`, `SignatureDoesNotMatch`, `MissingContentLength`, `InvalidArgument`
   */
  async *chunks(): AsyncGenerator<Buffer> {
    const { headers, verified } = this.#source;
    const declaredBytes = declaredLength(headers, verified);
    if (declaredBytes > maxPayloadBytes) throw new S3Error('EntityTooLarge');
    const contentMd5 = readContentMd5(headers);
    const checksums = expectedChecksums(headers);
    const sha256 = /^[0-9a-f]{64}$/.test(verified.payloadHash) ? createHash('sha256') : undefined;
    let receivedBytes = 0;
    const decoded = this.#decoded(checksums);
    for await (const chunk of decoded) {
      receivedBytes += chunk.length;
      if (receivedBytes > declaredBytes) throw new S3Error('IncompleteBody');
      this.#md5.update(chunk);
      sha256?.update(chunk);
      for (const checksum of checksums) checksum.update(chunk);
      yield chunk;
    }
    if (receivedBytes !== declaredBytes) throw new S3Error('IncompleteBody');
    if (sha256 !== undefined && !equalHex(sha256.digest('hex'), verified.payloadHash)) {
      throw new S3Error('XAmzContentSHA256Mismatch');
    }
    for (const checksum of checksums) checksum.verify();
    this.#md5Hex = this.#md5.digest('hex');
    if (contentMd5 !== undefined && contentMd5 !== this.#md5Hex) throw new S3Error('BadDigest');
  }

  /** Reads the whole body as UTF-8 text. @throws S3Error `MaxMessageLengthExceeded`, `MalformedXML` and those of `chunks` */
  async text(maxBytes: number): Promise<string> {
    const pieces: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of this.chunks()) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new S3Error('MaxMessageLengthExceeded');
      pieces.push(Buffer.from(chunk));
    }
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
    } catch {
      throw new S3Error('MalformedXML', { message: 'The body is not valid UTF-8.' });
    }
  }

  async *#decoded(checksums: readonly ExpectedChecksum[]): AsyncGenerator<Buffer> {
    const { request, verified, beforeRead } = this.#source;
    const form = chunkedForm(verified.payloadHash);
    const decoder = form === undefined ? undefined : new ChunkDecoder(form, verified);
    beforeRead();
    // The request stream must survive an error, or the socket closes before the response is sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('The request stream has an encoding set.');
      if (decoder === undefined) yield chunk;
      else yield* decoder.decode(chunk);
      release(chunk);
    }
    const trailers = decoder?.finish();
    for (const checksum of checksums) checksum.readTrailer(trailers);
  }
}

// Frees the bytes at once: the chunks of a fast upload would add up to 40 MB of garbage.
function release(chunk: Buffer): void {
  const { buffer } = chunk;
  const isWhole = buffer.byteLength === chunk.byteLength;
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** @throws S3Error `InvalidArgument` for an unsupported form of payload */
export function assertPayloadHash(payloadHash: string): void {
  if (/^[0-9a-f]{64}$/.test(payloadHash) || payloadHash === 'UNSIGNED-PAYLOAD') return;
  if (chunkedForm(payloadHash) !== undefined) return;
  if (payloadHash.startsWith('STREAMING-AWS4-ECDSA')) throw new S3Error('NotImplemented');
  throw new S3Error('InvalidArgument', {
    message:
      'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a STREAMING-… value, or a valid sha256 value.',
  });
}

function declaredLength(headers: HeaderMap, verified: Verified): number {
  const isChunked = chunkedForm(verified.payloadHash) !== undefined;
  const text = headers.get(isChunked ? 'x-amz-decoded-content-length' : 'content-length');
  if (text === undefined) throw new S3Error('MissingContentLength');
  if (!/^\d{1,15}$/.test(text)) {
    throw new S3Error('InvalidArgument', { message: 'The content length is not a number.' });
  }
  return Number(text);
}

function readContentMd5(headers: HeaderMap): string | undefined {
  const text = headers.get('content-md5');
  if (text === undefined) return undefined;
  if (!/^[A-Za-z0-9+/]{22}==$/.test(text)) {
    throw new S3Error('InvalidDigest', { message: 'The Content-MD5 you specified is not valid.' });
  }
  return Buffer.from(text, 'base64').toString('hex');
}
