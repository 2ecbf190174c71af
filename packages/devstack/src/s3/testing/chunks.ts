import { hmacSha256, sha256Hex } from './signer.ts';
import type { Signature } from './signer.ts';

export interface ChunkSeed extends Signature {
  amzDate: string;
}

/** Encodes pieces as `aws-chunked` with a signature for each, and one for trailers. */
export function signedChunks(
  pieces: readonly Buffer[],
  seed: ChunkSeed,
  trailers?: Record<string, string>,
): Buffer {
  let previous = seed.signature;
  const next = (algorithm: string, digests: string[]): string => {
    const text = [algorithm, seed.amzDate, seed.scope, previous, ...digests].join('\n');
    previous = hmacSha256(seed.signingKey, text).toString('hex');
    return previous;
  };
  const framed = [...pieces, Buffer.alloc(0)].flatMap((piece) => {
    const signature = next('AWS4-HMAC-SHA256-PAYLOAD', [sha256Hex(''), sha256Hex(piece)]);
    const header = Buffer.from(`${piece.length.toString(16)};chunk-signature=${signature}\r\n`);
    return piece.length === 0 ? [header] : [header, piece, Buffer.from('\r\n')];
  });
  const lines = Object.entries(trailers ?? {}).map(([name, value]) => `${name}:${value}`);
  if (lines.length > 0) {
    const digest = sha256Hex(lines.map((line) => `${line}\n`).join(''));
    lines.push(`x-amz-trailer-signature:${next('AWS4-HMAC-SHA256-TRAILER', [digest])}`);
  }
  const tail = lines.map((line) => `${line}\r\n`).join('');
  return Buffer.concat([...framed, Buffer.from(`${tail}\r\n`)]);
}

/** Encodes pieces as `aws-chunked` without signatures. */
export function plainChunks(pieces: readonly Buffer[], trailers: Record<string, string>): Buffer {
  const framed = pieces.flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from('\r\n'),
  ]);
  const lines = Object.entries(trailers).map(([name, value]) => `${name}:${value}\r\n`);
  return Buffer.concat([...framed, Buffer.from(`0\r\n${lines.join('')}\r\n`)]);
}
