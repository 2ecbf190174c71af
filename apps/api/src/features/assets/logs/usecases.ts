import type { Deps } from '../../../deps.ts';
import { activityPages, type ActivityListRequest } from '../../../domain/activity-view/page.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assetLogQueries } from './queries.ts';

/** Lists activities of assets in the selected organization. */
export function assetLogUseCases({ db, cursors }: Pick<Deps, 'db' | 'cursors'>) {
  const pageOf = activityPages({ cursors });
  const assets = assetLogQueries(db);

  return {
    /** The caller's own activities. */
    mine: (request: ActivityListRequest, ctx: MemberContext) =>
      pageOf(
        db,
        {
          viewerId: ctx.user.id,
          organizationId: ctx.organization.id,
          actorId: ctx.user.id,
          resourceType: 'asset',
        },
        request,
      ),

    /**
     * All activities of one asset except those private to others; also while it is in the bin.
     *
     * @throws Failure `not_found` (404)
     */
    async ofAsset(id: string, request: ActivityListRequest, ctx: MemberContext) {
      const organizationId = ctx.organization.id;
      const [isKnown, page] = await Promise.all([
        assets.isKnown({ organizationId, id }),
        pageOf(
          db,
          { viewerId: ctx.user.id, organizationId, resourceType: 'asset', resourceId: id },
          request,
        ),
      ]);
      if (!isKnown) throw new Failure('not_found');
      return page;
    },
  };
}
