import {
  maxApiKeys,
  maxServiceAccountKeys,
  scopePresets,
  scopes as allScopes,
  type ApiKey,
  type NewApiKey,
  type Scope,
} from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import { issueApiKey, type IssuedKey } from '../../kernel/api-keys.ts';
import { apiKeyOf, type CallerContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { endOfOverlap, expiryOfSuccessor, noticesBefore, statusOf } from './policy.ts';
import {
  countLiveKeys,
  endKeyAt,
  findKey,
  insertKey,
  isReplaced,
  lockKeyPolicies,
  revokeKey,
  type KeyRow,
  type OwnKey,
} from './queries.ts';

/** An account that keys act as. */
export interface KeyHolder {
  readonly userId: string;
  readonly kind: KeyRow['kind'];
}

const maxKeys: Readonly<Record<KeyRow['kind'], number>> = {
  PERSONAL: maxApiKeys,
  SERVICE: maxServiceAccountKeys,
};

/** Returns the scopes of a new key. A permission of a later release widens none that was made from a preset. */
export function chosenScopes(body: {
  readonly scopes?: readonly Scope[] | undefined;
  readonly preset?: keyof typeof scopePresets | undefined;
}): Scope[] {
  const wanted = new Set(body.preset ? scopePresets[body.preset] : body.scopes);
  return allScopes.filter((scope) => wanted.has(scope));
}

/** @throws Failure `too_many_api_keys` (409) */
async function assertBelowLimit(
  tx: Transaction,
  { userId, kind }: KeyHolder,
  now: Date,
): Promise<void> {
  if ((await countLiveKeys(tx, userId, now)) >= maxKeys[kind]) {
    throw new Failure('too_many_api_keys');
  }
}

type Granted = Pick<KeyRow, 'name' | 'scopes' | 'toolMode' | 'organizations' | 'expiresAt'>;

/**
 * Makes a key. The caller locks the account.
 *
 * @throws Failure `too_many_api_keys` (409)
 */
export async function makeKey(
  tx: Transaction,
  holder: KeyHolder,
  { granted, now }: { granted: Granted; now: Date },
): Promise<NewApiKey> {
  await assertBelowLimit(tx, holder, now);
  return store(tx, holder, { granted, now });
}

/**
 * Replaces a key by a new one that may do the same. The caller locks the account.
 *
 * @throws Failure `api_key_ended` (409) for a key that doesn't work or has a successor; `too_many_api_keys` (409) when
 *   both are to work for a while
 */
export async function replaceKey(
  tx: Transaction,
  holder: KeyHolder,
  { current, overlapHours, now }: { current: KeyRow; overlapHours: number; now: Date },
): Promise<NewApiKey> {
  const key = { id: current.id, userId: holder.userId };
  const locked = await lockKeyPolicies(
    tx,
    current.organizations.map(({ id }) => id),
  );
  // An organization may have excluded the key before it was locked.
  const organizations = await organizationsOf(tx, key);
  const policies = locked.filter(({ id }) => organizations.some((one) => one.id === id));
  const status = statusOf(current, now);
  const hasEnded = status === 'REVOKED' || status === 'EXPIRED';
  // One that reaches nothing any more has nothing to pass on.
  const isUseless = hasEnded || organizations.length === 0;
  if (isUseless || (await isReplaced(tx, key))) throw new Failure('api_key_ended');
  if (overlapHours > 0) await assertBelowLimit(tx, holder, now);
  const expiresAt = expiryOfSuccessor(current, { policies, now });
  const granted = { ...current, organizations, expiresAt };
  const made = await store(tx, holder, { granted, now });
  const replacedBy = made.id;
  if (overlapHours === 0) {
    await revokeKey(tx, key, { revokedAt: now, revokedBecause: 'OWNER', replacedBy });
  } else {
    const end = endOfOverlap(current, overlapHours, now);
    await endKeyAt(tx, key, { expiresAt: end, replacedBy });
  }
  return made;
}

async function organizationsOf(tx: Transaction, key: OwnKey): Promise<KeyRow['organizations']> {
  return (await findKey(tx, key))?.organizations ?? [];
}

async function store(
  tx: Transaction,
  { userId, kind }: KeyHolder,
  { granted, now }: { granted: Granted; now: Date },
): Promise<NewApiKey> {
  const issued = issueApiKey(kind);
  const row = newRow(issued, { ...granted, kind, createdAt: now });
  const { organizations, ...columns } = row;
  const expiryNotices = noticesBefore(row.expiresAt, now);
  await insertKey(
    tx,
    { ...columns, userId, keyHash: issued.keyHash, expiryNotices },
    organizations.map(({ id }) => id),
  );
  return { ...presentKey(row, now), key: issued.key };
}

function newRow(
  { prefix, lastFour }: IssuedKey,
  key: Granted & Pick<KeyRow, 'kind' | 'createdAt'>,
): KeyRow {
  const { name, kind, scopes, toolMode, organizations, createdAt, expiresAt } = key;
  return {
    id: newId(),
    name,
    kind,
    prefix,
    lastFour,
    scopes,
    toolMode,
    organizations,
    createdAt,
    expiresAt,
    lastUsedAt: null,
    lastUsedIp: null,
    revokedAt: null,
  };
}

/** Returns the fields that every activity of a key has in common. */
export function aboutKey(
  { id, name }: Pick<KeyRow, 'id' | 'name'>,
  ctx: Pick<CallerContext, 'user' | 'credential' | 'requestId'>,
  at: Date,
) {
  return {
    actorId: ctx.user.id,
    resourceType: 'api_key',
    resourceId: id,
    resourceName: name,
    apiKeyId: apiKeyOf(ctx),
    requestId: ctx.requestId,
    at,
  } as const;
}

/** Presents a key as in the contract, without its secret. */
export function presentKey({ createdAt, ...row }: KeyRow, now: Date): ApiKey {
  const { expiresAt, lastUsedAt, revokedAt } = row;
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    status: statusOf(row, now),
  };
}
