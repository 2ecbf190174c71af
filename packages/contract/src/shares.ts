import { z } from 'zod/v4';
import { memberAccess, pathMemberAccess } from './access.ts';
import { Deleted } from './collections.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { filter } from './lists.ts';
import { cursorListOf } from './pagination.ts';
import { Id, timestampInput } from './primitives.ts';
import {
  CreateShareBody,
  PublicLinkPage,
  Share,
  SharePage,
  SharePolicy,
  ShareStatus,
  ShareTargetType,
  ShareViewAction,
  ShareViewPage,
  UpdateShareBody,
  UpdateSharePolicyBody,
} from './share-schemas.ts';
import { shareVisitOperations } from './share-visits.ts';
import { filterBy, target } from './targets.ts';

const sharePath = z.object({ id: Id });
const organizationPath = z.object({ id: Id });
/** What may not be managed isn't read either: the link is part of it. */
const readable = { 'params.id': target('share', 'share:manage') };
const manageable = { 'params.id': target('share', 'share:manage') };

/** Links that show an asset or a collection to people without an account. */
export const shares = {
  create: endpoint({
    method: 'POST',
    path: '/api/shares',
    summary: 'Share an asset or a collection by a link',
    description: 'An organization has at most 500 shares that have not ended.',
    isAddition: true,
    access: memberAccess('share:create'),
    effect: 'disclose',
    idempotent: true,
    body: CreateShareBody,
    targets: { 'body.targetId': target('asset', 'asset:read') },
    success: created('Share created', Share),
    errors: ['not_found', 'share_policy', 'too_many_shares', 'too_many_pinned_assets'],
    activity: 'share.create',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/shares',
    summary: 'List shares',
    description: 'Newest first. Members list their own; owners and admins all.',
    isAddition: true,
    access: memberAccess('share:read'),
    query: cursorListOf({
      targetType: ShareTargetType.optional(),
      targetId: Id.optional(),
      status: ShareStatus.optional(),
      scope: z
        .enum(['organization', 'personal'])
        .default('organization')
        .describe("`personal`: only the caller's own."),
    }),
    list: {
      filters: {
        targetType: filter('equal', 'target.type'),
        targetId: filter('equal', 'target.id'),
        scope: filter('scope', 'createdBy'),
      },
      order: ['-createdAt'],
    },
    targets: { 'query.targetId': filterBy('any') },
    success: ok('Shares retrieved', SharePage),
  }),
  publicLinks: endpoint({
    method: 'GET',
    path: '/api/shares/public-links',
    summary: 'List the public links of assets',
    description:
      'Members list those of their own assets; owners and admins all. All of them, together with all shares, are everything that the organization shows to outsiders. `assets.update` ends one.',
    isAddition: true,
    access: memberAccess('share:read'),
    query: cursorListOf({}),
    list: { order: ['-createdAt'] },
    success: ok('Public links retrieved', PublicLinkPage),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/shares/:id',
    summary: 'Get a share',
    isAddition: true,
    access: memberAccess('share:read'),
    etag: true,
    pathParams: sharePath,
    targets: readable,
    success: ok('Share retrieved', Share),
    errors: ['not_found'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/shares/:id',
    summary: 'Change the conditions of a share',
    description: 'Counts for visits that are under way too, at their next request.',
    isAddition: true,
    access: memberAccess('share:manage'),
    effect: 'disclose',
    ifMatch: true,
    pathParams: sharePath,
    body: UpdateShareBody,
    targets: manageable,
    success: ok('Share updated', Share),
    errors: [
      'not_found',
      'share_revoked',
      'share_policy',
      'too_many_shares',
      'too_many_pinned_assets',
    ],
    activity: 'share.update',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/shares/:id',
    summary: 'End a share',
    description:
      'Visits end at their next request. It stays listed for 90 days, as REVOKED; ending it again is `not_found`.',
    isAddition: true,
    access: memberAccess('share:manage'),
    effect: 'remove',
    ifMatch: true,
    pathParams: sharePath,
    targets: manageable,
    success: ok('Share ended', Deleted),
    errors: ['not_found'],
    activity: 'share.revoke',
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/shares/:id/rotate',
    summary: 'Replace the link of a share',
    description: 'The old link no longer works, and visits by it end.',
    isAddition: true,
    access: memberAccess('share:manage'),
    effect: 'disclose',
    idempotent: true,
    pathParams: sharePath,
    targets: manageable,
    success: created('Link replaced', Share),
    errors: ['not_found', 'share_revoked'],
    activity: 'share.rotate',
  }),
  views: endpoint({
    method: 'GET',
    path: '/api/shares/:id/views',
    summary: 'List what visitors of a share did',
    description: 'Newest first, of the last 90 days; up to 5 seconds old.',
    isAddition: true,
    access: memberAccess('share:read'),
    pathParams: sharePath,
    query: cursorListOf({
      action: ShareViewAction.optional(),
      from: timestampInput().optional().describe('From this time (inclusive).'),
      to: timestampInput().optional().describe('Until this time (exclusive).'),
    }),
    list: {
      filters: { from: filter('notBefore', 'at'), to: filter('before', 'at') },
      order: ['-at'],
    },
    targets: readable,
    success: ok('Views retrieved', ShareViewPage),
    errors: ['not_found'],
  }),
  ...shareVisitOperations,
  policy: endpoint({
    method: 'GET',
    path: '/api/organizations/:id/share-policy',
    summary: 'Get the share policy of an organization',
    isAddition: true,
    access: pathMemberAccess('organization:read'),
    etag: true,
    pathParams: organizationPath,
    targets: { 'params.id': target('organization', 'organization:read') },
    success: ok('Share policy retrieved', SharePolicy),
  }),
  updatePolicy: endpoint({
    method: 'PATCH',
    path: '/api/organizations/:id/share-policy',
    summary: 'Change the share policy of an organization',
    description:
      'Counts for existing shares too. Those that are not allowed or lack a required password end, those that last longer are shortened, and downloads that are not allowed are switched off.',
    isAddition: true,
    access: pathMemberAccess('organization:rename'),
    effect: 'change',
    ifMatch: true,
    pathParams: organizationPath,
    body: UpdateSharePolicyBody,
    targets: { 'params.id': target('organization', 'organization:rename') },
    success: ok('Share policy updated', SharePolicy),
    activity: 'organization.change_share_policy',
  }),
};
