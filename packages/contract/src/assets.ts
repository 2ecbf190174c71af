import { z } from 'zod/v4';
import { memberAccess, publicAccess } from './access.ts';
import { Asset, AssetPage, BinnedAssetPage, EmptiedBin } from './asset.ts';
import { assetDescription, AssetTags, assetTags, maxTagLength, tagFilter } from './asset-tags.ts';
import { AssetVersionPage, CoverBody, Download } from './asset-content.ts';
import { ReviewBody, ReviewStatus } from './asset-review.ts';
import { Deleted, FavoriteBody, scopeQuery } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok, redirect } from './envelope.ts';
import { filter } from './lists.ts';
import { cursorList, cursorListOf, searchText, sortQuery } from './pagination.ts';
import { Id, queryBoolean, queryInteger, text } from './primitives.ts';
import { activityList, ActivityPage, activityQuery, activityTargets } from './timeline.ts';
import { filterBy, target } from './targets.ts';

export const UpdateAssetBody = z
  .object({
    assetName: text({ max: 255 }).optional(),
    collectionId: Id.optional().describe('Moves the asset within its organization.'),
    publicLinkEnabled: z.boolean().optional(),
    description: assetDescription,
    tags: assetTags,
  })
  .meta({
    id: 'UpdateAssetBody',
    description: 'The fields to change; absent fields keep their value. Creates no version.',
    examples: [{ assetName: 'logo-2026.png', tags: ['logo', 'print'] }],
  });

export const PublishBody = z
  .object({
    collectionId: Id.optional().describe(
      'Collection of the organization to publish into. Default: your collection `Published` there, which is created if missing. An asset that was published before stays in its collection.',
    ),
  })
  .optional()
  .meta({
    id: 'PublishBody',
    description: 'Where to publish to. Optional.',
    examples: [{ collectionId: '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f' }],
  });

const assetPath = z.object({ id: Id });
const versionNumber = queryInteger({ min: 1, max: 1_000_000 });

const assetListFields = {
  type: text({ max: 127 }).optional().describe('Prefix of the media type, such as `image/`.'),
  favorite: queryBoolean().optional().describe('Only favorites, or only others.'),
  reviewStatus: ReviewStatus.optional().describe(
    'Only assets whose current version has this status.',
  ),
  tags: tagFilter,
  q: searchText.describe('Text that name, description or a tag has in it, at most 200 characters.'),
  sort: sortQuery([
    '-createdAt',
    'createdAt',
    'assetName',
    '-assetName',
    'fileSize',
    '-fileSize',
    'updatedAt',
    '-updatedAt',
  ]),
};

const fileNames = text({ max: 4096 })
  .optional()
  .describe('Whole file names, separated by `/`. Only assets with one of them, in the same case.');

const binList = {
  filters: { scope: filter('scope', 'createdBy'), q: filter('contains', 'assetName') },
  order: ['-deletedAt'],
} as const;

const listFilters = {
  type: filter('startsWith', 'assetType'),
  favorite: filter('equal', 'isFavorite'),
  reviewStatus: filter('equal', 'review.status'),
  tags: filter('allOf', 'tags'),
  q: filter('contains', 'assetName', 'description', 'tags'),
};

