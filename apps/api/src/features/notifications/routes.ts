import type { Deps } from '../../deps.ts';
import { feature } from '../../http/feature.ts';
import { followingUseCases } from './following.ts';
import { preferenceUseCases } from './preferences.ts';
import { notificationUseCases } from './usecases.ts';

export function notificationsFeature(deps: Deps) {
  const notifications = notificationUseCases(deps);
  const following = followingUseCases(deps);
  const preferences = preferenceUseCases(deps);

  return feature('notifications', {
    list: ({ query, ctx }) => notifications.list(query, ctx),
    count: ({ ctx }) => notifications.count(ctx),
    update: ({ params, body, ctx }) => notifications.update(params.id, body, ctx),
    read: ({ body, ctx }) => notifications.mark('readAt', body, ctx),
    archive: ({ body, ctx }) => notifications.mark('archivedAt', body, ctx),
    following: ({ params, ctx }) => following.find(params.id, ctx),
    follow: ({ params, ctx }) => following.set(params.id, 'FOLLOWING', ctx),
    unfollow: ({ params, ctx }) => following.set(params.id, 'MUTED', ctx),
    followers: ({ params, query, ctx }) => following.list(params.id, query, ctx),
    preferences: ({ ctx }) => preferences.find(ctx),
    setPreferences: ({ body, ctx }) => preferences.set(body, ctx),
    unsubscribe: ({ query }) => preferences.unsubscribe(query.token),
  });
}
