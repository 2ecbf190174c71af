import { maxSuggestedTags } from '@atelier/contract';
import { and, desc, eq, isNotNull, isNull, like, sql } from 'drizzle-orm';
import { totalIn } from '../../../../db/count.ts';
import type { Database } from '../../../../db/executor.ts';
import { assets, collections } from '../../../../db/generated/schema.ts';
import { startingWith } from '../../../../db/patterns.ts';
import { statement, statementByShape } from '../../../../db/session/statement.ts';
import {
  commonLimits,
  type CursorPosition,
  type RowWindow,
} from '../../../../kernel/pagination.ts';
import { countOf, matching, maxCountedOf, type AssetFilter } from './filter.ts';
import { sortColumns, type AssetOrder } from './order.ts';
import { pageOfAssets } from './page.ts';

/** The parts of a prepared list that change its text. */
interface PlainShape {
  readonly narrowedBy: 'createdBy' | 'collectionId' | null;
  readonly order: AssetOrder;
  readonly limit: number;
  readonly isContinued: boolean;
  readonly isCounted: boolean;
}

const existingCollection = statement((db) =>
  db
    .select({ id: collections.id })
    .from(collections)
    .where(
      and(
        eq(collections.organizationId, sql.placeholder('organizationId')),
        eq(collections.id, sql.placeholder('collectionId')),
        isNull(collections.deletedAt),
      ),
    ),
);

const plainPageOfAssets = statementByShape((db, shape: PlainShape) => {
  const { narrowedBy, order, limit, isContinued, isCounted } = shape;
  const filter = {
    organizationId: sql.placeholder('organizationId'),
    viewerId: sql.placeholder('viewerId'),
    ...(narrowedBy && { [narrowedBy]: sql.placeholder('narrowedTo') }),
  };
  const position = {
    sortValue: sql.param(sql.placeholder('sortValue'), sortColumns[order.by]),
    id: sql.placeholder('afterId'),
  };
  return pageOfAssets(db, {
    filter,
    order,
    after: isContinued ? position : null,
    limit,
    offset: 0,
    isCounted,
  });
});

/** Tagged assets that are examined for suggestions. */
const examinedAssets = 5_000;

/** In the spelling of the asset that changed last. */
const suggestedTags = statement((db) => {
  const recent = db
    .select({ tags: assets.tags, tagKeys: assets.tagKeys, updatedAt: assets.updatedAt })
    .from(assets)
    .where(
      and(
        eq(assets.organizationId, sql.placeholder('organizationId')),
        isNull(assets.deletedAt),
        isNotNull(assets.tagKeys),
      ),
    )
    .orderBy(desc(assets.updatedAt))
    .limit(examinedAssets)
    .as('recent');
  return db
    .select({
      tag: sql<string>`(array_agg(each.tag order by ${recent.updatedAt} desc))[1]`,
      assetCount: sql<number>`count(*)::int`,
    })
    .from(recent)
    .crossJoinLateral(sql`unnest(${recent.tags}, ${recent.tagKeys}) as each(tag, key)`)
    .where(like(sql`each.key`, sql.placeholder('pattern')))
    .groupBy(sql`each.key`)
    .orderBy(sql`count(*) desc, each.key`)
    .limit(maxSuggestedTags);
});

export function assetListQueries(db: Database) {
  async function rowsOf(filter: AssetFilter, order: AssetOrder, window: RowWindow) {
    const position = window.after && positionIn(order, window.after);
    const shape = plainShapeOf(filter, order, window);
    if (!shape) {
      return pageOfAssets(db, {
        filter,
        order,
        after: position,
        limit: window.limit,
        offset: window.offset,
        isCounted: window.total === null,
      });
    }
    const { organizationId, viewerId, createdBy, collectionId } = filter;
    return plainPageOfAssets(db, shape, {
      organizationId,
      viewerId,
      narrowedTo: collectionId ?? createdBy,
      sortValue: position?.sortValue,
      afterId: position?.id,
    });
  }

  return {
    async list(filter: AssetFilter, order: AssetOrder, window: RowWindow) {
      const rows = await rowsOf(filter, order, window);
      const isWholeList = window.offset === 0 && !window.after;
      const total = await totalIn(
        window,
        // Past the end of a list, no row carries the total.
        async () => rows[0]?.count ?? (isWholeList ? 0 : countAssets(db, filter)),
        maxCountedOf(filter),
      );
      return { rows, ...total };
    },

    /** The most frequent first. */
    async listTags({ organizationId, keyPrefix }: { organizationId: string; keyPrefix: string }) {
      return suggestedTags(db, { organizationId, pattern: startingWith(keyPrefix) });
    },

    async hasCollection(key: { organizationId: string; collectionId: string }): Promise<boolean> {
      const [row] = await existingCollection(db, key);
      return row !== undefined;
    },
  };
}

/**
 * Chooses the lists to prepare, whose plan doesn't depend on their values: one index contains exactly the rows, in their
 * order. All others are planned for each set of values; a plan for a rare name is ruinous for a common one.
 */
function plainShapeOf(
  filter: AssetFilter,
  order: AssetOrder,
  window: RowWindow,
): PlainShape | null {
  const { createdBy, collectionId, type, favorite, reviewStatus, tagKeys, names } = filter;
  const others = [type, favorite, reviewStatus, tagKeys, filter.contains, names];
  if (others.some((value) => value !== undefined)) return null;
  if (createdBy !== undefined && collectionId !== undefined) return null;
  const narrowedBy =
    createdBy !== undefined ? 'createdBy' : collectionId !== undefined ? 'collectionId' : null;
  if (narrowedBy !== null && order.by !== 'createdAt') return null;
  if (window.offset > 0 || !commonLimits.includes(window.limit)) return null;
  return {
    narrowedBy,
    order,
    limit: window.limit,
    isContinued: window.after !== null,
    isCounted: window.total === null,
  };
}

async function countAssets(db: Database, filter: AssetFilter): Promise<number> {
  const count = countOf(filter, matching(filter));
  const [row] = await db.execute<{ count: number }>(sql`select ${count} as count`);
  return row?.count ?? 0;
}

function positionIn(order: AssetOrder, { sortValue, id }: CursorPosition) {
  switch (order.by) {
    case 'assetName':
      return { sortValue, id };
    case 'fileSize':
      return { sortValue: Number(sortValue), id };
    case 'createdAt':
    case 'updatedAt':
      return { sortValue: new Date(sortValue), id };
  }
}
