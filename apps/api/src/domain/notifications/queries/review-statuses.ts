import type { ReviewStatus } from '@atelier/contract';
import { and, eq, or, sql } from 'drizzle-orm';
import type { Executor } from '../../../db/executor.ts';
import { activities } from '../../../db/generated/schema.ts';

/** A notification that tells the status of a review. */
interface Telling {
  readonly organizationId: string;
  readonly activityId: string;
  /** The time of the activity. */
  readonly updatedAt: Date;
}

/** The statuses of reviews that activities have noted. */
export function statusesTold(db: Executor, telling: readonly Telling[]) {
  return db
    .select({
      id: activities.id,
      status: sql<ReviewStatus | null>`${activities.changes} -> 0 ->> 'to'`,
    })
    .from(activities)
    .where(
      or(
        ...telling.map(({ organizationId, activityId, updatedAt }) =>
          and(
            eq(activities.organizationId, organizationId),
            eq(activities.id, activityId),
            // Names the partition.
            eq(activities.createdAt, updatedAt),
          ),
        ),
      ),
    );
}
