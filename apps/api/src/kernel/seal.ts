import { createCipheriv, createDecipheriv, randomFillSync, type KeyObject } from 'node:crypto';
import { keyIdBytes, type KeySet } from './keys.ts';

/** Encrypts and authenticates data that leaves this process and comes back. */
export interface Seal {
  /** @param context - the purpose of the data; it can't be opened in another one */
  seal(content: string | Buffer, context: string): Buffer;
  /** @returns null for data that none of the keys sealed in this context */
  open(sealed: Buffer, context: string): Buffer | null;
}

const cipherName = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM. The sealed bytes begin with the id of the key. */
export function createSeal({ current, named, unnamed }: KeySet): Seal {
  const id = Buffer.from(current.id, 'base64url');
  const newIv = ivSource();

  return {
    seal(content, context) {
      const iv = newIv();
      const cipher = createCipheriv(cipherName, current.key, iv).setAAD(Buffer.from(context));
      const encrypted =
        typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content);
      return Buffer.concat([id, iv, encrypted, cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, context) {
      const key = named.get(sealed.toString('base64url', 0, keyIdBytes));
      if (key) return opened(sealed.subarray(keyIdBytes), key, context);
      for (const older of unnamed) {
        const content = opened(sealed, older, context);
        if (content) return content;
      }
      return null;
    },
  };
}

function opened(bytes: Buffer, key: KeyObject, context: string): Buffer | null {
  if (bytes.length <= ivBytes + tagBytes) return null;
  const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, ivBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-tagBytes));
  const content = decipher.update(bytes.subarray(ivBytes, -tagBytes));
  try {
    return Buffer.concat([content, decipher.final()]);
  } catch {
    return null;
  }
}

/** Random IVs, each used once. Generated in batches: for twelve bytes, most of the cost is the call. */
function ivSource(): () => Buffer {
  const drawn = Buffer.alloc(ivBytes * 128);
  let used = drawn.length;
  return () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += ivBytes;
    return drawn.subarray(used - ivBytes, used);
  };
}
