import type { Share, ShareStatus } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { shareTokens } from '../../domain/shares/tokens.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../kernel/pagination.ts';
import { assertReaches, reachOf } from '../../kernel/permissions.ts';
import { presentView, publicLinkPresenter, sharePresenter } from './present.ts';
import {
  findShare,
  listPublicLinks,
  listShares,
  listViews,
  type ShareRow,
  type ViewFilter,
} from './queries.ts';

interface ShareListRequest extends PageRequest {
  readonly targetType?: 'ASSET' | 'COLLECTION' | undefined;
  readonly targetId?: string | undefined;
  readonly status?: ShareStatus | undefined;
  readonly scope: 'organization' | 'personal';
}

/** Shows what the selected organization shows to outsiders. */
export function shareListUseCases({ db, clock, keys, config, cursors }: Deps) {
  const present = sharePresenter({ tokens: shareTokens(keys), config });
  const presentLink = publicLinkPresenter(config);

  /** @throws Failure `not_found` (404), `permission_denied` (403) for that of another member */
  async function findOwn(id: string, ctx: MemberContext): Promise<ShareRow> {
    const row = await findShare(db, { organizationId: ctx.organization.id, id }, clock.now());
    if (!row) throw new Failure('not_found');
    assertReaches({ role: ctx.role, userId: ctx.user.id }, 'share:manage', row);
    return row;
  }

  return {
    async list({ scope, ...request }: ShareListRequest, ctx: MemberContext) {
      const { targetType, targetId, status } = request;
      const createdBy = scope === 'personal' ? ctx.user.id : ownerIn(ctx);
      const filter = { createdBy, targetType, targetId, status };
      const organizationId = ctx.organization.id;
      const continued = { list: 'shares', cursors, countedFor: { organizationId, ...filter } };
      const found = await listShares(
        db,
        { organizationId, ...filter },
        { window: rowWindowOf(request, continued), now: clock.now() },
      );
      return pageOf(found, request, {
        ...continued,
        present,
        positionOf: ({ createdAt, id }) => ({ sortValue: createdAt.toISOString(), id }),
      });
    },

    /** @throws Failure `not_found` (404), `permission_denied` (403) */
    async get(id: string, ctx: MemberContext): Promise<Share> {
      return present(await findOwn(id, ctx));
    },

    /** @throws Failure `not_found` (404), `permission_denied` (403) */
    async views(id: string, request: PageRequest & ViewFilter, ctx: MemberContext) {
      await findOwn(id, ctx);
      const { action, from, to } = request;
      const filter = { action, from, to };
      const continued = { list: `share views:${id}`, cursors, countedFor: filter };
      const key = { organizationId: ctx.organization.id, id };
      const window = rowWindowOf(request, continued);
      const found = await listViews(db, key, { filter, window });
      return pageOf(found, request, {
        ...continued,
        present: presentView,
        positionOf: ({ at, id }) => ({ sortValue: at.toISOString(), id }),
      });
    },

    async publicLinks(request: PageRequest, ctx: MemberContext) {
      const filter = { organizationId: ctx.organization.id, createdBy: ownerIn(ctx) };
      const continued = { list: 'public links', cursors, countedFor: filter };
      const found = await listPublicLinks(db, filter, rowWindowOf(request, continued));
      return pageOf(found, request, {
        ...continued,
        present: presentLink,
        positionOf: ({ createdAt, id }) => ({ sortValue: createdAt.toISOString(), id }),
      });
    },
  };
}

/** @returns the account whose shares a role is limited to; null for those of all members */
function ownerIn({ role, user }: MemberContext): string | null {
  return reachOf(role, 'share:manage') === 'any' ? null : user.id;
}
