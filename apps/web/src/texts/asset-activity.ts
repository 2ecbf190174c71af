import type { Activity, ReviewStatus } from '@atelier/client';

type Action = Extract<Activity['action'], `asset.${string}`>;

/** Texts of the activity of an asset. */
export const texts = {
  empty: 'No activity yet',
  service: 'The system',
  actions: {
    'asset.create': 'uploaded this asset',
    'asset.add_version': 'uploaded a new version',
    'asset.update': 'changed this asset',
    'asset.favorite': 'added it to their favorites',
    'asset.unfavorite': 'removed it from their favorites',
    'asset.restore_version': 'restored an earlier version',
    'asset.change_review': 'changed the review',
    'asset.publish': 'published this asset',
    'asset.delete': 'moved it to the bin',
    'asset.restore': 'restored it from the bin',
    'asset.purge': 'deleted it permanently',
  } satisfies Readonly<Record<Action, string>>,
  /** Of a service that is newer than this page. */
  other: (action: string) => `performed “${action}”`,
  reviews: {
    NONE: 'took the review back',
    IN_REVIEW: 'asked for a review',
    APPROVED: 'approved it',
    CHANGES_REQUESTED: 'asked for changes',
  } satisfies Readonly<Record<ReviewStatus, string>>,
  renamed: (from: string, to: string) => `renamed it from “${from}” to “${to}”`,
  moved: 'moved it to another collection',
  linkOn: 'turned the public link on',
  linkOff: 'turned the public link off',
};
