import type { Activity } from '@atelier/client';

/** Leaves out started uploads: their completion is an activity of its own. */
export function notableActivities(activities: readonly Activity[]): readonly Activity[] {
  return activities.filter(({ action }) => action !== 'upload.initiate');
}
