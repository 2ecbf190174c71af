import type { Asset } from '@atelier/contract';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import { holdLivingCollection, lockAndFindAsset } from '../../../domain/asset-locks/queries.ts';
import { presentAsset } from '../../../domain/asset-view/present.ts';
import { findAsset } from '../../../domain/asset-view/queries.ts';
import { apiKeyOf, type MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { assertMayUse } from '../../../kernel/permissions.ts';
import { assertWithinPlan, type PlanLimit } from '../../../domain/plan-limits/assert.ts';
import { lockOrganization } from '../../../domain/plan-limits/queries.ts';
import { lockStorageUsage } from '../../../domain/storage-usage/queries.ts';
import { takeObject } from '../../../domain/stored-objects/queries.ts';
import { enqueueJobOf } from '../../../domain/job-queue.ts';
import { fold } from '../../../domain/folding.ts';
import { mutate } from '../../../domain/transaction.ts';
import { aboutAsset } from '../about-asset.ts';
import {
  findVersionContent,
  insertVersion,
  setCurrentVersion,
  type NewVersion,
  type VersionContent,
} from '../versions/queries.ts';
import {
  findLastPublishedKey,
  findPersonalOrganization,
  insertCollection,
  insertPublishedAsset,
  lockCollectionTitled,
  lockPublished,
} from './queries.ts';

/** Title of the default collection of a member's publications. */
const defaultCollectionTitle = 'Published';

export interface PublishRequest {
  /** In the caller's personal organization. */
  readonly sourceAssetId: string;
  /** In the target organization. */
  readonly collectionId?: string | undefined;
}

interface Source {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
  readonly content: VersionContent;
}

type Limits = Readonly<Record<PlanLimit, number | null>>;

/** The planned version: of a new asset or of an existing one. */
interface Outcome {
  readonly version: NewVersion;
  readonly newAsset: { readonly collectionId: string } | null;
}

/**
 * Publishes assets from a personal organization to a team.
 *
 * Locks, in this order: the source asset, the team, its collection or published asset, its storage
 * usage, the object in the storage. All other code takes these locks in the same order: completing an upload its
 * collection, asset and usage, deleting a collection the collection and its assets. The lock of the
 * source serializes parallel publications of it; that of the team serializes those of its members,
 * so that only one default collection is created for each.
 */
export function publishingUseCases(deps: Deps) {
  const { db, clock } = deps;

  /** @throws Failure `not_found` (404) for a source that is not in the caller's personal organization */
  async function lockSource(tx: Transaction, id: string, ctx: MemberContext): Promise<Source> {
    const caller = { userId: ctx.user.id, apiKeyId: apiKeyOf(ctx), now: clock.now() };
    const personalOrganizationId = await findPersonalOrganization(tx, caller);
    if (personalOrganizationId === null) throw new Failure('not_found');
    const key = { organizationId: personalOrganizationId, id, viewerId: ctx.user.id };
    const row = await lockAndFindAsset(tx, key);
    if (!row) throw new Failure('not_found');
    const { organizationId, name, currentVersion: versionNumber } = row;
    const content = await findVersionContent(tx, { organizationId, assetId: id, versionNumber });
    if (!content) throw new Error('an asset without its current version');
    return { organizationId, id, name, content };
  }

  /** The caller's own, so that another member can't delete the caller's publications along with it. */
  async function defaultCollection(tx: Transaction, now: Date, ctx: MemberContext) {
    const collection = {
      organizationId: ctx.organization.id,
      createdBy: ctx.user.id,
      title: defaultCollectionTitle,
    };
    const known = await lockCollectionTitled(tx, collection);
    if (known !== null) return known;
    const id = newId();
    await insertCollection(tx, { ...collection, id, createdAt: now });
    return id;
  }

  /** @throws Failure `not_found` (404) for the collection, `already_published` (409) */
  async function decide(
    tx: Transaction,
    { source, collectionId }: { source: Source; collectionId: string | undefined },
    ctx: MemberContext,
  ): Promise<Outcome> {
    const organizationId = ctx.organization.id;
    if (collectionId !== undefined) {
      const isThere = await holdLivingCollection(tx, { organizationId, id: collectionId });
      if (!isThere) throw new Failure('not_found');
      assertMayUse(ctx, 'body.collectionId');
    }
    const published = await lockPublished(tx, { organizationId, sourceAssetId: source.id });
    if (published) await assertNewsFor(tx, { source, published }, ctx);

    const now = clock.now();
    const version = {
      organizationId,
      assetId: published?.id ?? newId(),
      versionNumber: (published?.currentVersion ?? 0) + 1,
      content: source.content,
      createdBy: ctx.user.id,
      now,
      restoredFrom: null,
    };
    if (published) return { version, newAsset: null };
    const home = collectionId ?? (await defaultCollection(tx, now, ctx));
    return { version, newAsset: { collectionId: home } };
  }

  /**
   * Checks that the content is new: it is neither the current version, nor what the source published last, since
   * repeating that would undo the team's later changes.
   *
   * @throws Failure `already_published` (409)
   */
  async function assertNewsFor(
    tx: Transaction,
    { source, published }: { source: Source; published: { id: string; currentVersion: number } },
    ctx: MemberContext,
  ): Promise<void> {
    const asset = { organizationId: ctx.organization.id, assetId: published.id };
    const versionNumber = published.currentVersion;
    const shown = await findVersionContent(tx, { ...asset, versionNumber });
    const last = await findLastPublishedKey(tx, {
      ...asset,
      sourceOrganizationId: source.organizationId,
      sourceAssetId: source.id,
    });
    if ([shown?.key, last].includes(source.content.key)) {
      throw new Failure('already_published');
    }
  }

  /**
   * Gives the team the content of the source.
   *
   * @returns the version with what the team has of it
   * @throws Failure `plan_limit_reached` (409)
   */
  async function takeContent(
    tx: Transaction,
    planned: NewVersion,
    { source, limits }: { source: Source; limits: Limits },
  ): Promise<NewVersion> {
    const { organizationId, now, content, versionNumber } = planned;
    assertWithinPlan(limits, 'versionsPerAsset', versionNumber);
    assertWithinPlan(limits, 'maxFileBytes', content.fileSizeBytes);
    const { storedBytes, reservedBytes } = await lockStorageUsage(tx, { organizationId, now });
    const { object, addedBytes } = await takeObject(tx, {
      organizationId,
      source: {
        organizationId: source.organizationId,
        id: content.storedObjectId,
        key: content.key,
      },
    });
    if (addedBytes > 0) {
      assertWithinPlan(limits, 'storageBytes', storedBytes + reservedBytes + addedBytes);
    }
    const storedObjectId = object.id;
    // The findings about the source come later, and stay there.
    if (object.checksum === null) {
      const payload = { organizationId, storedObjectId };
      await enqueueJobOf(tx, organizationId, { name: 'inspect_content', payload });
    }
    return { ...planned, content: { ...content, storedObjectId } };
  }

  return {
    /**
     * Creates a team's own asset with the content of a personal one; after a change of the content, adds a
     * version to the existing asset. The version goes to the asset's current collection and keeps its
     * name there, whatever collection the request names.
     *
     * @returns the team's asset
     * @throws Failure `publish_target_required` (400), `not_found` (404) for the source or the
     *   collection, `already_published` or `plan_limit_reached` (409)
     * @see docs/decisions/0023-publishing-and-public-links.md
     */
    async publish(
      { sourceAssetId, collectionId }: PublishRequest,
      ctx: MemberContext,
    ): Promise<Asset> {
      if (ctx.organization.type !== 'TEAM') throw new Failure('publish_target_required');
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const source = await lockSource(tx, sourceAssetId, ctx);
        assertMayUse(ctx, 'params.id');
        const team = await lockOrganization(tx, ctx.organization.id);
        if (!team) throw new Failure('organization_access_denied');
        const { version: planned, newAsset } = await decide(tx, { source, collectionId }, ctx);
        const version = await takeContent(tx, planned, { source, limits: team.limits });
        await (newAsset
          ? insertPublishedAsset(tx, version, {
              ...newAsset,
              sourceAssetId: source.id,
              name: source.name,
              nameFolded: await fold(source.name),
            })
          : setCurrentVersion(tx, version));
        await insertVersion(tx, version);

        const { organizationId, assetId: id } = version;
        const view = { organizationId, id, viewerId: ctx.user.id };
        const published = await findAsset(tx, view);
        if (!published) throw new Error('an asset disappeared under its lock');
        await recordActivity(tx, {
          ...aboutAsset(published, ctx, version.now),
          action: 'asset.publish',
          metadata: { sourceAssetId, versionNumber: version.versionNumber },
        });
        return presentAsset(deps, published);
      });
    },
  };
}
