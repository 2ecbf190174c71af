import type { Asset, BinnedAsset } from '@atelier/contract';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import { presentAsset } from '../../../domain/asset-view/present.ts';
import { lastPurgedDeletion, purgeDateOf } from '../../../domain/bin.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../../kernel/pagination.ts';
import { assertMayTouch } from '../../../kernel/permissions.ts';
import { mutate } from '../../../domain/transaction.ts';
import { aboutAsset } from '../about-asset.ts';
import { lockAssetInCollection, setDeletedAt } from '../changes/queries.ts';
import { listBin, type BinRow } from './queries.ts';

interface BinRequest extends PageRequest {
  readonly scope: 'personal' | 'organization';
  readonly collectionId?: string | undefined;
  readonly q?: string | undefined;
}

const list = 'assets:bin';

/** Lists and restores deleted assets of the selected organization until they expire. */
export function assetBinUseCases(deps: Deps) {
  const { db, clock, cursors } = deps;

  async function present({ deletedAt, ...row }: BinRow): Promise<BinnedAsset> {
    const asset = await presentAsset(deps, row);
    return {
      ...asset,
      assetLongUrl: withoutSignature(asset.assetLongUrl),
      deletedAt: deletedAt.toISOString(),
      purgeAt: purgeDateOf(deletedAt).toISOString(),
    };
  }

  return {
    async list(request: BinRequest, ctx: MemberContext) {
      const filter = {
        organizationId: ctx.organization.id,
        viewerId: ctx.user.id,
        createdBy: request.scope === 'personal' ? ctx.user.id : undefined,
        collectionId: request.collectionId,
        nameContains: request.q,
      };
      // The time only takes away what is purged.
      const continued = { list, cursors, countedFor: filter };
      const found = await listBin(
        db,
        { ...filter, deletedAfter: lastPurgedDeletion(clock.now()) },
        rowWindowOf(request, continued),
      );
      const { items, pagination } = pageOf(found, request, {
        ...continued,
        present,
        positionOf: ({ deletedAt, id }) => ({ sortValue: deletedAt.toISOString(), id }),
      });
      return { items: await Promise.all<BinnedAsset>(items), pagination };
    },

    /**
     * Restores an asset from the bin. No-op when it is not deleted.
     *
     * @throws Failure `not_found` (404), also 30 days after its deletion; `permission_denied` (403);
     *   `collection_deleted` (409)
     */
    async restore(id: string, ctx: MemberContext): Promise<Asset> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const now = clock.now();
        const key = { organizationId: ctx.organization.id, id, viewerId: ctx.user.id };
        const asset = await lockAssetInCollection(tx, key);
        if (!asset || isGone(asset.deletedAt, now)) throw new Failure('not_found');
        assertMayTouch(ctx, 'params.id', asset);
        if (asset.deletedAt === null) return presentAsset(deps, asset);
        if (asset.collectionDeletedAt !== null) throw new Failure('collection_deleted');
        await setDeletedAt(tx, { ...asset, deletedAt: null });
        await recordActivity(tx, { ...aboutAsset(asset, ctx, now), action: 'asset.restore' });
        return presentAsset(deps, asset);
      });
    },
  };
}

function isGone(deletedAt: Date | null, now: Date): boolean {
  return deletedAt !== null && deletedAt <= lastPurgedDeletion(now);
}

/** The storage rejects addresses without a signature, so a deleted asset's links do not work. */
function withoutSignature(address: string): string {
  return address.split('?', 1)[0] ?? '';
}
