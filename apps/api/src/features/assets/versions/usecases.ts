import { Asset, type AssetVersion } from '@atelier/contract';
import type { z } from 'zod';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import { lockAndFindAsset } from '../../../domain/asset-locks/queries.ts';
import { presentAsset, presentReview } from '../../../domain/asset-view/present.ts';
import { findAsset } from '../../../domain/asset-view/queries.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assertUnchanged } from '../../../kernel/etag.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../../kernel/pagination.ts';
import { assertMayTouch } from '../../../kernel/permissions.ts';
import { assertWithinPlan } from '../../../domain/plan-limits/assert.ts';
import { findPlanLimits } from '../../../domain/plan-limits/queries.ts';
import { mutate } from '../../../domain/transaction.ts';
import { aboutAsset } from '../about-asset.ts';
import {
  findVersionContent,
  insertVersion,
  setCurrentVersion,
  versionQueries,
  type VersionRow,
} from './queries.ts';

/** Lists and restores the versions of an asset. */
export function versionUseCases(deps: Deps) {
  const { db, clock, cursors } = deps;
  const versions = versionQueries(db);

  return {
    /** @throws Failure `not_found` (404) */
    async list(assetId: string, request: PageRequest, ctx: MemberContext) {
      const list = `asset-versions:${assetId}`;
      const found = await versions.list(
        { organizationId: ctx.organization.id, assetId },
        rowWindowOf(request, { list, cursors }),
      );
      if (found.total === 0) throw new Failure('not_found');
      return pageOf(found, request, {
        list,
        cursors,
        present,
        positionOf: (row) => ({ sortValue: String(row.versionNumber), id: assetId }),
      });
    },

    /**
     * Appends a version that repeats the content of an older one. No-op when the content is
     * already current. The organization already has the object, so it takes no storage.
     *
     * @returns the updated asset, with its name unchanged
     * @throws Failure `not_found` (404), also for a version that never existed; `permission_denied` (403),
     *   `precondition_failed` (412), `plan_limit_reached` (409)
     */
    async restore(
      { id, versionNumber }: { id: string; versionNumber: number },
      ctx: MemberContext,
    ): Promise<Asset> {
      const key = { organizationId: ctx.organization.id, id, viewerId: ctx.user.id };
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockAndFindAsset(tx, key);
        if (!current) throw new Failure('not_found');
        assertMayTouch(ctx, 'params.id', current);
        const before = await presentAsset(deps, current);
        assertUnchanged(ctx, Asset, before);

        const asset = { organizationId: current.organizationId, assetId: id };
        const content = await findVersionContent(tx, { ...asset, versionNumber });
        if (!content) throw new Failure('not_found');
        const shown = await findVersionContent(tx, {
          ...asset,
          versionNumber: current.currentVersion,
        });
        if (content.storedObjectId === shown?.storedObjectId) return before;

        const version = {
          ...asset,
          versionNumber: current.currentVersion + 1,
          content,
          createdBy: ctx.user.id,
          now: clock.now(),
          restoredFrom: versionNumber,
        };
        const limits = await findPlanLimits(tx, asset.organizationId);
        assertWithinPlan(limits, 'versionsPerAsset', version.versionNumber);
        await insertVersion(tx, version);
        await setCurrentVersion(tx, version);
        await recordActivity(tx, {
          ...aboutAsset(current, ctx, version.now),
          action: 'asset.restore_version',
          changes: [
            { field: 'currentVersion', from: current.currentVersion, to: version.versionNumber },
          ],
          metadata: { restoredFrom: versionNumber },
        });
        const after = await findAsset(tx, key);
        if (!after) throw new Error('an asset disappeared under its lock');
        return presentAsset(deps, after);
      });
    },
  };
}

function present(row: VersionRow): z.infer<typeof AssetVersion> {
  return {
    versionNumber: row.versionNumber,
    fileSize: row.fileSizeBytes,
    contentType: row.contentType,
    eTag: row.eTag,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    restoredFrom: row.restoredFrom,
    isCurrent: row.isCurrent,
    review: presentReview(row),
  };
}
