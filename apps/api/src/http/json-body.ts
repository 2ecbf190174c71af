import type { FastifyInstance, FastifyRequest } from 'fastify';
import secureJsonParse from 'secure-json-parse';
import { Failure } from '../kernel/errors.ts';
import { operationOf } from './requests.ts';

/** Maximum nesting depth. Deeper bodies parse, but then overflow the stack of code that traverses them. */
const maxDepth = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Parses request bodies. Only JSON in UTF-8 is accepted; an empty body counts as none. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => parseJson(body),
  );
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0 || operationOf(request)?.toleratesAnyBody) return undefined;
      throw new Failure('unsupported_media_type');
    },
  );
}

/**
 * @param body - raw bytes
 * @returns undefined for an empty body
 * @throws Failure `malformed_json` (400)
 */
function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (exceedsDepth(body)) {
    throw new Failure('malformed_json', {
      message: `The body is nested more than ${maxDepth} levels deep`,
    });
  }
  try {
    // Drops `__proto__` and `constructor.prototype`: unknown fields are ignored, these above all.
    return secureJsonParse(utf8.decode(body), null, {
      protoAction: 'remove',
      constructorAction: 'remove',
    });
  } catch (cause) {
    throw new Failure('malformed_json', { cause });
  }
}

function exceedsDepth(body: Buffer): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (isInString) {
      if (byte === 0x5c) index += 1;
      else if (byte === 0x22) isInString = false;
    } else if (byte === 0x22) isInString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return false;
}
