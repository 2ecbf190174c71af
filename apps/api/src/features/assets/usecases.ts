import type { Asset } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { findContent } from '../../domain/asset-content/queries.ts';
import { longUrlSeconds, presentAsset } from '../../domain/asset-view/present.ts';
import { findAsset } from '../../domain/asset-view/queries.ts';
import type { ReaderContext, MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assetQueries } from './queries.ts';

/** Lifetime of a download address in seconds. */
const downloadSeconds = 5 * 60;

/** Reads assets of the selected organization and their public links. */
export function assetUseCases({ db, clock, store, config }: Deps) {
  const assets = assetQueries(db);

  return {
    /** @throws Failure `not_found` (404) */
    async get(id: string, ctx: ReaderContext): Promise<Asset> {
      const row = await findAsset(db, {
        organizationId: ctx.organization.id,
        id,
        viewerId: ctx.user.id,
      });
      if (!row) throw new Failure('not_found');
      return presentAsset({ store, config }, row);
    },

    /** @throws Failure `not_found` (404), also for a version that never existed */
    async download(id: string, versionNumber: number | undefined, ctx: MemberContext) {
      const content = await findContent(db, {
        organizationId: ctx.organization.id,
        id,
        versionNumber: versionNumber ?? null,
      });
      if (!content) throw new Failure('not_found');
      const url = await store.presignDownload({
        key: content.key,
        expiresInSeconds: downloadSeconds,
        fileName: content.name,
        contentType: content.contentType,
        detectedType: content.detectedType,
        disposition: 'attachment',
      });
      const expiresAt = new Date(clock.now().getTime() + downloadSeconds * 1000);
      return { url, expiresAt: expiresAt.toISOString(), fileName: content.name };
    },

    /** @throws Failure `not_found` (404) when the link is off or forbidden, or its asset deleted */
    async followShortLink(code: string) {
      const content = await assets.findLinkedContent(code);
      if (!content) throw new Failure('not_found');
      const location = await store.presignDownload({
        key: content.key,
        expiresInSeconds: longUrlSeconds,
        fileName: content.name,
        contentType: content.contentType,
        detectedType: content.detectedType,
        disposition: 'inline',
      });
      // Public links exist to be embedded, and the policy applies to a redirect too.
      return { location, headers: { 'cross-origin-resource-policy': 'cross-origin' } };
    },
  };
}
