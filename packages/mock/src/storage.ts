import { digestOf, hashOf } from './hash.ts';

/** A stored object. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly eTag: string;
}

/** The storage behind presigned URLs, in memory. */
export interface MockStorage {
  /** @param path - without a query */
  put(path: string, bytes: Uint8Array, type: string): StoredObject;
  get(path: string): StoredObject | undefined;
}

/** Maximum bytes stored; the oldest objects are evicted first. */
export const capacityBytes = 256 * 1024 * 1024;

/** Creates an empty storage. */
export function createStorage(): MockStorage {
  const objects = new Map<string, StoredObject>();
  let size = 0;
  const evict = (path: string) => {
    size -= objects.get(path)?.bytes.length ?? 0;
    objects.delete(path);
  };
  return {
    put(path, bytes, type) {
      evict(path);
      const stored = { bytes, type, eTag: `"${digestOfBytes(bytes)}"` };
      objects.set(path, stored);
      size += bytes.length;
      for (const oldest of objects.keys()) {
        if (size <= capacityBytes || oldest === path) break;
        evict(oldest);
      }
      return stored;
    },
    get: (path) => objects.get(path),
  };
}

/** A small picture, for objects that have never been stored. */
export function pictureFor(path: string): StoredObject {
  const hue = hashOf(path)[0] % 360;
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="100%" height="100%" fill="hsl(${hue} 45% 70%)"/></svg>`;
  return { bytes: new TextEncoder().encode(text), type: 'image/svg+xml', eTag: '"picture"' };
}

/** Samples large contents: a tag of the mock only has to tell its objects apart. */
function digestOfBytes(bytes: Uint8Array): string {
  const step = Math.max(1, Math.floor(bytes.length / 4096));
  let sample = `${bytes.length}:`;
  for (let index = 0; index < bytes.length; index += step) {
    sample += String.fromCharCode(bytes[index] ?? 0);
  }
  return digestOf(sample);
}
