import { z } from 'zod';

/** What an activity row can be about. */
export const resourceTypes = [
  'user',
  'organization',
  'member',
  'invitation',
  'collection',
  'asset',
  'upload',
  'project',
  'task',
  'comment',
] as const;
export type ResourceType = (typeof resourceTypes)[number];

/**
 * Every recorded action, as `resource.verb`. A successful mutation records exactly one of them in its
 * own transaction; webhooks and live events use the same names.
 */
export const activityActions = [
  'user.register',
  'user.verify_email',
  'user.request_password_reset',
  'user.reset_password',
  'user.login',
  'user.logout',
  'user.end_sessions',
  'user.token_replay',
  'user.update_profile',
  'user.update_avatar',
  'user.link_identity',
  'user.suspend',
  'user.reinstate',
  'user.grant_admin',
  'user.revoke_admin',
  'organization.create',
  'organization.rename',
  'organization.update',
  'organization.delete',
  'member.join',
  'member.update',
  'member.remove',
  'invitation.create',
  'invitation.revoke',
  'collection.create',
  'collection.rename',
  'collection.favorite',
  'collection.unfavorite',
  'collection.delete',
  'collection.restore',
  'asset.create',
  'asset.add_version',
  'asset.update',
  'asset.favorite',
  'asset.unfavorite',
  'asset.restore_version',
  'asset.publish',
  'asset.delete',
  'asset.restore',
  'upload.initiate',
  'upload.abort',
  'project.create',
  'project.update',
  'project.move',
  'project.delete',
  'task.create',
  'task.update',
  'task.move',
  'task.assign',
  'task.delete',
  'comment.create',
  'comment.update',
  'comment.delete',
] as const;

/** A member of {@link activityActions}. */
export type ActivityAction = (typeof activityActions)[number];

export const ActivityActionName = z.enum(activityActions).meta({
  id: 'ActivityAction',
  description: 'What happened, as `resource.verb`.',
  examples: ['asset.create'],
});

export const ResourceTypeName = z.enum(resourceTypes).meta({
  id: 'ResourceType',
  description: 'What an activity is about.',
  examples: ['asset'],
});
