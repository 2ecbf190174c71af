import { initContract, type AppRouter } from '@ts-rest/core';
import { assets } from './assets.ts';
import { auth } from './auth.ts';
import { collections } from './collections.ts';
import { comments } from './comments.ts';
import { dashboard } from './dashboard.ts';
import { events } from './events.ts';
import type { groupCatalogue } from './groups.ts';
import { health } from './health.ts';
import { organizations } from './organizations.ts';
import { plans } from './plans.ts';
import { profile } from './profile.ts';
import { projects } from './projects.ts';
import { sessions } from './sessions.ts';
import { tasks } from './tasks.ts';
import { timeline } from './timeline.ts';
import { labels } from './labels.ts';
import { uploads } from './uploads.ts';

const operationsByGroup = {
  health,
  auth,
  sessions,
  profile,
  plans,
  timeline,
  events,
  organizations,
  collections,
  assets,
  uploads,
  projects,
  tasks,
  comments,
  dashboard,
  labels,
} satisfies Record<keyof typeof groupCatalogue, object>;

/** Every operation of the service; each group is one feature. */
export type Contract = typeof operationsByGroup;

// Only the type for no body differs from ts-rest's, see NoBody. Without options the router returns the
// same operations.
export const contract = initContract().router(
  operationsByGroup as object as AppRouter,
) as object as Contract;
