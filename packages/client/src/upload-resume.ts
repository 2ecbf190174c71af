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

/** Remembers uploads until the page ends. */
export function memoryUploads(): ResumeStore {
  return new Map<string, string>();
}

/** Remembers uploads in the browser's local storage. */
export function localStorageUploads(): ResumeStore {
  return {
    get: (key) => localStorage.getItem(key),
    set: (key, value) => localStorage.setItem(key, value),
    delete: (key) => localStorage.removeItem(key),
  };
}

/** One entry of a store. */
export type RememberedUpload = ReturnType<typeof rememberedUpload>;

/** The entry of a file; one that is always empty without a store. */
export function rememberedUpload(
  resume: (Pick<Resume, 'store'> & { readonly key?: string | undefined }) | undefined,
  identity: readonly unknown[],
) {
  const key = resume?.key ?? `svc_upload/${identity.join('/')}`;
  async function quietly<T>(task: (store: ResumeStore) => T): Promise<Awaited<T> | undefined> {
    try {
      return resume && (await task(resume.store));
    } catch {
      return undefined;
    }
  }
  return {
    get: () => quietly((store) => store.get(key)),
    set: (value: string) => quietly((store) => store.set(key, value)),
    clear: () => quietly((store) => store.delete(key)),
  };
}
