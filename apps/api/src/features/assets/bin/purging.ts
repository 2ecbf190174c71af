import type { EmptiedBin } from '@atelier/contract';
import type { Deps } from '../../../deps.ts';
import { aboutOrganization, recordActivity } from '../../../domain/activity.ts';
import { expiredDeletion, lastPurgedDeletion } from '../../../domain/bin.ts';
import { countEmptied, expireEmptied } from '../../../domain/emptied-bin/queries.ts';
import { enqueueJobOf } from '../../../domain/job-queue.ts';
import { mutate } from '../../../domain/transaction.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assertMayTouch, reachOf } from '../../../kernel/permissions.ts';
import { aboutAsset } from '../about-asset.ts';
import { lockAssetInCollection, setDeletedAt } from '../changes/queries.ts';
import { findOrganization } from './queries.ts';

/** Assets, and collections, that a request expires itself; a job expires the others. */
const emptiedAtOnce = 500;

interface EmptyRequest {
  readonly scope: 'personal' | 'organization';
  readonly collectionId?: string | undefined;
}

/**
 * Deletes permanently what is in the bin of the selected organization. It expires in the transaction of the request; a
 * job purges what has expired, as it does after 30 days.
 *
 * @see docs/decisions/0099-emptying-the-bin.md
 */
export function purgingUseCases({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return {
    /** @throws Failure `not_found` (404), also for an asset outside the bin; `permission_denied` (403) */
    async purge(id: string, ctx: MemberContext): Promise<{ id: string }> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const now = clock.now();
        const organizationId = ctx.organization.id;
        const asset = await lockAssetInCollection(tx, {
          organizationId,
          id,
          viewerId: ctx.user.id,
        });
        if (!asset) throw new Failure('not_found');
        assertMayTouch(ctx, 'params.id', asset);
        const isInBin = asset.deletedAt !== null && asset.deletedAt > lastPurgedDeletion(now);
        if (!isInBin) throw new Failure('not_found');
        await setDeletedAt(tx, { ...asset, deletedAt: expiredDeletion(now) });
        await enqueueJobOf(tx, organizationId, {
          name: 'empty_bin',
          payload: { organizationId, emptied: null },
        });
        await recordActivity(tx, { ...aboutAsset(asset, ctx, now), action: 'asset.purge' });
        return { id };
      });
    },

    /**
     * No-op when there is nothing.
     *
     * @throws Failure `permission_denied` (403) when the scope has something that the caller may not delete
     */
    async emptyBin({ scope, collectionId }: EmptyRequest, ctx: MemberContext): Promise<EmptiedBin> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const now = clock.now();
        const organizationId = ctx.organization.id;
        const mayDeleteAll = reachOf(ctx.role, 'asset:delete') === 'any';
        const emptied = {
          // Not everything with nothing of others in it: others may just be deleting theirs.
          createdBy: scope === 'organization' && mayDeleteAll ? null : ctx.user.id,
          collectionId: collectionId ?? null,
        };
        const part = {
          ...emptied,
          organizationId,
          deletedAfter: lastPurgedDeletion(now),
          deletedBy: now,
          expiredAt: expiredDeletion(now),
        };
        const going = await countEmptied(tx, part);
        if (scope === 'organization' && !mayDeleteAll) {
          const all = await countEmptied(tx, { ...part, createdBy: null });
          if (sumOf(going) < sumOf(all)) throw new Failure('permission_denied');
        }
        if (sumOf(going) === 0) return going;
        await expireEmptied(tx, part, emptiedAtOnce);
        const rest = { ...emptied, deletedBy: now.toISOString() };
        await enqueueJobOf(tx, organizationId, {
          name: 'empty_bin',
          payload: { organizationId, emptied: rest },
        });
        const organization = await findOrganization(tx, organizationId);
        await recordActivity(tx, {
          ...aboutOrganization(organization, ctx, now),
          action: 'organization.empty_bin',
          metadata: { ...going },
        });
        return going;
      });
    },
  };
}

function sumOf({ assetCount, collectionCount }: EmptiedBin): number {
  return assetCount + collectionCount;
}
