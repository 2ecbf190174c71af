import { and, desc, eq, or, sql } from 'drizzle-orm';
import type { Executor } from '../../../db/executor.ts';
import { activities, users } from '../../../db/generated/schema.ts';
import { statement } from '../../../db/session/statement.ts';
import { visibleActions, type Viewer } from '../audience.ts';
import { listedColumns, literal, type ActivityRow } from './lists.ts';
import { ownerOf, rowsIn } from './rows.ts';

const shownRows = 10;
/**
 * Number of the newest activities to choose from. Without a limit, a key with few scopes would have the whole log read;
 * with it, reading ends as soon as enough are found.
 */
const readRows = 1000;

const latest = statement((db) => {
  const newest = rowsIn(db, activities, { shape: ['scopeOrganizationId'], isContinued: false })
    .limit(literal(readRows))
    .as('newest');
  const isOneOf = (name: string) => sql`${newest.action} = any(${sql.placeholder(name)}::text[])`;
  const found = db
    .select()
    .from(newest)
    .where(
      or(
        isOneOf('ofAnyone'),
        and(eq(newest.actorId, sql.placeholder('viewerId')), isOneOf('ofViewer')),
        and(sql`${ownerOf(newest)} = ${sql.placeholder('viewerId')}::text`, isOneOf('aboutTheirs')),
      ),
    )
    .orderBy(desc(newest.createdAt), desc(newest.id))
    .limit(literal(shownRows))
    .as('found');
  return db
    .select(listedColumns(found))
    .from(found)
    .leftJoin(users, eq(users.id, found.actorId))
    .orderBy(desc(found.createdAt), desc(found.id));
});

/** The latest ten activities of an organization that a member may see, newest first. */
export function latestActivities(
  db: Executor,
  { organizationId, viewer }: { organizationId: string; viewer: Viewer },
): Promise<ActivityRow[]> {
  return latest(db, {
    scopeOrganizationId: organizationId,
    viewerId: viewer.userId,
    ...visibleActions(viewer),
  });
}
