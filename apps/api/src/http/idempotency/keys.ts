import { createHmac, type KeyObject } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import {
  inFlight,
  keyClaimedBefore,
  keyClaimedWithin,
  type ClaimedKey,
  type SerializedResponse,
} from './claimed-keys.ts';
import { createKeyLeases } from './leases.ts';
import {
  adoptResponse,
  claimKey,
  findKey,
  type ClaimTerms,
  type HeldKey,
  type KeyName,
} from './queries.ts';
import { createSealedBodies } from './sealed-bodies.ts';
import { createUnreleasedKeys } from './unreleased.ts';

/** How long a key is remembered, in seconds. */
const keyLifetimeSeconds = 24 * 60 * 60;

/** How a request uses a key. */
interface KeyedRequest extends KeyName {
  /** Everything that the response depends on. */
  readonly payload: unknown;
  /** What the request is about; null if only its handler knows, or there is none. */
  readonly organizationId: string | null;
}

/** The used idempotency keys, shared by all instances. */
export interface IdempotencyKeys {
  /**
   * Claims a key before the handler.
   *
   * @returns the key, or the response of the first request that used it
   * @throws Failure `idempotency_in_flight` (409), `idempotency_key_reused` (422)
   */
  claim(request: KeyedRequest): Promise<ClaimedKey | { replay: SerializedResponse }>;
  /**
   * Leaves the claim to the transaction of the change, for a handler that does nothing outside of it. A distributed database
   * claims before.
   *
   * @see docs/decisions/0117-claims-within-changes.md
   */
  claimWithin(request: KeyedRequest): Promise<ClaimedKey | { replay: SerializedResponse }>;
  /**
   * @returns the response of the request that has taken a key
   * @throws Failure as {@link claim} does
   */
  replay(request: KeyedRequest): Promise<SerializedResponse>;
}

export function createIdempotencyKeys({
  db,
  clock,
  keys,
  log,
  isDistributed,
}: Deps): IdempotencyKeys {
  const { current, named, unnamed } = keys.idempotencyPayloads;
  const bodies = createSealedBodies(keys.idempotencyResponses);
  const leases = createKeyLeases({ db, clock, log });
  const unreleased = createUnreleasedKeys({ db, clock, log });
  const parts = { db, log, bodies, leases, unreleased };

  function attempt({ organizationId, payload, ...name }: KeyedRequest) {
    const now = clock.now();
    const terms: ClaimTerms = {
      organizationId,
      payloadHash: hashOf(contentOf(payload), current.key),
      now,
      leasedUntil: leases.end(),
      expiresAt: new Date(now.getTime() + keyLifetimeSeconds * 1000),
    };
    return { held: { ...name, holder: newId() }, terms };
  }

  /** @returns whether this attempt now holds the key, and no earlier one has committed */
  async function claimOrNote(held: HeldKey, terms: ClaimTerms): Promise<boolean> {
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

  async function claim(request: KeyedRequest) {
    const { held, terms } = attempt(request);
    // Before the claim: the background may release it at the same time, and then a failed claim could not tell why.
    await unreleased.releaseNow(held);
    if (await claimOrNote(held, terms)) return keyClaimedBefore(held, terms, parts);
    return { replay: await replay(request) };
  }

  async function replay({
    payload,
    scope,
    operation,
    key,
  }: KeyedRequest): Promise<SerializedResponse> {
    const name = { scope, operation, key };
    const known = await findKey(db, { ...name, now: clock.now() });
    // Just released by an attempt that failed, or its transaction is under way.
    if (!known) throw inFlight();
    const content = contentOf(payload);
    const isSame = [...named.values(), ...unnamed].some((secret) =>
      known.payloadHash.equals(hashOf(content, secret)),
    );
    if (!isSame) throw new Failure('idempotency_key_reused');
    if (known.status === null) throw inFlight();
    const body = known.body && (await bodies.open(known.body, name));
    return { status: known.status, headers: known.headers ?? {}, body };
  }

  return {
    claim,
    async claimWithin(use) {
      if (await isDistributed()) return claim(use);
      const { held, terms } = attempt(use);
      return keyClaimedWithin(held, terms, parts);
    },
    replay,
  };
}

function contentOf(payload: unknown): string {
  return `idempotency\0${JSON.stringify(payload)}`;
}

function hashOf(content: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
