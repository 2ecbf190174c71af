import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { S3Error } from './errors.ts';
import { equalHex, hmac } from './signature.ts';
import type { Verified } from './signature.ts';

const maxLineBytes = 4096;
const maxTrailers = 16;
const emptySha256 = createHash('sha256').digest('hex');

/** The protection of an `aws-chunked` body, by its `x-amz-content-sha256` value. */
export interface ChunkedForm {
  isSigned: boolean;
  hasTrailer: boolean;
}

const forms: ReadonlyMap<string, ChunkedForm> = new Map([
  ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', { isSigned: true, hasTrailer: false }],
  ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER', { isSigned: true, hasTrailer: true }],
  ['STREAMING-UNSIGNED-PAYLOAD-TRAILER', { isSigned: false, hasTrailer: true }],
]);

export function chunkedForm(payloadHash: string): ChunkedForm | undefined {
  return forms.get(payloadHash);
}

type Expecting = 'chunk-header' | 'chunk-bytes' | 'chunk-end' | 'trailer' | 'nothing';

/**
 * Decodes an `aws-chunked` body incrementally. It returns bytes before their signature is verified, so discard them
 * unless `finish` returns.
 */
export class ChunkDecoder {
  readonly #form: ChunkedForm;
  readonly #verified: Verified;
  readonly #trailers = new Map<string, string>();
  #expecting: Expecting = 'chunk-header';
  #line = '';
  #remainingBytes = 0;
  #isLastChunk = false;
  #previousSignature: string;
  #chunkSignature = '';
  #chunkHash: Hash = createHash('sha256');

  constructor(form: ChunkedForm, verified: Verified) {
    this.#form = form;
    this.#verified = verified;
    this.#previousSignature = verified.signature;
  }

  /** @throws S3Error `SignatureDoesNotMatch` or `InvalidRequest` */
  *decode(input: Buffer): Generator<Buffer> {
    let offset = 0;
    while (offset < input.length) {
      if (this.#expecting === 'chunk-bytes') {
        const piece = input.subarray(offset, offset + this.#remainingBytes);
        offset += piece.length;
        this.#remainingBytes -= piece.length;
        if (this.#form.isSigned) this.#chunkHash.update(piece);
        if (this.#remainingBytes === 0) this.#expecting = 'chunk-end';
        yield piece;
      } else {
        offset = this.#readLine(input, offset);
      }
    }
  }

  /**
   * Finishes the body.
   *
   * @returns the trailers, by lower-case name
   * @throws S3Error `IncompleteBody` when the closing chunk is missing
   */
  finish(): ReadonlyMap<string, string> {
    const hasEnded = this.#expecting === 'nothing' || this.#expecting === 'trailer';
    if (!hasEnded || this.#line !== '') throw new S3Error('IncompleteBody');
    if (this.#form.isSigned && this.#form.hasTrailer) this.#verifyTrailers();
    return this.#trailers;
  }

  #readLine(input: Buffer, offset: number): number {
    if (this.#expecting === 'nothing') throw malformed('bytes follow the closing chunk');
    const newline = input.indexOf(0x0a, offset);
    const end = newline === -1 ? input.length : newline + 1;
    if (this.#line.length + end - offset > maxLineBytes) throw malformed('a line is too long');
    this.#line += input.toString('latin1', offset, end);
    if (newline === -1) return end;
    const line = this.#line.replace(/\r?\n$/, '');
    this.#line = '';
    this.#acceptLine(line);
    return end;
  }

  #acceptLine(line: string): void {
    if (this.#expecting === 'chunk-header') this.#openChunk(line);
    else if (this.#expecting === 'chunk-end') this.#closeChunk(line);
    else if (line === '') this.#expecting = 'nothing';
    else this.#acceptTrailer(line);
  }

  #openChunk(line: string): void {
    const [, size, signature] =
      /^([0-9a-fA-F]{1,10})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line) ?? [];
    if (size === undefined) throw malformed('a chunk header is malformed');
    if (this.#form.isSigned && signature === undefined) throw malformed('a chunk is not signed');
    this.#remainingBytes = Number.parseInt(size, 16);
    this.#isLastChunk = this.#remainingBytes === 0;
    this.#chunkSignature = signature ?? '';
    this.#chunkHash = createHash('sha256');
    this.#expecting = 'chunk-bytes';
    if (!this.#isLastChunk) return;
    this.#verifyChunk();
    this.#expecting = 'trailer';
  }

  #closeChunk(line: string): void {
    if (line !== '') throw malformed('a chunk is longer than its header declares');
    this.#verifyChunk();
    this.#expecting = 'chunk-header';
  }

  #acceptTrailer(line: string): void {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!this.#form.hasTrailer || colon < 1) throw malformed('a trailer is malformed');
    if (this.#trailers.has(name) || this.#trailers.size >= maxTrailers) {
      throw malformed('a trailer is repeated or there are too many');
    }
    this.#trailers.set(name, line.slice(colon + 1).trim());
  }

  #verifyChunk(): void {
    if (!this.#form.isSigned) return;
    this.#verifySignature('AWS4-HMAC-SHA256-PAYLOAD', this.#chunkSignature, [
      emptySha256,
      this.#chunkHash.digest('hex'),
    ]);
    this.#previousSignature = this.#chunkSignature;
  }

  #verifyTrailers(): void {
    const presented = this.#trailers.get('x-amz-trailer-signature') ?? '';
    this.#trailers.delete('x-amz-trailer-signature');
    const lines = [...this.#trailers].map(([name, value]) => `${name}:${value}\n`).join('');
    const digest = createHash('sha256').update(lines, 'latin1').digest('hex');
    this.#verifySignature('AWS4-HMAC-SHA256-TRAILER', presented, [digest]);
  }

  #verifySignature(algorithm: string, presented: string, digests: readonly string[]): void {
    const { amzDate, scope, signingKey } = this.#verified;
    const stringToSign = [algorithm, amzDate, scope, this.#previousSignature, ...digests].join(
      '\n',
    );
    const expected = hmac(signingKey, stringToSign).toString('hex');
    if (!equalHex(expected, presented)) throw new S3Error('SignatureDoesNotMatch');
  }
}

function malformed(reason: string): S3Error {
  return new S3Error('InvalidRequest', { message: `The chunked body is malformed: ${reason}.` });
}
