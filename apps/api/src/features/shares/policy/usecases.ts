import { SharePolicy, type UpdateSharePolicyBody } from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { aboutOrganization, recordActivity } from '../../../domain/activity.ts';
import { lockOrganization } from '../../../domain/plan-limits/queries.ts';
import { mutate } from '../../../domain/transaction.ts';
import { changesBetween } from '../../../kernel/changes.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assertUnchanged } from '../../../kernel/etag.ts';
import { lastExpiry } from '../conditions.ts';
import { endDownloads, endShares, findPolicy, shortenShares, updatePolicy } from './queries.ts';

/** Decides which shares an organization allows. */
export function sharePolicyUseCases({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  /** Ends, shortens and limits what the policy no longer allows. */
  async function enforce(tx: Transaction, policy: SharePolicy, at: At) {
    if (!policy.allowed) return { endedCount: await endShares(tx, at, 'all') };
    const endedCount = policy.requirePassword ? await endShares(tx, at, 'without password') : 0;
    const until = policy.maxDays === null ? null : lastExpiry(policy.maxDays, at.now);
    const shortenedCount = until ? await shortenShares(tx, at, until) : 0;
    const downloadOffCount = policy.allowDownload ? 0 : await endDownloads(tx, at);
    return { endedCount, shortenedCount, downloadOffCount };
  }

  return {
    /** @throws Failure `not_found` (404) */
    async policy(ctx: MemberContext): Promise<SharePolicy> {
      const policy = await findPolicy(db, ctx.organization.id);
      if (!policy) throw new Failure('not_found');
      return policy;
    },

    /**
     * Changes which shares the organization allows, and existing ones with it. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412)
     */
    async updatePolicy(
      wanted: z.output<typeof UpdateSharePolicyBody>,
      ctx: MemberContext,
    ): Promise<SharePolicy> {
      const organizationId = ctx.organization.id;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        // Shares are made and changed under the same lock.
        const organization = await lockOrganization(tx, organizationId);
        const current = organization && (await findPolicy(tx, organizationId));
        if (!current) throw new Failure('not_found');
        assertUnchanged(ctx, SharePolicy, current);
        const {
          allowed = current.allowed,
          requirePassword = current.requirePassword,
          maxDays = current.maxDays,
          allowDownload = current.allowDownload,
        } = wanted;
        const policy = { allowed, requirePassword, maxDays, allowDownload };
        const changes = changesBetween(current, policy);
        if (changes.length === 0) return current;
        const now = clock.now();
        await updatePolicy(tx, organizationId, policy);
        await recordActivity(tx, {
          ...aboutOrganization(organization, ctx, now),
          action: 'organization.change_share_policy',
          changes,
          metadata: await enforce(tx, policy, { organizationId, now }),
        });
        return policy;
      });
    },
  };
}

interface At {
  readonly organizationId: string;
  readonly now: Date;
}
