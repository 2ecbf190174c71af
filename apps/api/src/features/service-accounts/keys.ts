import { ApiKey, type CreateServiceKeyBody, type NewApiKey } from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import {
  aboutKey,
  chosenScopes,
  makeKey,
  presentKey,
  replaceKey,
  type KeyHolder,
} from '../../domain/account-keys/keys.ts';
import { assertLifetime, expiryAfter } from '../../domain/account-keys/policy.ts';
import {
  findKey,
  listKeys,
  lockKeyPolicies,
  revokeKey,
  type KeyRow,
} from '../../domain/account-keys/queries.ts';
import { recordActivity } from '../../domain/activity.ts';
import { mutate } from '../../domain/transaction.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { numberedWindowOf, paginationOf, type PageRequest } from '../../kernel/pagination.ts';
import { assertMayUse } from '../../kernel/permissions.ts';
import { accountLock, findOwnAccount } from './own-account.ts';

/** The ids of a request. */
interface KeyPath {
  readonly accountId: string;
  readonly keyId: string;
}

/** Manages the keys of service accounts. */
export function serviceKeyUseCases({ db, clock }: Deps) {
  /** Changes of keys wait for each other and for everything that is under way with a key of the account. */
  const occasion = (accountId: string, { ctx, now }: { ctx: MemberContext; now: Date }) => ({
    db,
    clock,
    ctx,
    lockFirst: accountLock(accountId, { ctx, now }),
  });

  /** @throws Failure `not_found` (404) */
  async function assertOwn(
    tx: Transaction,
    accountId: string,
    at: { ctx: MemberContext; now: Date },
  ): Promise<void> {
    await findOwnAccount(tx, accountId, at);
    assertMayUse(at.ctx, 'params.accountId');
  }

  /** @throws Failure `not_found` (404) */
  async function findOwnKey(
    tx: Transaction,
    { accountId, keyId }: KeyPath,
    at: { ctx: MemberContext; now: Date },
  ): Promise<KeyRow> {
    await assertOwn(tx, accountId, at);
    const row = await findKey(tx, { id: keyId, userId: accountId });
    if (!row) throw new Failure('not_found');
    assertMayUse(at.ctx, 'params.keyId');
    return row;
  }

  return {
    /** @throws Failure `not_found` (404) */
    async list(accountId: string, request: PageRequest, ctx: MemberContext) {
      const now = clock.now();
      await findOwnAccount(db, accountId, { ctx, now });
      const { rows, total } = await listKeys(db, accountId, numberedWindowOf(request));
      return {
        items: rows.map((row) => presentKey(row, now)),
        pagination: paginationOf(request, total),
      };
    },

    /**
     * Creates a key of the account that the path names.
     *
     * @throws Failure `not_found` (404), `too_many_api_keys` (409), `validation_failed` (400) for a longer life than the
     *   key policy allows
     */
    async create(
      accountId: string,
      body: z.output<typeof CreateServiceKeyBody>,
      ctx: MemberContext,
    ): Promise<NewApiKey> {
      const now = clock.now();
      return mutate(occasion(accountId, { ctx, now }), async (tx, ctx) => {
        await assertOwn(tx, accountId, { ctx, now });
        const policies = await lockKeyPolicies(tx, [ctx.organization.id]);
        assertLifetime(body.expiresInDays, policies);
        const granted = {
          name: body.name,
          scopes: chosenScopes(body),
          toolMode: body.toolMode,
          organizations: policies.map(({ id, name }) => ({ id, name })),
          expiresAt: expiryAfter(body.expiresInDays, now),
        };
        const made = await makeKey(tx, holderOf(accountId), { granted, now });
        await recordActivity(tx, {
          ...aboutKey(made, ctx, now),
          organizationId: ctx.organization.id,
          action: 'api_key.create',
          metadata: { serviceAccountId: accountId, scopes: made.scopes, expiresAt: made.expiresAt },
        });
        return made;
      });
    },

    /**
     * Replaces a key by a new one that may do the same.
     *
     * @throws Failure `not_found` (404); `api_key_ended`, `too_many_api_keys` (409)
     */
    async rotate(path: KeyPath, overlapHours: number, ctx: MemberContext): Promise<NewApiKey> {
      const now = clock.now();
      return mutate(occasion(path.accountId, { ctx, now }), async (tx, ctx) => {
        const current = await findOwnKey(tx, path, { ctx, now });
        const holder = holderOf(path.accountId);
        const made = await replaceKey(tx, holder, { current, overlapHours, now });
        await recordActivity(tx, {
          ...aboutKey(current, ctx, now),
          organizationId: ctx.organization.id,
          action: 'api_key.rotate',
          metadata: { serviceAccountId: path.accountId, replacedBy: made.id, overlapHours },
        });
        return made;
      });
    },

    /**
     * Ends a key. No-op when it is revoked already.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412)
     */
    async revoke(path: KeyPath, ctx: MemberContext): Promise<{ id: string }> {
      const now = clock.now();
      return mutate(occasion(path.accountId, { ctx, now }), async (tx, ctx) => {
        const current = await findOwnKey(tx, path, { ctx, now });
        assertUnchanged(ctx, ApiKey, presentKey(current, now));
        const id = current.id;
        if (current.revokedAt !== null) return { id };
        const key = { id, userId: path.accountId };
        await revokeKey(tx, key, { revokedAt: now, revokedBecause: 'OWNER' });
        await recordActivity(tx, {
          ...aboutKey(current, ctx, now),
          organizationId: ctx.organization.id,
          action: 'api_key.revoke',
          metadata: { serviceAccountId: path.accountId },
        });
        return { id };
      });
    },
  };
}

function holderOf(accountId: string): KeyHolder {
  return { userId: accountId, kind: 'SERVICE' };
}
