/**
 * Remembers uploads by a key, to resume them after a reload. A `Map` remembers them in memory. Its errors are
 * ignored: an upload that can't be remembered continues.
 */
export interface ResumeStore {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
}

/** The store that remembers an upload, and its key. */
export type Resume<Content extends Blob = Blob> = {
  readonly store: ResumeStore;
  /** Default: derived from the collection, the asset, and the name, size, type and last change of the file. */
  readonly key?: string | undefined;
} & (Content extends { readonly lastModified: number }
  ? unknown
  : {
      /** Required for a `Blob`, which nothing distinguishes from another one of its size. */
      readonly key: string;
    });

/** Reads or changes the entry of an upload; only `get` returns a value. */
export type Memory = (method: keyof ResumeStore, value?: string) => Promise<unknown>;

/** Returns access to the entry of a file; without a store it is always empty. */
export function memoryOf(
  resume: Partial<Pick<Resume, 'store' | 'key'>> | undefined,
  identity: readonly unknown[],
): Memory {
  const { store, key = `svc_upload/${identity.join('/')}` } = resume ?? {};
  return async (method, value = '') => {
    try {
      return await store?.[method](key, value);
    } catch {
      return undefined;
    }
  };
}
