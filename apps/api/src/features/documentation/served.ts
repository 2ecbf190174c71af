import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNamedBy } from '../../kernel/etag.ts';

/** Bytes that are the same for every client until the next release. */
export interface ServedText {
  readonly type: string;
  readonly eTag: string;
  readonly encoded: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>;
}

/** Compresses once for many responses. */
export async function servedText(type: string, text: string): Promise<ServedText> {
  const identity = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity),
    promisify(gzip)(identity),
  ]);
  const digest = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { type, eTag: `"${digest}"`, encoded: { br, gzip: gzipped, identity } };
}

/** Sends the best encoding that the client accepts, or 304 for a match. */
export function sendServed(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { type, eTag, encoded }: ServedText,
): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'] ?? '');
  // Encodings differ in their bytes, and a strong ETag identifies bytes.
  const tag = encoding === 'identity' ? eTag : `${eTag.slice(0, -1)}-${encoding}"`;
  void reply.headers({
    etag: tag,
    // A release shows within five minutes; later requests revalidate.
    'cache-control': 'public, max-age=300',
    vary: 'Accept-Encoding',
  });
  const known = request.headers['if-none-match'];
  if (known !== undefined && isNamedBy(known, tag)) return reply.code(304).send();
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.type(type).send(encoded[encoding]);
}

function encodingFor(accepted: string): 'br' | 'gzip' | 'identity' {
  const names = accepted
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => !/;\s*q=0(\.0*)?$/.test(entry))
    .map((entry) => entry.split(';', 1)[0]?.trim());
  if (names.includes('br')) return 'br';
  return names.includes('gzip') ? 'gzip' : 'identity';
}
