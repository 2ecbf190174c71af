import { createHmac, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { FastifyBaseLogger } from 'fastify';
import type { Executor } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { createSeal, type Seal } from '../../kernel/seal.ts';
import {
  adoptResponse,
  claimKey,
  findKey,
  releaseKey,
  storeResponse,
  type HeldKey,
  type KeyName,
} from './queries.ts';
import { createKeyLeases, type KeyLeases } from './leases.ts';
import { createUnreleasedKeys, type UnreleasedKeys } from './unreleased.ts';

/** How long a key is remembered, in seconds. */
const keyLifetimeSeconds = 24 * 60 * 60;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** A serialized response. */
export interface SerializedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a response without a body. */
  readonly body: string | null;
}

/** The key of the current request. */
export interface ClaimedKey {
  readonly claimedAt: Date;
  /**
   * Stores the response.
   *
   * @param usableUntil - when it becomes useless; null: the key is remembered for its full time
   * @param tx - the transaction of the effect; if omitted, it uses its own statement
   * @throws Failure `idempotency_in_flight` (409) when another attempt has taken the key over
   */
  settle(response: SerializedResponse, usableUntil: Date | null, tx?: Executor): Promise<void>;
  /** Keeps the key from other attempts until the work settles. */
  during<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Never throws: a key that can't be released now is as soon as the database responds, or when its lease ends. */
  release(): Promise<void>;
}

/** The used idempotency keys, shared by all instances. */
export interface IdempotencyKeys {
  /**
   * @param call - its payload: everything that the response depends on; the organization that the request is about
   * @returns the key, or the response of the first request that used it
   * @throws Failure `idempotency_in_flight` (409), `idempotency_key_reused` (422)
   */
  claim(
    call: KeyName & { payload: unknown; organizationId: string | null },
  ): Promise<ClaimedKey | { replay: SerializedResponse }>;
}

export function createIdempotencyKeys({ db, clock, keys, log }: Deps): IdempotencyKeys {
  const { current, named, unnamed } = keys.idempotencyPayloads;
  const responses = createSeal(keys.idempotencyResponses);
  const leases = createKeyLeases({ db, clock, log });
  const unreleased = createUnreleasedKeys({ db, clock, log });

  return {
    async claim({ payload, organizationId, ...name }) {
      const now = clock.now();
      const content = `idempotency\0${JSON.stringify(payload)}`;
      const payloadHash = hashOf(content, current.key);
      const held = { ...name, holder: newId() };
      const terms = {
        organizationId,
        payloadHash,
        now,
        leasedUntil: leases.end(),
        expiresAt: new Date(now.getTime() + keyLifetimeSeconds * 1000),
      };
      // Before the claim: the background may release it at the same time, and then a failed claim could not tell why.
      await unreleased.releaseNow(name);
      if (await claimOrNote({ held, db, terms, leases, unreleased })) {
        return claimedKey(held, { db, log, responses, terms, leases, unreleased });
      }
      const known = await findKey(db, name);
      // Released between the two statements: the other attempt has just failed.
      if (!known) throw inFlight();
      const isSame = [...named.values(), ...unnamed].some((key) =>
        known.payloadHash.equals(hashOf(content, key)),
      );
      if (!isSame) throw new Failure('idempotency_key_reused');
      if (known.status === null) throw inFlight();
      const body = known.body && (await openedBody(responses, known.body, name));
      return { replay: { status: known.status, headers: known.headers ?? {}, body } };
    },
  };
}

interface KeyParts {
  readonly db: Executor;
  readonly log: FastifyBaseLogger;
  readonly responses: Seal;
  readonly leases: KeyLeases;
  readonly unreleased: UnreleasedKeys;
  readonly terms: Parameters<typeof claimKey>[2];
}

/** @returns whether this attempt now holds the key, and no earlier one has committed */
async function claimOrNote({
  held,
  db,
  terms,
  leases,
  unreleased,
}: {
  held: HeldKey;
  db: Executor;
  terms: Parameters<typeof claimKey>[2];
  leases: KeyLeases;
  unreleased: UnreleasedKeys;
}): Promise<boolean> {
  try {
    const claim = await claimKey(db, held, terms);
    if (claim === 'committed') await adoptResponse(db, held, terms.organizationId);
    return claim === 'held';
  } catch (error) {
    // Only the response may be lost.
    unreleased.add(held, leases.end());
    throw error;
  }
}

function claimedKey(
  held: HeldKey,
  { db, log, responses, terms, leases, unreleased }: KeyParts,
): ClaimedKey {
  return {
    claimedAt: terms.now,
    async settle({ status, headers, body }, usableUntil, tx) {
      const sealed = responses.seal(await compress(body ?? ''), contextOf(held));
      const isShort = usableUntil !== null && usableUntil < terms.expiresAt;
      const expiresAt = isShort ? usableUntil : terms.expiresAt;
      const organizationId = tx ? terms.organizationId : null;
      const stored = { organizationId, now: terms.now, status, headers, body: sealed, expiresAt };
      if (!(await storeResponse(tx ?? db, held, stored))) throw inFlight();
    },
    during: (work) => leases.during(held, work),
    async release() {
      await releaseKey(db, held).catch((err: unknown) => {
        log.warn({ err }, 'an idempotency key could not be given back yet');
        unreleased.add(held, leases.end());
      });
    },
  };
}

/** Binds a stored response to its own key: it can't be opened under another one. */
function contextOf({ scope, operation, key }: KeyName): string {
  return JSON.stringify([scope, operation, key]);
}

/** The magic bytes of a zstd frame. */
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** @throws Failure `idempotency_key_reused` (422) if no current key opens it: it can't be replayed */
async function openedBody(responses: Seal, body: Buffer, name: KeyName): Promise<string> {
  // Before 0062 responses were not sealed; the last of those have expired by the release after it.
  const isOlder = body.subarray(0, zstdMagic.length).equals(zstdMagic);
  const opened = responses.open(body, contextOf(name)) ?? (isOlder ? body : null);
  if (!opened) throw new Failure('idempotency_key_reused');
  return (await decompress(opened)).toString();
}

function hashOf(content: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(content).digest();
}

function inFlight(): Failure {
  return new Failure('idempotency_in_flight', { headers: { 'retry-after': '1' } });
}
