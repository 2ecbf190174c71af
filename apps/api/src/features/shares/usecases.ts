import {
  defaultShareDays,
  maxPinnedAssets,
  maxShares,
  Share,
  type CreateShareBody,
  type SharePolicy,
  type UpdateShareBody,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { aboutResource, recordActivity } from '../../domain/activity.ts';
import { lockOrganization } from '../../domain/plan-limits/queries.ts';
import { enqueuePictures } from '../../domain/shares/pictures.ts';
import { shareTokens } from '../../domain/shares/tokens.ts';
import { mutate } from '../../domain/transaction.ts';
import { changesBetween } from '../../kernel/changes.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { assertMayTouch, assertMayUse } from '../../kernel/permissions.ts';
import { assertAllowed, assertAhead, expiryOf } from './conditions.ts';
import { findPolicy } from './policy/queries.ts';
import { sharePresenter } from './present.ts';
import {
  countOpenShares,
  findShare,
  insertShare,
  lockShare,
  findTarget,
  pinVersions,
  unpinVersions,
  updateShare,
  type ShareKey,
  type ShareRow,
} from './queries.ts';

type Changes = z.output<typeof UpdateShareBody>;

const aboutShare = aboutResource(
  'share',
  ({ label, title }: { readonly label: string | null; readonly title: string | null }) =>
    label ?? title ?? '',
);

/** Creates, changes and ends shares of the selected organization. */
export function shareUseCases({ db, clock, keys, config, passwords }: Deps) {
  const tokens = shareTokens(keys);
  const present = sharePresenter({ tokens, config });

  /**
   * Locks the organization, as everything does that adds shares or changes what they may be.
   *
   * @throws Failure `organization_access_denied` (403) if it was deleted
   */
  async function lockPolicy(tx: Transaction, ctx: MemberContext): Promise<SharePolicy> {
    const organization = await lockOrganization(tx, ctx.organization.id);
    const policy = organization && (await findPolicy(tx, ctx.organization.id));
    if (!policy) throw new Failure('organization_access_denied');
    return policy;
  }

  /** @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412) */
  async function lockForChange(tx: Transaction, id: string, ctx: MemberContext) {
    const current = await lockShare(tx, { organizationId: ctx.organization.id, id }, clock.now());
    if (!current) throw new Failure('not_found');
    assertMayTouch(ctx, 'params.id', current);
    assertUnchanged(ctx, Share, present(current));
    return current;
  }

  /** @throws Failure `too_many_shares` (409) */
  async function assertRoom(tx: Transaction, organizationId: string): Promise<void> {
    const open = await countOpenShares(tx, { organizationId, now: clock.now() });
    if (open >= maxShares) throw new Failure('too_many_shares');
  }

  /** @throws Failure `too_many_pinned_assets` (409) */
  async function pin(tx: Transaction, key: ShareKey, target: Target): Promise<void> {
    const pinned = await pinVersions(tx, key, { ...target, atMost: maxPinnedAssets });
    if (pinned > maxPinnedAssets) throw new Failure('too_many_pinned_assets');
  }

  /** @returns the share as it is now */
  async function presented(tx: Transaction, key: ShareKey): Promise<Share> {
    const row = await findShare(tx, key, clock.now());
    if (!row) throw new Error('a share disappeared under its lock');
    return present(row);
  }

  return {
    /**
     * @throws Failure `not_found` (404) for the target, `share_policy`, `too_many_shares` or `too_many_pinned_assets` (409),
     *   `validation_failed` (400) for an expiry that has passed
     */
    async create(
      { password, ...wanted }: z.output<typeof CreateShareBody>,
      ctx: MemberContext,
    ): Promise<Share> {
      const organizationId = ctx.organization.id;
      const passwordHash = password === undefined ? null : await passwords.hash(password);
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const now = clock.now();
        const policy = await lockPolicy(tx, ctx);
        const { targetType, targetId } = wanted;
        const target = await findTarget(tx, organizationId, { targetType, targetId });
        if (!target) throw new Failure('not_found');
        assertMayUse(ctx, 'body.targetId');
        await assertRoom(tx, organizationId);
        const conditions = {
          expiresAt: expiryOf(wanted.expiresAt, { policy, now, defaultDays: defaultShareDays }),
          allowDownload: wanted.allowDownload,
          passwordHash,
        };
        assertAhead(conditions.expiresAt, now);
        assertAllowed(conditions, policy, now);
        const key = { organizationId, id: newId() };
        const { label = null, watermark = null, maxOpenings = null } = wanted;
        await insertShare(tx, {
          ...wanted,
          ...key,
          ...tokens.issue(key.id),
          ...conditions,
          label,
          watermark,
          maxOpenings,
          revision: 1,
          createdBy: ctx.user.id,
          createdAt: now,
          updatedAt: now,
        });
        if (wanted.versions === 'PINNED') await pin(tx, key, { targetType, targetId });
        await enqueuePictures(tx, key);
        await recordActivity(tx, {
          ...aboutShare({ id: key.id, label, title: target.title }, ctx, now),
          action: 'share.create',
          metadata: { targetType, targetId },
        });
        return presented(tx, key);
      });
    },

    /**
     * Changes the conditions of a share. No-op when unchanged. Another password ends the visits by the former one.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412), `share_revoked`,
     *   `share_policy`, `too_many_shares` or `too_many_pinned_assets` (409)
     */
    async update(id: string, { password, ...wanted }: Changes, ctx: MemberContext): Promise<Share> {
      const key = { organizationId: ctx.organization.id, id };
      const newHash = password ? await passwords.hash(password) : null;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const policy = await lockPolicy(tx, ctx);
        const current = await lockForChange(tx, id, ctx);
        if (current.revokedAt !== null) throw new Failure('share_revoked');
        const now = clock.now();
        const before = conditionsOf(current);
        const after = {
          ...before,
          ...given(wanted),
          ...(password !== undefined && { passwordHash: newHash }),
        };
        const changes = changesBetween(shown(before), shown(after));
        // Each hash is another one, also of the same password.
        const isPasswordChanged = after.passwordHash !== before.passwordHash;
        if (changes.length === 0 && !isPasswordChanged) return present(current);
        const isMoved = after.expiresAt?.getTime() !== before.expiresAt?.getTime();
        if (isMoved) assertAhead(after.expiresAt, now);
        if (isMoved && hasExpired(current, now)) await assertRoom(tx, key.organizationId);
        assertAllowed(after, policy, now);
        await updateShare(tx, key, {
          ...after,
          updatedAt: now,
          ...(isPasswordChanged && {
            revision: current.revision + 1,
            guessingNoticedAt: null,
          }),
        });
        if (after.versions !== before.versions) {
          await (after.versions === 'PINNED' ? pin(tx, key, current) : unpinVersions(tx, key));
        }
        await enqueuePictures(tx, key);
        await recordActivity(tx, {
          ...aboutShare({ ...current, ...after }, ctx, now),
          action: 'share.update',
          changes,
          metadata: { isPasswordChanged },
        });
        return presented(tx, key);
      });
    },

    /** @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412) */
    async remove(id: string, ctx: MemberContext): Promise<{ id: string }> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, id, ctx);
        // It has ended before, and is told of as it was then.
        if (current.revokedAt !== null) throw new Failure('not_found');
        const now = clock.now();
        const key = { organizationId: ctx.organization.id, id };
        await updateShare(tx, key, { revokedAt: now, updatedAt: now });
        await recordActivity(tx, { ...aboutShare(current, ctx, now), action: 'share.revoke' });
        return { id };
      });
    },

    /**
     * Replaces the link, which ends the visits by the former one.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `share_revoked` (409)
     */
    async rotate(id: string, ctx: MemberContext): Promise<Share> {
      const key = { organizationId: ctx.organization.id, id };
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, id, ctx);
        if (current.revokedAt !== null) throw new Failure('share_revoked');
        const now = clock.now();
        const revision = current.revision + 1;
        await updateShare(tx, key, {
          ...tokens.issue(id),
          revision,
          guessingNoticedAt: null,
          updatedAt: now,
        });
        await recordActivity(tx, { ...aboutShare(current, ctx, now), action: 'share.rotate' });
        return presented(tx, key);
      });
    },
  };
}

type Target = Pick<ShareRow, 'targetType' | 'targetId'>;

function hasExpired({ expiresAt }: ShareRow, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function conditionsOf(row: ShareRow) {
  const { label, passwordHash, expiresAt, allowDownload, allowComments } = row;
  const { versions, watermark, maxOpenings } = row;
  return {
    label,
    passwordHash,
    expiresAt,
    allowDownload,
    allowComments,
    versions,
    watermark,
    maxOpenings,
  };
}

type Conditions = ReturnType<typeof conditionsOf>;

/** The fields that the body names. */
function given({ expiresAt, ...rest }: Omit<Changes, 'password'>): Partial<Conditions> {
  const named = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(named) as Partial<Conditions>),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  };
}

/** As activities show it: without the password. */
function shown({ passwordHash, expiresAt, ...rest }: Conditions) {
  return {
    ...rest,
    hasPassword: passwordHash !== null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
