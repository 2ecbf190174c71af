import { z } from 'zod';
import { memberAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { cursorList, pageOf, searchText, sortQuery } from './pagination.ts';
import { Id, queryBoolean, text, Timestamp } from './primitives.ts';

export const Collection = z
  .object({
    id: Id,
    title: z.string(),
    organizationId: Id,
    createdBy: Id,
    assetCount: z.int().min(0),
    isFavorite: z.boolean().describe('Whether the caller marked it.'),
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

export const CollectionTitleBody = z.object({ title: text({ max: 120 }) }).meta({
  id: 'CollectionTitleBody',
  description: 'The title of a collection, 1 to 120 characters.',
  examples: [{ title: 'Brand pictures' }],
});

export const FavoriteBody = z.object({ isFavorite: z.boolean() }).meta({
  id: 'FavoriteBody',
  description: 'Sets the mark of the caller; it does not toggle.',
  examples: [{ isFavorite: true }],
});

export const Deleted = z.object({ id: Id }).meta({
  id: 'Deleted',
  description: 'What was deleted.',
  examples: [{ id: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f' }],
});

/** Whose records a list shows: the caller's own, or all of the organization. */
export const scopeQuery = z
  .enum(['personal', 'organization'])
  .default('personal')
  .describe(
    "`personal`: the caller's own in the selected organization; `organization`: all of it.",
  );

const collectionPath = z.object({ id: Id });

export const collections = {
  create: endpoint({
    method: 'POST',
    path: '/api/collections/create',
    summary: 'Create a collection',
    access: memberAccess('collection:create'),
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
    query: cursorList.safeExtend({
      scope: scopeQuery,
      favorite: queryBoolean().optional().describe('Only marked, or only unmarked ones.'),
      q: searchText,
      sort: sortQuery(['-createdAt', 'createdAt', 'title', '-title', 'updatedAt', '-updatedAt']),
    }),
    success: ok('Collections retrieved', CollectionPage),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/collections/:id',
    summary: 'Get one collection',
    access: memberAccess('collection:read'),
    etag: true,
    pathParams: collectionPath,
    success: ok('Collection retrieved', Collection),
    errors: ['not_found'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/collections/:id',
    summary: 'Delete a collection',
    description: 'Takes its assets along into the bin, where both stay for 30 days.',
    access: memberAccess('collection:delete'),
    ifMatch: true,
    pathParams: collectionPath,
    success: ok('Collection deleted', Deleted),
    errors: ['not_found'],
    activity: 'collection.delete',
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/collections/:id',
    summary: 'Update the title of a collection',
    access: memberAccess('collection:edit'),
    ifMatch: true,
    pathParams: collectionPath,
    body: CollectionTitleBody,
    success: ok('Collection updated', Collection),
    errors: ['not_found'],
    activity: 'collection.rename',
  }),
  favorite: endpoint({
    method: 'PATCH',
    path: '/api/collections/:id/favorite',
    summary: 'Favorite or unfavorite a collection',
    access: memberAccess('collection:favorite'),
    ifMatch: true,
    pathParams: collectionPath,
    body: FavoriteBody,
    success: ok('Favorite updated', Collection),
    errors: ['not_found'],
    activity: ['collection.favorite', 'collection.unfavorite'],
  }),
};
