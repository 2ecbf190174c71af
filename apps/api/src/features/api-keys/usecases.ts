import {
  ApiKey,
  operations,
  scopeDescriptions,
  scopes as allScopes,
  type CreateApiKeyBody,
  type CurrentApiKey,
  type NewApiKey,
} from '@atelier/contract';
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
import {
  assertLifetime,
  assertPersonalKeysAllowed,
  effectiveScopes,
  expiryAfter,
} from '../../domain/account-keys/policy.ts';
import {
  findKey,
  listKeys,
  lockKeyPolicies,
  renameKey,
  revokeKey,
  type KeyRow,
} from '../../domain/account-keys/queries.ts';
import { lockAccount } from '../../domain/account-sessions/queries.ts';
import { recordAccountActivity } from '../../domain/activity.ts';
import { mutate } from '../../domain/transaction.ts';
import type { UserContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { numberedWindowOf, paginationOf } from '../../kernel/pagination.ts';
import { findStandings, findStandingsOfKey, type Standing } from './queries.ts';

const scopeItems = allScopes.map((scope) => ({
  scope,
  description: scopeDescriptions[scope],
  operations: operations
    .filter(({ endpoint }) => endpoint.metadata.keys === scope)
    .map(({ id }): string => id),
}));

/** Manages the keys of the caller's account. */
export function apiKeyUseCases({ db, clock }: Deps) {
  /** Changes of keys wait for each other and for everything that is under way with a key of the account. */
  const occasion = (ctx: UserContext) => ({
    db,
    clock,
    ctx,
    lockFirst: (tx: Transaction) => lockAccount(tx, ctx.user.id),
  });

  /** @throws Failure `not_found` (404) for a key that is not the caller's */
  async function findOwn(tx: Transaction, id: string, ctx: UserContext): Promise<KeyRow> {
    const row = await findKey(tx, { id, userId: ctx.user.id });
    if (!row) throw new Failure('not_found');
    ctx.targets.note('params.id');
    return row;
  }

  /** @throws Failure `not_found` (404) if the user is no active member of each */
  async function findReached(
    tx: Transaction,
    wanted: { userId: string; organizationIds: readonly string[] },
  ): Promise<readonly Standing[]> {
    const reached = await findStandings(tx, wanted);
    if (reached.length < wanted.organizationIds.length) throw new Failure('not_found');
    return reached;
  }

  return {
    async list(request: { page?: number | undefined; limit: number }, ctx: UserContext) {
      const { rows, total } = await listKeys(db, ctx.user.id, numberedWindowOf(request));
      const now = clock.now();
      return {
        items: rows.map((row) => presentKey(row, now)),
        pagination: paginationOf(request, total),
      };
    },

    /**
     * Creates a key of the caller. The body names no account.
     *
     * @throws Failure `not_found` (404) for an organization that the caller is no active member of,
     *   `validation_failed` (400) for what a key policy refuses, `too_many_api_keys` (409)
     */
    async create(body: z.output<typeof CreateApiKeyBody>, ctx: UserContext): Promise<NewApiKey> {
      const userId = ctx.user.id;
      const organizationIds = [...new Set(body.organizationIds)];
      return mutate(occasion(ctx), async (tx, ctx) => {
        const now = clock.now();
        // Locks none that the caller doesn't reach. One may be deleted, or left, before it is locked.
        await findReached(tx, { userId, organizationIds });
        const policies = await lockKeyPolicies(tx, organizationIds);
        const reached = await findReached(tx, { userId, organizationIds });
        ctx.targets.note('body.organizationIds');
        assertPersonalKeysAllowed(body.organizationIds, policies);
        assertLifetime(body.expiresInDays, policies);
        const granted = {
          name: body.name,
          scopes: chosenScopes(body),
          toolMode: body.toolMode,
          organizations: reached.map(({ id, name }) => ({ id, name })),
          expiresAt: expiryAfter(body.expiresInDays, now),
        };
        const made = await makeKey(tx, holderOf(ctx), { granted, now });
        await recordAccountActivity(tx, {
          ...aboutKey(made, ctx, now),
          action: 'api_key.create',
          metadata: { scopes: made.scopes, organizationIds, expiresAt: made.expiresAt },
        });
        return made;
      });
    },

    /** @throws Failure `not_found` (404) for a session */
    async current(ctx: UserContext): Promise<CurrentApiKey> {
      const { credential, user } = ctx;
      if (credential.kind !== 'key') throw new Failure('not_found');
      const [row, standings] = await Promise.all([
        findKey(db, { id: credential.id, userId: user.id }),
        findStandingsOfKey(db, { userId: user.id, apiKeyId: credential.id, now: clock.now() }),
      ]);
      // Erased with its account since the request was authenticated.
      if (!row) throw new Failure('not_found');
      return {
        ...presentKey(row, clock.now()),
        organizations: standings.map(({ id, name, ...standing }) => ({
          id,
          name,
          effectiveScopes: effectiveScopes(row.scopes, standing),
        })),
      };
    },

    /**
     * Renames a key. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412)
     */
    async rename(id: string, name: string, ctx: UserContext): Promise<ApiKey> {
      return mutate(occasion(ctx), async (tx, ctx) => {
        const now = clock.now();
        const current = await findOwn(tx, id, ctx);
        assertUnchanged(ctx, ApiKey, presentKey(current, now));
        if (current.name === name) return presentKey(current, now);
        await renameKey(tx, { id, userId: ctx.user.id }, name);
        const renamed = { ...current, name };
        await recordAccountActivity(tx, {
          ...aboutKey(renamed, ctx, now),
          action: 'api_key.rename',
          changes: [{ field: 'name', from: current.name, to: name }],
        });
        return presentKey(renamed, now);
      });
    },

    /**
     * Replaces a key by a new one that may do the same.
     *
     * @throws Failure `not_found` (404); `api_key_ended` (409) for a key that doesn't work or has a successor;
     *   `too_many_api_keys` (409) when both are to work for a while
     */
    async rotate(id: string, overlapHours: number, ctx: UserContext): Promise<NewApiKey> {
      return mutate(occasion(ctx), async (tx, ctx) => {
        const now = clock.now();
        const current = await findOwn(tx, id, ctx);
        const made = await replaceKey(tx, holderOf(ctx), { current, overlapHours, now });
        await recordAccountActivity(tx, {
          ...aboutKey(current, ctx, now),
          action: 'api_key.rotate',
          metadata: { replacedBy: made.id, overlapHours },
        });
        return made;
      });
    },

    /**
     * Ends a key. No-op when it is revoked already.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412)
     */
    async revoke(id: string, ctx: UserContext): Promise<{ id: string }> {
      return mutate(occasion(ctx), async (tx, ctx) => {
        const now = clock.now();
        const current = await findOwn(tx, id, ctx);
        assertUnchanged(ctx, ApiKey, presentKey(current, now));
        if (current.revokedAt !== null) return { id };
        const key = { id, userId: ctx.user.id };
        await revokeKey(tx, key, { revokedAt: now, revokedBecause: 'OWNER' });
        await recordAccountActivity(tx, {
          ...aboutKey(current, ctx, now),
          action: 'api_key.revoke',
        });
        return { id };
      });
    },

    async scopes() {
      return { items: scopeItems };
    },
  };
}

function holderOf({ user }: UserContext): KeyHolder {
  return { userId: user.id, kind: 'PERSONAL' };
}
