import { Asset, type ReviewBody } from '@atelier/contract';
import type { z } from 'zod';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import { lockAndFindAsset } from '../../../domain/asset-locks/queries.ts';
import { presentAsset } from '../../../domain/asset-view/present.ts';
import { findAsset } from '../../../domain/asset-view/queries.ts';
import { mutate } from '../../../domain/transaction.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assertUnchanged } from '../../../kernel/etag.ts';
import { assertMayUse } from '../../../kernel/permissions.ts';
import { aboutAsset } from '../about-asset.ts';
import { findReview, setReview } from './queries.ts';

/** Reviews versions of assets. */
export function reviewUseCases(deps: Deps) {
  const { db, clock } = deps;

  return {
    /**
     * Sets the status of a version. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), also for a version that never existed; `precondition_failed` (412)
     */
    async set(id: string, wanted: z.output<typeof ReviewBody>, ctx: MemberContext): Promise<Asset> {
      const key = { organizationId: ctx.organization.id, id, viewerId: ctx.user.id };
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockAndFindAsset(tx, key);
        if (!current) throw new Failure('not_found');
        assertMayUse(ctx, 'params.id');
        const before = await presentAsset(deps, current);
        assertUnchanged(ctx, Asset, before);
        const { status, versionNumber = current.currentVersion } = wanted;
        const version = { organizationId: key.organizationId, assetId: id, versionNumber };
        const review = await findReview(tx, version);
        if (!review) throw new Failure('not_found');
        if (review.status === status) return before;
        const change = { status, changedBy: ctx.user.id, changedAt: clock.now() };
        await setReview(tx, version, change);
        await recordActivity(tx, {
          ...aboutAsset(current, ctx, change.changedAt),
          action: 'asset.change_review',
          changes: [{ field: 'review', from: review.status, to: status }],
          metadata: { versionNumber },
        });
        const after = await findAsset(tx, key);
        if (!after) throw new Error('an asset disappeared under its lock');
        return presentAsset(deps, after);
      });
    },
  };
}
