/**
 * Remembers uploads by a key, for after a reload. A `Map` is one that ends with the page. What it
 * throws is left aside: an upload that can't be remembered still goes on.
 */
export interface ResumeStore {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  set(key: string, value: string): unknown;
  delete(key: string): unknown;
}

/** Where an upload is remembered, and its name there. */
export type Resume<Content extends Blob = Blob> = {
  readonly store: ResumeStore;
  /** Default: made of the collection, the asset, and the name, size, type and last change of the file. */
  readonly key?: string | undefined;
} & (Content extends { readonly lastModified: number }
  ? unknown
  : {
      /** Nothing tells a mere `Blob` apart from another one of its size, so it needs a name. */
      readonly key: string;
    });

/** Reads or changes the entry of an upload; what comes back is worth nothing but of `get`. */
export type Memory = (method: keyof ResumeStore, value?: string) => Promise<unknown>;

/** The entry of a file; without a store one that is always empty. */
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
