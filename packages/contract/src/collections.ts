import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { filter } from './lists.ts';
import { cursorListOf, pageOf, searchText, sortQuery } from './pagination.ts';
import { Id, queryBoolean, text, Timestamp } from './primitives.ts';
import { target } from './targets.ts';

export const Collection = z
  .object({
    id: Id,
    title: z.string(),
    organizationId: Id,
    createdBy: Id,
    assetCount: z.int().min(0),
    isFavorite: z.boolean().describe('Whether it is a favorite of the caller.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'Collection',
    description: 'A named set of assets of one organization.',
    examples: [
      {
        id: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
        title: 'Brand pictures',
        organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
        createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        assetCount: 12,
        isFavorite: false,
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type Collection = z.infer<typeof Collection>;

export const CollectionPage = pageOf(Collection, 'CollectionPage');

/** Days that a deleted record stays in the bin before it is deleted permanently. */
export const binDays = 30;

/** Fields of every record in the bin. */
export const inBin = {
  deletedAt: Timestamp,
  purgeAt: Timestamp.describe('When it will be deleted permanently.'),
};

export const BinnedCollection = Collection.extend({
  assetCount: z.int().min(0).describe('Assets that were deleted with it.'),
  ...inBin,
}).meta({
  id: 'BinnedCollection',
  description: 'A deleted collection that can still be restored.',
  examples: [
    {
      id: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f',
      title: 'Brand pictures',
      organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
      createdBy: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
      assetCount: 12,
      isFavorite: false,
      createdAt: '2026-11-21T09:30:00.000Z',
      updatedAt: '2026-11-21T09:30:00.000Z',
      deletedAt: '2026-11-22T09:30:00.000Z',
      purgeAt: '2026-12-22T09:30:00.000Z',
    },
  ],
});
export type BinnedCollection = z.infer<typeof BinnedCollection>;

export const BinnedCollectionPage = pageOf(BinnedCollection, 'BinnedCollectionPage');

export const CollectionTitleBody = z.object({ title: text({ max: 120 }) }).meta({
  id: 'CollectionTitleBody',
  description: 'The title of a collection, 1 to 120 characters.',
  examples: [{ title: 'Brand pictures' }],
});

export const FavoriteBody = z.object({ isFavorite: z.boolean() }).meta({
  id: 'FavoriteBody',
  description: 'Whether it is a favorite of the caller. It is set, not toggled.',
  examples: [{ isFavorite: true }],
});

export const Deleted = z.object({ id: Id }).meta({
  id: 'Deleted',
  description: 'The deleted record.',
  examples: [{ id: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f' }],
});

/** The records that a list shows: the caller's own, or all of the organization. */
export const scopeQuery = z
  .enum(['personal', 'organization'])
  .default('personal')
  .describe(
    "`personal`: the caller's own in the selected organization; `organization`: all of the organization.",
  );

const collectionPath = z.object({ id: Id });

export const collections = {
  create: endpoint({
    method: 'POST',
    path: '/api/collections/create',
    summary: 'Create a collection',
    access: memberAccess('collection:create'),
    effect: 'change',
    idempotent: true,
    body: CollectionTitleBody,
    success: created('Collection created', Collection),
    activity: 'collection.create',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/collections',
    summary: 'List collections',
    access: memberAccess('collection:read'),
    query: cursorListOf({
      scope: scopeQuery,
      favorite: queryBoolean().optional().describe('Only favorites, or only others.'),
      q: searchText,
      sort: sortQuery(['-createdAt', 'createdAt', 'title', '-title', 'updatedAt', '-updatedAt']),
    }),
    list: {
      filters: {
        scope: filter('scope', 'createdBy'),
        favorite: filter('equal', 'isFavorite'),
        q: filter('contains', 'title'),
      },
    },
    success: ok('Collections retrieved', CollectionPage),
  }),
  bin: endpoint({
    method: 'GET',
    path: '/api/collections/bin',
    summary: 'List deleted collections',
    description: 'Last deleted first.',
    isAddition: true,
    access: memberAccess('collection:read'),
    query: cursorListOf({ scope: scopeQuery, q: searchText }),
    list: {
      filters: { scope: filter('scope', 'createdBy'), q: filter('contains', 'title') },
      order: ['-deletedAt'],
    },
    success: ok('Bin retrieved', BinnedCollectionPage),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/collections/:id/restore',
    summary: 'Restore a collection from the bin',
    description:
      'Also restores the assets that were deleted with it; the caller must be allowed to restore each of them. No-op when repeated.',
    isAddition: true,
    access: memberAccess('collection:delete'),
    effect: 'change',
    pathParams: collectionPath,
    targets: { 'params.id': target('collection', 'collection:delete') },
    success: ok('Collection restored', Collection),
    errors: ['not_found', 'collection_has_others_assets'],
    activity: 'collection.restore',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/collections/:id',
    summary: 'Get a collection',
    access: memberAccess('collection:read'),
    etag: true,
    pathParams: collectionPath,
    targets: { 'params.id': target('collection', 'collection:read') },
    success: ok('Collection retrieved', Collection),
    errors: ['not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/collections/:id',
    summary: 'Delete a collection',
    description:
      'Moves it with its assets to the bin for 30 days; the caller must be allowed to delete each of them.',
    access: memberAccess('collection:delete'),
    effect: 'remove',
    ifMatch: true,
    pathParams: collectionPath,
    targets: { 'params.id': target('collection', 'collection:delete') },
    success: ok('Collection deleted', Deleted),
    errors: ['not_found', 'collection_has_others_assets'],
    activity: 'collection.delete',
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/collections/:id',
    summary: 'Update the title of a collection',
    access: memberAccess('collection:edit'),
    effect: 'change',
    ifMatch: true,
    pathParams: collectionPath,
    body: CollectionTitleBody,
    targets: { 'params.id': target('collection', 'collection:edit') },
    success: ok('Collection updated', Collection),
    errors: ['not_found'],
    activity: 'collection.rename',
  }),
  favorite: endpoint({
    method: 'PATCH',
    path: '/api/collections/:id/favorite',
    summary: 'Favorite or unfavorite a collection',
    access: memberAccess('collection:favorite'),
    effect: 'change',
    ifMatch: true,
    pathParams: collectionPath,
    body: FavoriteBody,
    targets: { 'params.id': target('collection', 'collection:favorite') },
    success: ok('Favorite updated', Collection),
    errors: ['not_found'],
    activity: ['collection.favorite', 'collection.unfavorite'],
  }),
};
