import type { FastifyBaseLogger } from 'fastify';
import type { Database, Executor } from '../../db/executor.ts';
import { KeyTaken } from '../../kernel/claim.ts';
import { Failure } from '../../kernel/errors.ts';
import type { KeyLeases } from './leases.ts';
import {
  claimWithin,
  recordResponse,
  releaseKey,
  storeResponse,
  type ClaimTerms,
  type HeldKey,
} from './queries.ts';
import type { SealedBodies } from './sealed-bodies.ts';
import type { UnreleasedKeys } from './unreleased.ts';

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
   * Claims the key for a transaction, unless it was before.
   *
   * @throws KeyTaken, and the transaction is over
   */
  take(tx: Executor): Promise<void>;
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

/** What keys are claimed with. */
export interface KeyParts {
  readonly db: Database;
  readonly log: FastifyBaseLogger;
  readonly bodies: SealedBodies;
  readonly leases: KeyLeases;
  readonly unreleased: UnreleasedKeys;
}

/** A key that has been claimed before the handler: others see that it is. */
export function keyClaimedBefore(
  held: HeldKey,
  terms: ClaimTerms,
  { db, log, bodies, leases, unreleased }: KeyParts,
): ClaimedKey {
  return {
    claimedAt: terms.now,
    take: async () => {},
    async settle(response, usableUntil, tx) {
      const stored = await sealed(response, usableUntil, { held, terms, bodies });
      const organizationId = tx ? terms.organizationId : null;
      if (!(await storeResponse(tx ?? db, held, { ...stored, organizationId }))) throw inFlight();
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

/** A key that the transaction of the change claims: the claim ends with it, so that nothing is renewed or released. */
export function keyClaimedWithin(
  held: HeldKey,
  terms: ClaimTerms,
  { db, bodies }: KeyParts,
): ClaimedKey {
  const { now, payloadHash } = terms;
  return {
    claimedAt: now,
    async take(tx) {
      if (!(await claimWithin(tx, { ...held, now }))) throw new KeyTaken();
    },
    async settle(response, usableUntil, tx) {
      const stored = await sealed(response, usableUntil, { held, terms, bodies });
      if (!(await recordResponse(tx ?? db, held, { ...stored, payloadHash }))) throw inFlight();
    },
    during: (work) => work(),
    release: async () => {},
  };
}

async function sealed(
  response: SerializedResponse,
  usableUntil: Date | null,
  {
    held,
    terms: { now, expiresAt },
    bodies,
  }: { held: HeldKey; terms: ClaimTerms; bodies: SealedBodies },
) {
  const body = await bodies.seal(response.body ?? '', held);
  const isShort = usableUntil !== null && usableUntil < expiresAt;
  return { ...response, body, now, expiresAt: isShort ? usableUntil : expiresAt };
}

export function inFlight(): Failure {
  return new Failure('idempotency_in_flight', { headers: { 'retry-after': '1' } });
}
