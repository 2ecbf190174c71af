import { createHash } from 'node:crypto';

/** The storage behind presigned URLs, in memory. */
export interface MockStorage {
  /** Stores the bytes. @returns their quoted ETag */
  put(path: string, bytes: Buffer): string;
  /** Returns the stored bytes, or a small picture if there are none. */
  get(path: string): { readonly bytes: Buffer; readonly type: string };
}

/** Maximum bytes stored; the oldest objects are evicted first. */
const capacityBytes = 256 * 1024 * 1024;

/** Creates an empty storage. */
export function createStorage(): MockStorage {
  const objects = new Map<string, Buffer>();
  let size = 0;
  const evict = (path: string) => {
    size -= objects.get(path)?.length ?? 0;
    objects.delete(path);
  };
  return {
    put(path, bytes) {
      evict(path);
      objects.set(path, bytes);
      size += bytes.length;
      for (const oldest of objects.keys()) {
        if (size <= capacityBytes || oldest === path) break;
        evict(oldest);
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
