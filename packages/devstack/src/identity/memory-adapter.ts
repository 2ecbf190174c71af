import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Entry {
  payload: AdapterPayload;
  expiresAtMs: number;
}

const maxLifetimeSeconds = 86_400;

/** The artifacts of one provider; the oldest are evicted when there are too many. */
export class ProviderMemory {
  readonly #entries = new Map<string, Entry>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  set(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  get(key: string): AdapterPayload | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAtMs > Date.now()) return entry?.payload;
    this.#entries.delete(key);
    return undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  find(matches: (payload: AdapterPayload) => boolean, kind: string): AdapterPayload | undefined {
    for (const [key, { payload }] of this.#entries) {
      if (key.startsWith(`${kind}:`) && matches(payload)) return this.get(key);
    }
    return undefined;
  }

  deleteGrant(grantId: string): void {
    for (const [key, { payload }] of this.#entries) {
      if (payload.grantId === grantId) this.#entries.delete(key);
    }
  }
}

/** Stores one kind of artifact of the provider in memory. */
export function memoryAdapter(kind: string, memory: ProviderMemory): Adapter {
  const keyOf = (id: string): string => `${kind}:${id}`;
  return {
    upsert: async (id, payload, expiresInSeconds) =>
      memory.set(keyOf(id), {
        payload,
        expiresAtMs: Date.now() + (expiresInSeconds ?? maxLifetimeSeconds) * 1000,
      }),
    find: async (id) => memory.get(keyOf(id)),
    findByUid: async (uid) => memory.find((payload) => payload.uid === uid, kind),
    findByUserCode: async (code) => memory.find((payload) => payload.userCode === code, kind),
    consume: async (id) => {
      const payload = memory.get(keyOf(id));
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => memory.delete(keyOf(id)),
    revokeByGrantId: async (grantId) => memory.deleteGrant(grantId),
  };
}
