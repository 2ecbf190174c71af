import { Collection } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { recordActivity } from '../../domain/activity.ts';
import type { ReaderContext, MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { orderIn, pageOf, rowWindowOf, type PageRequest } from '../../kernel/pagination.ts';
import { assertMayTouch } from '../../kernel/permissions.ts';
import { mutate } from '../../domain/transaction.ts';
import { assertMayTakeAlong } from './others-assets.ts';
import { aboutCollection, presentCollection } from './present.ts';
import {
  binCollection,
  collectionQueries,
  insertCollection,
  lockAssetsIn,
  lockCollection,
  markFavorite,
  renameCollection,
  unmarkFavorite,
  type CollectionRow,
  type CollectionSort,
} from './queries.ts';

interface CollectionListRequest extends PageRequest {
  readonly scope: 'personal' | 'organization';
  readonly favorite?: boolean | undefined;
  readonly q?: string | undefined;
  readonly sort: CollectionSort | `-${CollectionSort}`;
}

/** Manages collections of the selected organization. */
export function collectionUseCases({ db, clock, cursors }: Deps) {
  const collections = collectionQueries(db);

  /**
   * Locks a collection for the rest of the transaction and returns its current state.
   *
   * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
   */
  async function lockForChange(
    tx: Transaction,
    { id, ctx }: { id: string; ctx: MemberContext },
  ): Promise<CollectionRow> {
    const key = { organizationId: ctx.organization.id, id, viewerId: ctx.user.id };
    const current = await lockCollection(tx, key);
    if (!current) throw new Failure('not_found');
    assertMayTouch(ctx, 'params.id', current);
    assertUnchanged(ctx, Collection, presentCollection(current));
    return current;
  }

  return {
    /** @throws Failure `organization_access_denied` (403) when the organization was deleted in the meantime */
    async create(title: string, ctx: MemberContext): Promise<Collection> {
      const now = clock.now();
      const row = {
        id: newId(),
        organizationId: ctx.organization.id,
        title,
        createdBy: ctx.user.id,
        createdAt: now,
      };
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const isInserted = await insertCollection(tx, row);
        if (!isInserted) throw new Failure('organization_access_denied');
        await recordActivity(tx, {
          ...aboutCollection(row, ctx, now),
          action: 'collection.create',
          changes: [{ field: 'title', from: null, to: title }],
        });
        return presentCollection({ ...row, updatedAt: now, assetCount: 0, isFavorite: false });
      });
    },

    async list(request: CollectionListRequest, ctx: ReaderContext) {
      const order = orderIn(request.sort);
      const filter = {
        organizationId: ctx.organization.id,
        viewerId: ctx.user.id,
        createdBy: request.scope === 'personal' ? ctx.user.id : null,
        favorite: request.favorite,
        titleContains: request.q,
      };
      const continued = { list: `collections:${request.sort}`, cursors, countedFor: filter };
      const found = await collections.list(filter, order, rowWindowOf(request, continued));
      return pageOf(found, request, {
        ...continued,
        present: presentCollection,
        positionOf: (row) => ({ sortValue: sortValueOf(row, order.by), id: row.id }),
      });
    },

    /** @throws Failure `not_found` (404) */
    async get(id: string, ctx: ReaderContext): Promise<Collection> {
      const row = await collections.find({
        organizationId: ctx.organization.id,
        id,
        viewerId: ctx.user.id,
      });
      if (!row) throw new Failure('not_found');
      return presentCollection(row);
    },

    /**
     * Renames a collection. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
     */
    async rename(id: string, title: string, ctx: MemberContext): Promise<Collection> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, { id, ctx });
        if (title === current.title) return presentCollection(current);
        const renamed = { ...current, title, updatedAt: clock.now() };
        await renameCollection(tx, renamed);
        await recordActivity(tx, {
          ...aboutCollection(renamed, ctx, renamed.updatedAt),
          action: 'collection.rename',
          changes: [{ field: 'title', from: current.title, to: title }],
        });
        return presentCollection(renamed);
      });
    },

    /**
     * Sets the caller's mark. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412)
     */
    async favorite(id: string, isFavorite: boolean, ctx: MemberContext): Promise<Collection> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, { id, ctx });
        if (isFavorite === current.isFavorite) return presentCollection(current);
        const mark = {
          organizationId: current.organizationId,
          userId: ctx.user.id,
          collectionId: id,
          createdAt: clock.now(),
        };
        await (isFavorite ? markFavorite(tx, mark) : unmarkFavorite(tx, mark));
        await recordActivity(tx, {
          ...aboutCollection(current, ctx, mark.createdAt),
          action: isFavorite ? 'collection.favorite' : 'collection.unfavorite',
        });
        return presentCollection({ ...current, isFavorite });
      });
    },

    /**
     * Moves a collection into the bin, along with its assets.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412),
     *   `collection_has_others_assets` (409)
     */
    async remove(id: string, ctx: MemberContext): Promise<{ id: string }> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, { id, ctx });
        const deletedAt = laterThan(await lockAssetsIn(tx, current), clock.now());
        await assertMayTakeAlong(tx, { ...current, deletedAt: null }, ctx);
        await binCollection(tx, { ...current, deletedAt });
        await recordActivity(tx, {
          ...aboutCollection(current, ctx, deletedAt),
          action: 'collection.delete',
          metadata: { assetCount: current.assetCount },
        });
        return { id };
      });
    },
  };
}

function sortValueOf(row: CollectionRow, by: CollectionSort): string {
  return by === 'title' ? row.title : row[by].toISOString();
}

/**
 * The deletion timestamp of a collection tells assets deleted along with it from those deleted
 * earlier, so it must differ from theirs, whatever the precision or accuracy of the clocks.
 */
function laterThan(latest: Date | null, now: Date): Date {
  return latest !== null && latest >= now ? new Date(latest.getTime() + 1) : now;
}
