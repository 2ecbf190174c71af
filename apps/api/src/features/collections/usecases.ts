import type { Collection } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { recordActivity } from '../../kernel/activity.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../kernel/pagination.ts';
import {
  collectionQueries,
  insertCollection,
  type CollectionRow,
  type CollectionSort,
} from './queries.ts';

interface CollectionListRequest extends PageRequest {
  readonly scope: 'personal' | 'organization';
  readonly favorite?: boolean | undefined;
  readonly q?: string | undefined;
  readonly sort: CollectionSort | `-${CollectionSort}`;
}

/** Collections of the selected organization. */
export function collectionUseCases({ db, clock, cursors }: Deps) {
  const collections = collectionQueries(db);

  return {
    async create(title: string, ctx: MemberContext): Promise<Collection> {
      const now = clock.now();
      const row = {
        id: newId(),
        organizationId: ctx.organization.id,
        title,
        createdBy: ctx.user.id,
        createdAt: now,
      };
      await db.transaction(async (tx) => {
        await insertCollection(tx, row);
        await recordActivity(tx, {
          action: 'collection.create',
          actorId: ctx.user.id,
          organizationId: row.organizationId,
          resourceType: 'collection',
          resourceId: row.id,
          resourceName: title,
          changes: [{ field: 'title', from: null, to: title }],
          requestId: ctx.requestId,
          at: now,
        });
      });
      return present({ ...row, updatedAt: now, assetCount: 0, isFavorite: false });
    },

    async list(request: CollectionListRequest, ctx: MemberContext) {
      const by = sortNameOf(request.sort);
      const list = `collections:${request.sort}`;
      const found = await collections.list(
        {
          organizationId: ctx.organization.id,
          viewerId: ctx.user.id,
          createdBy: request.scope === 'personal' ? ctx.user.id : null,
          favorite: request.favorite,
          titleContains: request.q,
        },
        { by, direction: request.sort === by ? 'ascending' : 'descending' },
        rowWindowOf(request, list, cursors),
      );
      return pageOf(found, request, {
        list,
        cursors,
        present,
        positionOf: (row) => ({ sortValue: sortValueOf(row, by), id: row.id }),
      });
    },

    /** @throws Failure `not_found` (404) */
    async get(id: string, ctx: MemberContext): Promise<Collection> {
      const row = await collections.find({
        organizationId: ctx.organization.id,
        id,
        viewerId: ctx.user.id,
      });
      if (!row) throw new Failure('not_found');
      return present(row);
    },
  };
}

function present(row: CollectionRow): Collection {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function sortNameOf(sort: CollectionSort | `-${CollectionSort}`): CollectionSort {
  switch (sort) {
    case 'createdAt':
    case '-createdAt':
      return 'createdAt';
    case 'updatedAt':
    case '-updatedAt':
      return 'updatedAt';
    case 'title':
    case '-title':
      return 'title';
  }
}

function sortValueOf(row: CollectionRow, by: CollectionSort): string {
  return by === 'title' ? row.title : row[by].toISOString();
}
