import { createHmac, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { FastifyBaseLogger } from 'fastify';
import type { Executor } from '../../db/client.ts';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import {
  claimKey,
  findKey,
  releaseKey,
  storeAnswer,
  type HeldKey,
  type KeyName,
} from './queries.ts';

/** For how long a key is remembered, in seconds. */
const keyLifetimeSeconds = 24 * 60 * 60;
/** After which an attempt counts as crashed, in seconds; longer than any request may take. */
const leaseSeconds = 60;

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** An answer down to its bytes. */
export interface FinishedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for an answer without a body. */
  readonly body: string | null;
}

/** A key that the call at hand works under. */
export interface ClaimedKey {
  /**
   * Stores the answer.
   *
   * @param tx - the transaction of the effect; left out, a statement of its own
   * @throws Failure `idempotency_in_flight` (409) when another attempt has taken the key over
   */
  settle(answer: FinishedAnswer, tx?: Executor): Promise<void>;
  /** Never throws: a key that can't be given back is free when its lease ends. */
  release(): Promise<void>;
}

/** The keys that callers have used, shared by all instances. */
export interface IdempotencyKeys {
  /**
   * @param call - its payload: everything that the answer depends on
   * @returns the key, or the answer of the call that used it first
   * @throws Failure `idempotency_in_flight` (409), `idempotency_key_reused` (422)
   */
  claim(call: KeyName & { payload: unknown }): Promise<ClaimedKey | { replay: FinishedAnswer }>;
}

export function createIdempotencyKeys({ db, clock, keys, log }: Deps): IdempotencyKeys {
  const { current, named, unnamed } = keys.idempotencyPayloads;

  return {
    async claim({ payload, ...name }) {
      const now = clock.now();
      const content = `idempotency\0${JSON.stringify(payload)}`;
      const payloadHash = hashOf(content, current.key);
      const held = { ...name, holder: newId() };
      const terms = {
        payloadHash,
        now,
        leasedUntil: new Date(now.getTime() + leaseSeconds * 1000),
        expiresAt: new Date(now.getTime() + keyLifetimeSeconds * 1000),
      };
      if (await claimKey(db, held, terms)) return claimedKey(held, { db, log });

      const known = await findKey(db, name);
      // Given back between the two statements: the other attempt failed just now.
      if (!known) throw inFlight();
      const isSame = [...named.values(), ...unnamed].some((key) =>
        known.payloadHash.equals(hashOf(content, key)),
      );
      if (!isSame) throw new Failure('idempotency_key_reused');
      if (known.status === null) throw inFlight();
      const body = known.body && (await decompress(known.body)).toString();
      return { replay: { status: known.status, headers: known.headers ?? {}, body } };
    },
  };
}

function claimedKey(
  held: HeldKey,
  { db, log }: { db: Executor; log: FastifyBaseLogger },
): ClaimedKey {
  return {
    async settle({ status, headers, body }, tx = db) {
      const stored = { status, headers, body: await compress(body ?? '') };
      if (!(await storeAnswer(tx, held, stored))) throw inFlight();
    },
    async release() {
      await releaseKey(db, held).catch((err: unknown) =>
        log.warn({ err }, 'an idempotency key could not be given back'),
      );
    },
  };
}

function hashOf(content: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(content).digest();
}

function inFlight(): Failure {
  return new Failure('idempotency_in_flight', { headers: { 'retry-after': '1' } });
}
