import { createHash } from 'node:crypto';

/** The storage behind presigned addresses, in memory. */
export interface MockStorage {
  /** Keeps the bytes; gives their ETag, in quotes. */
  put(path: string, bytes: Buffer): string;
  /** What was put there, or a small picture where nothing was. */
  get(path: string): { readonly bytes: Buffer; readonly type: string };
}

/** Most bytes that are kept: the oldest go first. */
const capacityBytes = 256 * 1024 * 1024;

export function createStorage(): MockStorage {
  const objects = new Map<string, Buffer>();
  let size = 0;
  const forget = (path: string) => {
    size -= objects.get(path)?.length ?? 0;
    objects.delete(path);
  };
  return {
    put(path, bytes) {
      forget(path);
      objects.set(path, bytes);
      size += bytes.length;
      for (const oldest of objects.keys()) {
        if (size <= capacityBytes || oldest === path) break;
        forget(oldest);
      }
      return `"${createHash('md5').update(bytes).digest('hex')}"`;
    },
    get(path) {
      const bytes = objects.get(path);
      return bytes
        ? { bytes, type: 'application/octet-stream' }
        : { bytes: pictureFor(path), type: 'image/svg+xml' };
    },
  };
}

function pictureFor(path: string): Buffer {
  const hue = createHash('sha256').update(path).digest().readUInt16LE(0) % 360;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="100%" height="100%" fill="hsl(${hue} 45% 70%)"/></svg>`,
  );
}
