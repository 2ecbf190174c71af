import type { BinnedCollection, Collection } from '@atelier/contract';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import { lastPurgedDeletion, purgeDateOf } from '../../../domain/bin.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../../kernel/pagination.ts';
import { assertMayTouch } from '../../../kernel/permissions.ts';
import { mutate } from '../../../domain/transaction.ts';
import { assertMayTakeAlong } from '../others-assets.ts';
import { aboutCollection, presentCollection } from '../present.ts';
import { listBin, lockBinned, unbinCollection, type BinRow } from './queries.ts';

interface BinRequest extends PageRequest {
  readonly scope: 'personal' | 'organization';
  readonly q?: string | undefined;
}

const list = 'collections:bin';

/** Lists and restores deleted collections of the selected organization until they expire. */
export function collectionBinUseCases({ db, clock, cursors }: Deps) {
  return {
    async list(request: BinRequest, ctx: MemberContext) {
      const filter = {
        organizationId: ctx.organization.id,
        viewerId: ctx.user.id,
        createdBy: request.scope === 'personal' ? ctx.user.id : undefined,
        titleContains: request.q,
      };
      // The time only takes away what is purged.
      const continued = { list, cursors, countedFor: filter };
      const found = await listBin(
        db,
        { ...filter, deletedAfter: lastPurgedDeletion(clock.now()) },
        rowWindowOf(request, continued),
      );
      return pageOf(found, request, {
        ...continued,
        present,
        positionOf: ({ deletedAt, id }) => ({ sortValue: deletedAt.toISOString(), id }),
      });
    },

    /**
     * Restores a collection from the bin with the assets that were deleted along with it, but not
     * those deleted earlier. No-op when it is not deleted.
     *
     * @throws Failure `not_found` (404), also 30 days after its deletion; `permission_denied` (403);
     *   `collection_has_others_assets` (409)
     */
    async restore(id: string, ctx: MemberContext): Promise<Collection> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const now = clock.now();
        const key = { organizationId: ctx.organization.id, id, viewerId: ctx.user.id };
        const found = await lockBinned(tx, key);
        if (!found) throw new Failure('not_found');
        const { deletedAt, ...collection } = found;
        if (deletedAt && deletedAt <= lastPurgedDeletion(now)) throw new Failure('not_found');
        assertMayTouch(ctx, 'params.id', collection);
        if (deletedAt === null) return presentCollection(collection);
        await assertMayTakeAlong(tx, { ...collection, deletedAt }, ctx);
        await unbinCollection(tx, { ...collection, deletedAt });
        await recordActivity(tx, {
          ...aboutCollection(collection, ctx, now),
          action: 'collection.restore',
          metadata: { assetCount: collection.assetCount },
        });
        return presentCollection(collection);
      });
    },
  };
}

function present({ deletedAt, ...collection }: BinRow): BinnedCollection {
  return {
    ...presentCollection(collection),
    deletedAt: deletedAt.toISOString(),
    purgeAt: purgeDateOf(deletedAt).toISOString(),
  };
}
