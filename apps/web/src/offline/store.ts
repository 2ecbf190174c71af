import { createStore, delMany, entries, setMany, type UseStore } from 'idb-keyval';

/** The response of a query as it is stored. */
export interface KeptResponse {
  /** Session of the client that fetched it; it is never shown in another one. */
  readonly session: string;
  /** Build of the app whose queries have this shape. */
  readonly build: string;
  readonly fetchedAtMs: number;
  /** Key and data of the query, as JSON. */
  readonly json: string;
}

let opened: UseStore | undefined;

function store(): UseStore {
  opened ??= createStore('atelier-kept', 'responses');
  return opened;
}

interface KeptChanges {
  /** By the hash of the query's key. */
  readonly added: readonly (readonly [string, KeptResponse])[];
  readonly removed: readonly string[];
}

export async function storeResponses({ added, removed }: KeptChanges): Promise<void> {
  // Both at once: what is asked for after a wipe would stay.
  await Promise.all([
    removed.length > 0 && delMany([...removed], store()),
    added.length > 0 &&
      setMany(
        added.map(([hash, kept]) => [hash, kept]),
        store(),
      ),
  ]);
}

export async function storedResponses(): Promise<readonly (readonly [string, KeptResponse])[]> {
  return entries<string, KeptResponse>(store());
}
