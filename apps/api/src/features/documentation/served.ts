import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNamedBy } from '../../kernel/etag.ts';

/** Bytes that are the same for everybody until the next release. */
export interface ServedText {
  readonly type: string;
  readonly eTag: string;
  readonly encoded: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>;
}

/** Compresses once what is sent many times. */
export async function servedText(type: string, text: string): Promise<ServedText> {
  const identity = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity),
    promisify(gzip)(identity),
  ]);
  const digest = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { type, eTag: `"${digest}"`, encoded: { br, gzip: gzipped, identity } };
}

/** Sends it in the best encoding the caller takes; 304 to whoever has it. */
export function sendServed(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { type, eTag, encoded }: ServedText,
): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'] ?? '');
  // Each encoding is other bytes, and a strong ETag names bytes.
  const tag = encoding === 'identity' ? eTag : `${eTag.slice(0, -1)}-${encoding}"`;
  void reply.headers({
    etag: tag,
    // A release shows within five minutes; a reader who comes back asks whether it changed.
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
