import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Key material from the configuration. The first key of each list is used, all of them are accepted. */
export interface MasterKeys {
  readonly JWT_SECRETS: readonly string[];
  /** 64 hexadecimal characters each. */
  readonly TOKEN_ENVELOPE_KEYS: readonly string[];
}

export interface NamedKey<Key = KeyObject> {
  /** Identifies the key in tokens and sealed data; reveals nothing about it. */
  readonly id: string;
  readonly key: Key;
}

/** The keys of one purpose. */
export interface KeySet<Key = KeyObject> {
  /** Signs and seals. */
  readonly current: NamedKey<Key>;
  /** Verify and open data that names their id. */
  readonly named: ReadonlyMap<string, Key>;
  /** Verify and open data that names no key, because it is older than key ids. Try them one after the other. */
  readonly unnamed: readonly Key[];
}

/**
 * Key sets by purpose, so that a token or sealed value is valid for one purpose only.
 *
 * @see docs/decisions/0061-keys-by-purpose.md
 */
export interface Keys {
  readonly tokenSignature: KeySet;
  readonly tokenEncryption: KeySet;
  readonly cursors: KeySet;
  readonly eventPositions: KeySet;
  readonly idempotencyPayloads: KeySet;
  readonly idempotencyResponses: KeySet;
  readonly refreshedPairs: KeySet;
  readonly webhookSecrets: KeySet;
  readonly totpSecrets: KeySet;
  readonly shareTokens: KeySet;
  readonly recoveryCodes: KeySet;
  readonly signInAttempts: KeySet;
  readonly registrationSalts: KeySet;
  readonly signInOrigins: KeySet;
  readonly rateLimitSubjects: KeySet;
  readonly logHashes: KeySet;
  readonly unsubscribing: KeySet;
}

const keyBytes = 32;
/** Bytes of an id: eight characters in base64url. */
export const keyIdBytes = 6;

/** Derives the keys of every purpose. */
export function createKeys({ JWT_SECRETS, TOKEN_ENVELOPE_KEYS }: MasterKeys): Keys {
  const secrets = JWT_SECRETS.map((secret) => Buffer.from(secret));
  const envelopeKeys = TOKEN_ENVELOPE_KEYS.map((key) => Buffer.from(key, 'hex'));
  const olderSeals = secrets.map((secret) =>
    createHmac('sha256', secret).update('cursor').digest(),
  );
  return {
    tokenSignature: keySet('token signature', secrets, secrets),
    tokenEncryption: keySet('token encryption', envelopeKeys, envelopeKeys),
    cursors: keySet('cursor', secrets, olderSeals),
    eventPositions: keySet('event position', secrets, olderSeals),
    idempotencyPayloads: keySet('idempotency payload', secrets, secrets),
    idempotencyResponses: keySet('idempotency answer', secrets),
    refreshedPairs: keySet('refreshed pair', envelopeKeys),
    webhookSecrets: keySet('webhook secret', envelopeKeys),
    totpSecrets: keySet('one-time code secret', envelopeKeys),
    shareTokens: keySet('share token', envelopeKeys),
    recoveryCodes: keySet('recovery code', envelopeKeys),
    signInAttempts: keySet('sign-in attempt', secrets),
    registrationSalts: keySet('registration salt', secrets),
    signInOrigins: keySet('sign-in origin', secrets),
    rateLimitSubjects: keySet('rate limit subject', secrets),
    logHashes: keySet('log hash', secrets),
    unsubscribing: keySet('unsubscribe token', secrets),
  };
}

/** Maps a key set to another key format. */
export function mapKeys<Key, Made>(set: KeySet<Key>, make: (key: Key) => Made): KeySet<Made> {
  const named = new Map([...set.named].map(([id, key]) => [id, make(key)]));
  const { id, key } = set.current;
  return {
    current: { id, key: named.get(id) ?? make(key) },
    named,
    unnamed: set.unnamed.map((unnamed) => make(unnamed)),
  };
}

/** Returns the keys to try for data that names this key, or none. */
export function candidatesOf<Key>({ named, unnamed }: KeySet<Key>, id: unknown): readonly Key[] {
  if (id === undefined) return unnamed;
  const key = typeof id === 'string' ? named.get(id) : undefined;
  return key === undefined ? [] : [key];
}

/** @param older - keys from before there were purposes, for data without a key id */
function keySet(
  purpose: string,
  masters: readonly Buffer[],
  older: readonly Buffer[] = [],
): KeySet {
  const derived = masters.map((master) => derive(master, purpose));
  const [current] = derived;
  if (!current) throw new Error(`No key for the purpose ${purpose}`);
  return {
    current,
    named: new Map(derived.map(({ id, key }) => [id, key])),
    unnamed: older.map((key) => createSecretKey(key)),
  };
}

/** Key and id are different bytes of one derivation: neither reveals the other. */
function derive(master: Buffer, purpose: string): NamedKey {
  const info = `atelier ${purpose} v1`;
  const bytes = Buffer.from(hkdfSync('sha256', master, '', info, keyBytes + keyIdBytes));
  return {
    id: bytes.subarray(keyBytes).toString('base64url'),
    key: createSecretKey(bytes.subarray(0, keyBytes)),
  };
}
