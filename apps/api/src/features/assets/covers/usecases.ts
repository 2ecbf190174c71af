import type { Asset, CoverBody } from '@atelier/contract';
import type { z } from 'zod';
import type { Deps } from '../../../deps.ts';
import type { Executor } from '../../../db/executor.ts';
import { lockLivingAsset } from '../../../domain/asset-locks/queries.ts';
import { presentAsset } from '../../../domain/asset-view/present.ts';
import { findAsset } from '../../../domain/asset-view/queries.ts';
import { setThumbnailKey } from '../../../domain/stored-objects/queries.ts';
import { thumbnailKeyOf } from '../../../domain/thumbnails.ts';
import { enqueueJobOf } from '../../../domain/job-queue.ts';
import { mutate } from '../../../domain/transaction.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assertMayTouch } from '../../../kernel/permissions.ts';
import { findCoveredVersion, type CoveredVersion } from './queries.ts';

type Cover = z.output<typeof CoverBody>;

/** Media types of which clients make covers. */
const coveredTypes = /^video\/|^application\/pdf$/;

/**
 * Takes the covers that clients make of files that the service can't draw.
 *
 * @see docs/decisions/0105-covers.md
 */
export function coverUseCases(deps: Deps) {
  const { db, clock, store, pictures } = deps;

  /** @throws Failure `not_found` (404), `permission_denied` (403), `cover_unsupported` (409) */
  async function findChangeable(
    db: Executor,
    { id, versionNumber }: { id: string; versionNumber: number | null },
    ctx: MemberContext,
  ): Promise<CoveredVersion> {
    const { id: organizationId } = ctx.organization;
    const version = await findCoveredVersion(db, { organizationId, assetId: id, versionNumber });
    if (!version) throw new Failure('not_found');
    assertMayTouch(ctx, 'params.id', version);
    if (version.thumbnailKey !== null) return version;
    const isSupported = coveredTypes.test(version.contentType) && version.isUploadedHere;
    if (!isSupported) throw new Failure('cover_unsupported');
    return version;
  }

  /** @throws Failure `cover_invalid` (422), `storage_unavailable` (503) */
  async function keep(key: string, picture: string): Promise<void> {
    const content = await pictures.cover(Buffer.from(picture, 'base64'));
    if (!content) throw new Failure('cover_invalid');
    await store.putObject({ key, content, contentType: 'image/webp' });
  }

  return {
    /**
     * Makes a picture the thumbnail of a version that has none. The picture is stored before the transaction: of one that
     * fails, the janitor removes it.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `cover_unsupported` (409), `cover_invalid` (422),
     *   `storage_unavailable` (503)
     */
    async set(id: string, { picture, versionNumber }: Cover, ctx: MemberContext): Promise<Asset> {
      const wanted = { id, versionNumber: versionNumber ?? null };
      const { storedObjectId, thumbnailKey } = await findChangeable(db, wanted, ctx);
      const key = thumbnailKeyOf(storedObjectId);
      if (thumbnailKey === null) await keep(key, picture);
      const view = { organizationId: ctx.organization.id, id, viewerId: ctx.user.id };
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        if (!(await lockLivingAsset(tx, { organizationId: ctx.organization.id, assetId: id }))) {
          throw new Failure('not_found');
        }
        const version = await findChangeable(tx, wanted, ctx);
        // A version that was added meanwhile isn't what the picture shows.
        if (version.storedObjectId === storedObjectId) {
          const organizationId = ctx.organization.id;
          await setThumbnailKey(tx, { organizationId, id: storedObjectId }, key);
          const payload = { organizationId, storedObjectId };
          await enqueueJobOf(tx, organizationId, { name: 'copy_cover', payload });
        }
        const asset = await findAsset(tx, view);
        if (!asset) throw new Error('an asset disappeared under its lock');
        return presentAsset(deps, asset);
      });
    },
  };
}
