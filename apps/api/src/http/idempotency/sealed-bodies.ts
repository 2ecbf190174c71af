import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';
import { Failure } from '../../kernel/errors.ts';
import { createSeal } from '../../kernel/seal.ts';
import type { KeyName } from './queries.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** How much is compressed at once: the way to another thread costs several times as much. */
const maxPromptBytes = 16_384;

/** The magic bytes of a zstd frame. */
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Compresses and seals the bodies of stored responses, each for its own key: it can't be opened under another one. */
export interface SealedBodies {
  seal(body: string, name: KeyName): Promise<Buffer>;
  /** @throws Failure `idempotency_key_reused` (422) if no current key opens it: it can't be replayed */
  open(sealed: Buffer, name: KeyName): Promise<string>;
}

export function createSealedBodies(keys: Parameters<typeof createSeal>[0]): SealedBodies {
  const bodies = createSeal(keys);
  return {
    async seal(body, name) {
      const bytes = Buffer.from(body);
      const options = { pledgedSrcSize: bytes.length };
      const isShort = bytes.length <= maxPromptBytes;
      const compressed = isShort
        ? zstdCompressSync(bytes, options)
        : await compress(bytes, options);
      return bodies.seal(compressed, contextOf(name));
    },
    async open(sealed, name) {
      // Before 0062 responses were not sealed; the last of those have expired by the release after it.
      const isOlder = sealed.subarray(0, zstdMagic.length).equals(zstdMagic);
      const opened = bodies.open(sealed, contextOf(name)) ?? (isOlder ? sealed : null);
      if (!opened) throw new Failure('idempotency_key_reused');
      return (await decompress(opened)).toString();
    },
  };
}

function contextOf({ scope, operation, key }: KeyName): string {
  return JSON.stringify([scope, operation, key]);
}
