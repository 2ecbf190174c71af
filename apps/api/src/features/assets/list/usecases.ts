import {
  tagKeyOf,
  tagKeysIn,
  type Asset,
  type AssetTags,
  type ReviewStatus,
} from '@atelier/contract';
import type { Deps } from '../../../deps.ts';
import { searchedText } from '../../../domain/folding.ts';
import { presentAsset } from '../../../domain/asset-view/present.ts';
import type { AssetRow } from '../../../domain/asset-view/queries.ts';
import type { ReaderContext, MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { orderIn, pageOf, rowWindowOf, type PageRequest } from '../../../kernel/pagination.ts';
import type { AssetFilter } from './queries/filter.ts';
import { assetListQueries } from './queries/lists.ts';
import type { AssetSort } from './queries/order.ts';

interface AssetListRequest extends PageRequest {
  readonly type?: string | undefined;
  readonly favorite?: boolean | undefined;
  readonly reviewStatus?: ReviewStatus | undefined;
  /** Separated by `,`. */
  readonly tags?: string | undefined;
  readonly q?: string | undefined;
  readonly sort: AssetSort | `-${AssetSort}`;
}

interface ScopedListRequest extends AssetListRequest {
  readonly scope: 'personal' | 'organization';
  readonly collectionId?: string | undefined;
}

interface CollectionListRequest extends AssetListRequest {
  /** Separated by `/`. */
  readonly names?: string | undefined;
}

type Narrowing = Pick<AssetFilter, 'createdBy' | 'collectionId' | 'names'>;

/** Lists the assets of the selected organization, and their tags. */
export function assetListUseCases({ db, store, config, cursors }: Deps) {
  const assets = assetListQueries(db);

  async function pageOfAssets(request: AssetListRequest, narrowing: Narrowing, ctx: ReaderContext) {
    const order = orderIn(request.sort);
    const filter = {
      ...narrowing,
      organizationId: ctx.organization.id,
      viewerId: ctx.user.id,
      type: request.type,
      favorite: request.favorite,
      reviewStatus: request.reviewStatus,
      tagKeys: request.tags === undefined ? undefined : tagKeysIn(request.tags),
      contains: request.q === undefined ? undefined : await searchedText(request.q),
    };
    const continued = { list: `assets:${request.sort}`, cursors, countedFor: filter };
    const found = await assets.list(filter, order, rowWindowOf(request, continued));
    const { items, pagination } = pageOf(found, request, {
      ...continued,
      present: (row) => presentAsset({ store, config }, row),
      positionOf: (row) => ({ sortValue: sortValueOf(row, order.by), id: row.id }),
    });
    return { items: await Promise.all<Asset>(items), pagination };
  }

  return {
    async list(request: ScopedListRequest, ctx: ReaderContext) {
      const { scope, collectionId } = request;
      const createdBy = scope === 'personal' ? ctx.user.id : undefined;
      return pageOfAssets(request, { createdBy, collectionId }, ctx);
    },

    async suggestTags(beginning: string | undefined, ctx: MemberContext): Promise<AssetTags> {
      const items = await assets.listTags({
        organizationId: ctx.organization.id,
        keyPrefix: tagKeyOf(beginning ?? ''),
      });
      return { items };
    },

    /** @throws Failure `not_found` (404) */
    async listInCollection(
      collectionId: string,
      request: CollectionListRequest,
      ctx: ReaderContext,
    ) {
      const names = request.names?.split('/');
      const page = await pageOfAssets(request, { collectionId, names }, ctx);
      // A collection with assets exists.
      const isThere =
        page.items.length > 0 ||
        (await assets.hasCollection({ organizationId: ctx.organization.id, collectionId }));
      if (!isThere) throw new Failure('not_found');
      return page;
    },
  };
}

function sortValueOf(row: AssetRow, by: AssetSort): string {
  switch (by) {
    case 'createdAt':
    case 'updatedAt':
      return row[by];
    case 'assetName':
      return row.name;
    case 'fileSize':
      return String(row.fileSizeBytes);
  }
}
