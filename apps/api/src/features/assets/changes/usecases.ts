import { Asset, tagKeyOf, type UpdateAssetBody } from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import { holdLivingCollection } from '../../../domain/asset-locks/queries.ts';
import { presentAsset } from '../../../domain/asset-view/present.ts';
import { changesBetween } from '../../../kernel/changes.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assertUnchanged } from '../../../kernel/etag.ts';
import { newShortCode } from '../../../kernel/ids.ts';
import { assertMayTouch, assertMayUse } from '../../../kernel/permissions.ts';
import { mayLinkPublicly } from '../../../domain/public-links/queries.ts';
import { foldAll } from '../../../domain/folding.ts';
import { mutate } from '../../../domain/transaction.ts';
import { aboutAsset } from '../about-asset.ts';
import {
  lockAssetOrBinned,
  markFavorite,
  setDeletedAt,
  unmarkFavorite,
  updateAsset,
  type LockedAsset,
} from './queries.ts';

type Changes = z.output<typeof UpdateAssetBody>;

/** Changes assets of the selected organization without adding versions. */
export function assetChangeUseCases(deps: Deps) {
  const { db, clock } = deps;

  /**
   * Checks the locked asset and the caller's permission to change it.
   *
   * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
   */
  async function assertMayChange(
    asset: LockedAsset | null,
    ctx: MemberContext,
  ): Promise<LockedAsset> {
    if (!asset || asset.deletedAt !== null) throw new Failure('not_found');
    assertMayTouch(ctx, 'params.id', asset);
    if (ctx.ifMatch !== null) assertUnchanged(ctx, Asset, await presentAsset(deps, asset));
    return asset;
  }

  /** @throws Failure `not_found` (404) without the target collection */
  async function lockForUpdate(
    tx: Transaction,
    {
      id,
      collectionId,
      ctx,
    }: { id: string; collectionId?: string | undefined; ctx: MemberContext },
  ): Promise<LockedAsset> {
    const organizationId = ctx.organization.id;
    // Every code path that locks both takes the collection before the asset.
    const hasTarget =
      collectionId === undefined ||
      (await holdLivingCollection(tx, { organizationId, id: collectionId }));
    const locked = await lockAssetOrBinned(tx, { organizationId, id, viewerId: ctx.user.id });
    const current = await assertMayChange(locked, ctx);
    if (!hasTarget) throw new Failure('not_found');
    assertMayUse(ctx, 'body.collectionId');
    return current;
  }

  return {
    /**
     * Renames, describes or moves the asset, or switches its public link. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412),
     *   `public_links_forbidden` (409)
     */
    async update(id: string, wanted: Changes, ctx: MemberContext) {
      const { assetName, collectionId, publicLinkEnabled, description, tags } = wanted;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForUpdate(tx, { id, collectionId, ctx });
        const now = clock.now();
        const updated = {
          ...current,
          name: assetName ?? current.name,
          collectionId: collectionId ?? current.collectionId,
          description: description === undefined ? current.description : description,
          tags: changedTags(current.tags, tags),
          ...(await switchedLink(tx, current, publicLinkEnabled)),
          updatedAt: now.toISOString(),
        };
        const changes = changesBetween(namedInContract(current), namedInContract(updated));
        if (changes.length === 0) return presentAsset(deps, current);
        await updateAsset(tx, { ...updated, ...(await searchedColumns(updated)) }, now);
        await recordActivity(tx, {
          ...aboutAsset(updated, ctx, now),
          action: 'asset.update',
          changes,
        });
        return presentAsset(deps, updated);
      });
    },

    /**
     * Sets the caller's mark. No-op when unchanged.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412)
     */
    async favorite(id: string, isFavorite: boolean, ctx: MemberContext): Promise<Asset> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const key = { organizationId: ctx.organization.id, id, viewerId: ctx.user.id };
        const current = await assertMayChange(await lockAssetOrBinned(tx, key), ctx);
        if (isFavorite === current.isFavorite) return presentAsset(deps, current);
        const mark = {
          organizationId: current.organizationId,
          userId: ctx.user.id,
          assetId: id,
          createdAt: clock.now(),
        };
        await (isFavorite ? markFavorite(tx, mark) : unmarkFavorite(tx, mark));
        await recordActivity(tx, {
          ...aboutAsset(current, ctx, mark.createdAt),
          action: isFavorite ? 'asset.favorite' : 'asset.unfavorite',
        });
        return presentAsset(deps, { ...current, isFavorite });
      });
    },

    /**
     * Moves an asset into the bin; its links stop working at once.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
     */
    async remove(id: string, ctx: MemberContext): Promise<{ id: string }> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const key = { organizationId: ctx.organization.id, id, viewerId: ctx.user.id };
        const locked = await lockAssetOrBinned(tx, key);
        const current = await assertMayChange(locked, ctx);
        const deletedAt = clock.now();
        await setDeletedAt(tx, { ...current, deletedAt });
        await recordActivity(tx, {
          ...aboutAsset(current, ctx, deletedAt),
          action: 'asset.delete',
        });
        return { id };
      });
    },
  };
}

/**
 * Returns the switched public link. Switching it off creates a new address for the next time, so that
 * the old one stays invalid.
 *
 * @throws Failure `public_links_forbidden` (409)
 */
async function switchedLink(
  tx: Transaction,
  { organizationId, shortCode, publicLinkEnabled }: LockedAsset,
  wanted = publicLinkEnabled,
): Promise<Pick<LockedAsset, 'publicLinkEnabled' | 'shortCode'>> {
  if (wanted === publicLinkEnabled) return { publicLinkEnabled, shortCode };
  if (!wanted) return { publicLinkEnabled: false, shortCode: newShortCode() };
  if (!(await mayLinkPublicly(tx, organizationId))) throw new Failure('public_links_forbidden');
  return { publicLinkEnabled: true, shortCode };
}

/** Returns the columns that lists search and filter by. */
async function searchedColumns({ name, description, tags }: LockedAsset) {
  const details = [...(description ? [description] : []), ...(tags ?? [])];
  const [nameFolded = '', detailsFolded = ''] = await foldAll([name, details.join('\n')]);
  return { nameFolded, detailsFolded: detailsFolded || null, tagKeys: tags && tags.map(tagKeyOf) };
}

/** Returns the tags from now on, as they are stored; the current ones themselves if they stay. */
function changedTags(current: string[] | null, wanted?: readonly string[]): string[] | null {
  if (!wanted || wanted.join() === current?.join()) return current;
  return wanted.length === 0 ? null : [...wanted];
}

const noTags: readonly string[] = [];

/** Fields by their names in the contract. */
function namedInContract(asset: LockedAsset) {
  const { name: assetName, collectionId, publicLinkEnabled, description, tags } = asset;
  return { assetName, collectionId, publicLinkEnabled, description, tags: tags ?? noTags };
}
