import { KeyPolicy, MemberApiKey, type UpdateKeyPolicyBody } from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { aboutKey } from '../../../domain/account-keys/keys.ts';
import { statusOf } from '../../../domain/account-keys/policy.ts';
import { aboutOrganization, recordActivity } from '../../../domain/activity.ts';
import {
  lockMemberChanges,
  lockMemberExclusively,
  lockOrganizationExclusively,
  lockOrganizationRow,
} from '../../../domain/authority/queries.ts';
import { enqueueJob } from '../../../domain/job-queue.ts';
import { displayNameOf } from '../../../domain/person-view/present-user.ts';
import { lockOrganization } from '../../../domain/plan-limits/queries.ts';
import { mutate } from '../../../domain/transaction.ts';
import { changesBetween } from '../../../kernel/changes.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assertUnchanged } from '../../../kernel/etag.ts';
import { numberedWindowOf, paginationOf, type PageRequest } from '../../../kernel/pagination.ts';
import { assertMayUse } from '../../../kernel/permissions.ts';
import {
  findMemberKey,
  findPolicy,
  listMemberKeys,
  removeOrganization,
  updatePolicy,
  type MemberKeyRow,
} from './queries.ts';

/** Decides which API keys reach an organization. */
export function organizationKeyUseCases({ db, clock }: Deps) {
  /** What follows waits for everything that is under way in the organization, or of a member. */
  const occasion = (ctx: MemberContext) => ({
    db,
    clock,
    ctx,
    lockFirst: (tx: Transaction) => lockMemberChanges(tx, ctx.organization.id),
  });

  return {
    /** Lists the personal keys of members. */
    async list(request: PageRequest, ctx: MemberContext) {
      const now = clock.now();
      const { rows, total } = await listMemberKeys(
        db,
        { organizationId: ctx.organization.id, now },
        numberedWindowOf(request),
      );
      return {
        items: rows.map((row) => present(row, now)),
        pagination: paginationOf(request, total),
      };
    },

    /**
     * Takes the organization from a personal key, and has its owner mailed.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412)
     */
    async exclude(id: string, ctx: MemberContext): Promise<{ id: string }> {
      const organizationId = ctx.organization.id;
      return mutate(occasion(ctx), async (tx, ctx) => {
        const now = clock.now();
        const found = await findMemberKey(tx, id, { organizationId, now });
        if (!found) throw new Failure('not_found');
        assertMayUse(ctx, 'params.keyId');
        await lockMemberExclusively(tx, { organizationId, id: found.membershipId });
        // A successor of the key is made under this lock.
        await lockOrganizationRow(tx, organizationId);
        const key = await findMemberKey(tx, id, { organizationId, now });
        // With a successor, it isn't what was to be excluded any more.
        if (key?.replacedBy !== found.replacedBy) throw new Failure('not_found');
        assertUnchanged(ctx, MemberApiKey, present(key, now));
        await removeOrganization(tx, { organizationId, id, ownerId: key.owner.id });
        await recordActivity(tx, {
          ...aboutKey(key, ctx, now),
          organizationId,
          action: 'api_key.exclude',
          metadata: { userId: key.owner.id },
        });
        await enqueueJob(tx, 'send_api_key_notice', {
          apiKeyId: id,
          notice: 'EXCLUDED',
          organizationId,
        });
        return { id };
      });
    },

    /** @throws Failure `not_found` (404) */
    async policy(ctx: MemberContext): Promise<KeyPolicy> {
      const policy = await findPolicy(db, ctx.organization.id);
      if (!policy) throw new Failure('not_found');
      return policy;
    },

    /**
     * Changes which keys the organization accepts. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412), `personal_organization` (409)
     */
    async updatePolicy(
      wanted: z.output<typeof UpdateKeyPolicyBody>,
      ctx: MemberContext,
    ): Promise<KeyPolicy> {
      const organizationId = ctx.organization.id;
      return mutate(occasion(ctx), async (tx, ctx) => {
        await lockOrganizationExclusively(tx, organizationId);
        const organization = await lockOrganization(tx, organizationId);
        const current = organization && (await findPolicy(tx, organizationId));
        if (!current) throw new Failure('not_found');
        assertUnchanged(ctx, KeyPolicy, current);
        const { personalKeys = current.personalKeys, maxLifetimeDays = current.maxLifetimeDays } =
          wanted;
        const policy = { personalKeys, maxLifetimeDays };
        const changes = changesBetween(current, policy);
        if (changes.length === 0) return current;
        if (organization.type === 'PERSONAL') throw new Failure('personal_organization');
        await updatePolicy(tx, organizationId, policy);
        await recordActivity(tx, {
          ...aboutOrganization(organization, ctx, clock.now()),
          action: 'organization.update',
          changes,
        });
        return policy;
      });
    },
  };
}

function present(
  { owner, membershipId: _, replacedBy: _successor, revokedAt, ...row }: MemberKeyRow,
  now: Date,
) {
  return {
    ...row,
    owner: { id: owner.id, displayName: displayNameOf(owner), email: owner.email },
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    status: statusOf({ expiresAt: row.expiresAt, revokedAt }, now),
  } satisfies MemberApiKey;
}
