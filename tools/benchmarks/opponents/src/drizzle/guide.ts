/**
 * drizzle 0.45 as its documentation starts with it: `drizzle(url)` over node-postgres, queries built for each
 * request, `db.transaction` for several writes.
 *
 * @see https://orm.drizzle.team/docs/get-started/postgresql-new
 * @see https://orm.drizzle.team/docs/transactions
 */
import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { NewComment, Records } from '../records.ts';
import { selectCaller, selectRole, selectTasks } from './queries.ts';
import { activities, comments, tasks } from './schema.ts';

export function recordsByGuide(databaseUrl: string): Records {
  const db = drizzle(databaseUrl);

  const caller: Records['caller'] = async ({ sessionId, userId }) => {
    const [account] = await selectCaller(db, { sessionId, userId, now: new Date() });
    return account ?? null;
  };

  return {
    caller,
    async member(claims, organizationId) {
      const account = await caller(claims);
      if (!account) return null;
      const [membership] = await selectRole(db, { userId: account.id, organizationId });
      return membership ? { ...account, role: membership.role } : null;
    },
    tasks: (organizationId, atMost) => selectTasks(db, { organizationId, atMost }),
    post: (comment) => db.transaction((tx) => insertComment(tx, comment)),
  };
}

type Transaction = Parameters<Parameters<ReturnType<typeof drizzle>['transaction']>[0]>[0];

async function insertComment(tx: Transaction, comment: NewComment): Promise<boolean> {
  const { id, organizationId, taskId, authorId, body, createdAt, activityId, requestId } = comment;
  const [task] = await tx
    .select({ title: tasks.title })
    .from(tasks)
    .where(and(eq(tasks.organizationId, organizationId), eq(tasks.id, taskId)))
    .for('key share');
  if (!task) return false;
  await tx.insert(comments).values({ id, organizationId, taskId, authorId, body, createdAt });
  await tx.insert(activities).values({
    id: activityId,
    action: 'comment.create',
    actorId: authorId,
    organizationId,
    resourceType: 'comment',
    resourceId: id,
    resourceName: task.title,
    changes: [],
    metadata: { taskId },
    requestId,
    createdAt,
  });
  return true;
}
