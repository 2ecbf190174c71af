import type { TestUser } from '../accounts.ts';
import type { activityWalk } from '../activity-walk.ts';
import type { TestApi } from '../api.ts';

/** Where a story takes place, and among whom. */
export interface Story {
  readonly api: TestApi;
  readonly walk: ReturnType<typeof activityWalk>['walk'];
  readonly people: {
    readonly ada: TestUser;
    readonly bob: TestUser;
    readonly viewer: TestUser;
    readonly stranger: TestUser;
  };
}