export const assets = {
  list: endpoint({
    method: 'GET',
    path: '/api/assets',
    summary: 'List assets in the current scope',
    access: memberAccess('asset:read'),
    query: cursorListOf({ ...assetListFields, scope: scopeQuery, collectionId: Id.optional() }),
    list: { filters: { ...listFilters, scope: filter('scope', 'createdBy') } },
    targets: { 'query.collectionId': filterBy('collection') },
    success: ok('Assets retrieved', AssetPage),
  }),
  myLogs: endpoint({
    method: 'GET',
    path: '/api/assets/logs',
    summary: "List the caller's asset activity",
    access: memberAccess('asset:read'),
    query: activityQuery,
    list: activityList,
    targets: activityTargets,
    success: ok('Asset activity retrieved', ActivityPage),
  }),
  bin: endpoint({
    method: 'GET',
    path: '/api/assets/bin',
    summary: 'List deleted assets',
    description: 'Last deleted first.',
    isAddition: true,
    access: memberAccess('asset:read'),
    query: cursorListOf({
      scope: scopeQuery,
      collectionId: Id.optional(),
      q: searchText,
    }),
    list: binList,
    targets: { 'query.collectionId': filterBy('collection') },
    success: ok('Bin retrieved', BinnedAssetPage),
  }),
  tags: endpoint({
    method: 'GET',
    path: '/api/assets/tags',
    summary: 'Suggest tags of the organization',
    description: 'Examines the 5,000 tagged assets that changed last.',
    isAddition: true,
    access: memberAccess('asset:read'),
    query: z.object({
      q: text({ max: maxTagLength }).optional().describe('Beginning of the tag, in any case.'),
    }),
    success: ok('Tags retrieved', AssetTags),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/assets/:id/restore',
    summary: 'Restore an asset from the bin',
    description: 'No-op when repeated.',
    isAddition: true,
    access: memberAccess('asset:delete'),
    effect: 'change',
    pathParams: assetPath,
    targets: { 'params.id': target('asset', 'asset:delete') },
    success: ok('Asset restored', Asset),
    errors: ['not_found', 'collection_deleted'],
    activity: 'asset.restore',
  }),
  purge: endpoint({
    method: 'DELETE',
    path: '/api/assets/bin/:id',
    summary: 'Delete an asset in the bin permanently',
    description:
      'It can’t be restored any more. Its content is removed from the storage soon after.',
    isAddition: true,
    access: memberAccess('asset:delete'),
    keys: 'refused',
    confirmation: true,
    effect: 'remove',
    pathParams: assetPath,
    targets: { 'params.id': target('asset', 'asset:delete') },
    success: ok('Asset deleted permanently', Deleted),
    errors: ['not_found'],
    activity: 'asset.purge',
  }),
  emptyBin: endpoint({
    method: 'DELETE',
    path: '/api/assets/bin',
    summary: 'Empty the bin',
    description:
      'Deletes permanently what the caller has created: assets, and collections that contain nothing of others; with `scope=organization`, everything, which is refused if the caller may not delete all of it. The first 500 assets and collections are gone at once, the others soon after.',
    isAddition: true,
    access: memberAccess('asset:delete'),
    keys: 'refused',
    confirmation: true,
    effect: 'remove',
    query: z.object({
      scope: scopeQuery,
      collectionId: Id.optional().describe(
        'Only the assets of this collection, and the collection itself if it is in the bin.',
      ),
    }),
    targets: { 'query.collectionId': filterBy('collection') },
    success: ok('Bin emptied', EmptiedBin),
    activity: 'organization.empty_bin',
  }),
  listInCollection: endpoint({
    method: 'GET',
    path: '/api/assets/collection/:collectionId',
    summary: 'List assets of a collection',
    access: memberAccess('asset:read'),
    pathParams: z.object({ collectionId: Id }),
    query: cursorListOf({ ...assetListFields, names: fileNames }),
    list: { filters: { ...listFilters, names: filter('oneOf', 'assetName') } },
    targets: { 'params.collectionId': target('collection', 'asset:read') },
    success: ok('Assets retrieved', AssetPage),
    errors: ['not_found'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/assets/:id',
    summary: 'Get asset details',
    access: memberAccess('asset:read'),
    etag: true,
    pathParams: assetPath,
    targets: { 'params.id': target('asset', 'asset:read') },
    success: ok('Asset retrieved', Asset),
    errors: ['not_found'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/assets/:id',
    summary: 'Update an asset',
    access: memberAccess('asset:edit'),
    effect: 'disclose',
    ifMatch: true,
    pathParams: assetPath,
    body: UpdateAssetBody,
    targets: {
      'params.id': target('asset', 'asset:edit'),
      'body.collectionId': target('collection', 'asset:create'),
    },
    success: ok('Asset updated', Asset),
    errors: ['not_found', 'public_links_forbidden'],
    activity: 'asset.update',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/assets/:id',
    summary: 'Delete an asset',
    description: 'Moves it to the bin, where it stays for 30 days.',
    access: memberAccess('asset:delete'),
    effect: 'remove',
    ifMatch: true,
    pathParams: assetPath,
    targets: { 'params.id': target('asset', 'asset:delete') },
    success: ok('Asset deleted', Deleted),
    errors: ['not_found'],
    activity: 'asset.delete',
  }),
  favorite: endpoint({
    method: 'PATCH',
    path: '/api/assets/:id/favorite',
    summary: 'Favorite or unfavorite an asset',
    access: memberAccess('asset:favorite'),
    effect: 'change',
    ifMatch: true,
    pathParams: assetPath,
    body: FavoriteBody,
    targets: { 'params.id': target('asset', 'asset:favorite') },
    success: ok('Favorite updated', Asset),
    errors: ['not_found'],
    activity: ['asset.favorite', 'asset.unfavorite'],
  }),
  review: endpoint({
    method: 'PUT',
    path: '/api/assets/:id/review',
    summary: 'Set the review status of a version',
    description:
      'A new version starts with `NONE`; earlier ones keep their status. No-op when unchanged.',
    isAddition: true,
    access: memberAccess('asset:review'),
    effect: 'change',
    ifMatch: true,
    pathParams: assetPath,
    body: ReviewBody,
    targets: { 'params.id': target('asset', 'asset:review') },
    success: ok('Review updated', Asset),
    errors: ['not_found'],
    activity: 'asset.change_review',
  }),
  setCover: endpoint({
    method: 'PUT',
    path: '/api/assets/:id/cover',
    summary: 'Set the cover of a PDF or video',
    description:
      'For clients that have just uploaded the file: the service makes thumbnails of pictures only. The picture becomes the thumbnail of the version, re-encoded and without metadata. No-op if the version has a thumbnail.',
    isAddition: true,
    access: memberAccess('asset:edit'),
    effect: 'change',
    tool: false,
    pathParams: assetPath,
    body: CoverBody,
    bodyLimitBytes: 392 * 1024,
    targets: { 'params.id': target('asset', 'asset:edit') },
    success: ok('Cover set', Asset),
    errors: ['not_found', 'cover_unsupported', 'cover_invalid', 'storage_unavailable'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/assets/:id/download',
    summary: 'Get a presigned download URL',
    access: memberAccess('asset:read'),
    pathParams: assetPath,
    query: z.object({
      version: versionNumber.optional().describe('Default: the current version.'),
    }),
    targets: { 'params.id': target('asset', 'asset:read') },
    success: ok('Download ready', Download),
    errors: ['not_found', 'storage_unavailable'],
  }),
  publish: endpoint({
    method: 'POST',
    path: '/api/assets/:id/publish',
    summary: 'Publish a personal asset into the organization',
    description:
      'The header selects a TEAM organization, which gets its own asset with the same content. Publishing again after the content changed adds a version to that asset; a changed name does not.',
    access: memberAccess('asset:publish'),
    effect: 'change',
    idempotent: true,
    pathParams: assetPath,
    body: PublishBody,
    targets: {
      'params.id': target('asset', 'asset:publish'),
      'body.collectionId': target('collection', 'asset:create'),
    },
    success: created('Asset published', Asset),
    errors: ['not_found', 'publish_target_required', 'already_published', 'plan_limit_reached'],
    activity: 'asset.publish',
  }),
  logs: endpoint({
    method: 'GET',
    path: '/api/assets/:id/asset-logs',
    summary: 'List activity of an asset',
    access: memberAccess('asset:read'),
    pathParams: assetPath,
    query: activityQuery,
    list: activityList,
    targets: {
      'params.id': target('asset', 'asset:read'),
      ...activityTargets,
    },
    success: ok('Asset activity retrieved', ActivityPage),
    errors: ['not_found'],
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/assets/:id/versions',
    summary: 'List versions of an asset',
    description: 'Newest first.',
    access: memberAccess('asset:read'),
    pathParams: assetPath,
    query: cursorList,
    list: { order: ['-versionNumber'] },
    targets: { 'params.id': target('asset', 'asset:read') },
    success: ok('Versions retrieved', AssetVersionPage),
    errors: ['not_found'],
  }),
  restoreVersion: endpoint({
    method: 'PATCH',
    path: '/api/assets/:id/versions/restore/:versionNumber',
    summary: 'Restore a version of an asset',
    description:
      'Adds a version with the old content and keeps the name. No-op if that content is current.',
    access: memberAccess('asset:edit'),
    effect: 'change',
    ifMatch: true,
    pathParams: z.object({ id: Id, versionNumber }),
    targets: { 'params.id': target('asset', 'asset:edit') },
    success: ok('Version restored', Asset),
    errors: ['not_found', 'plan_limit_reached'],
    activity: 'asset.restore_version',
  }),
  followShortLink: endpoint({
    method: 'GET',
    path: '/s/:code',
    summary: 'Follow the public short URL of an asset',
    description: 'Redirects to a presigned URL while the public link is on.',
    isAddition: true,
    access: publicAccess,
    pathParams: z.object({
      code: z
        .string()
        .regex(/^[0-9A-Za-z]{16}$/, { error: 'Invalid code: expected 16 letters and digits' }),
    }),
    success: redirect,
    errors: ['not_found', 'storage_unavailable'],
  }),
};
