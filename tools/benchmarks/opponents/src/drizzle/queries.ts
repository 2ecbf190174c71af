import { and, desc, eq, gt, isNull, sql, type Placeholder } from 'drizzle-orm';
import { alias, type PgDatabase, type PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { TaskRow } from '../../../src/limit/rows.ts';
import {
  assigneesOf,
  attachmentCountOf,
  commentCountOf,
  labelsOf,
  parentOf,
  positionOf,
} from '../../../src/limit/statements.ts';
import { memberships, organizations, sessions, tasks, users } from './schema.ts';

type Db = PgDatabase<PgQueryResultHKT>;
type Given<Value> = Value | Placeholder;

const personal = alias(organizations, 'personal');

/** Columns of an account, named as the hand-written rows are. */
const account = {
  id: users.id,
  email: users.email,
  first_name: users.firstName,
  last_name: users.lastName,
  platform_role: users.platformRole,
  mail_notices: users.mailNotices,
  mail_sign_ins: users.mailSignIns,
  account_status: users.accountStatus,
  personal_id: personal.id,
  created_at: users.createdAt,
  updated_at: users.updatedAt,
};

interface Key {
  readonly sessionId: Given<string>;
  readonly userId: Given<string>;
  readonly now: Given<Date>;
}

const isOpen = ({ sessionId, userId, now }: Key) =>
  and(
    eq(sessions.id, sessionId),
    eq(sessions.userId, userId),
    isNull(sessions.endedAt),
    gt(sessions.expiresAt, now),
    eq(users.accountStatus, 'VERIFIED'),
  );

const isPersonal = and(eq(personal.ownerId, users.id), eq(personal.type, 'PERSONAL'));

export function selectCaller(db: Db, key: Key) {
  return db
    .select(account)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(personal, isPersonal)
    .where(isOpen(key));
}

/** The user and the role in one query. */
export function selectMember(db: Db, key: Key & { organizationId: Given<string> }) {
  const isAlive = and(eq(organizations.id, key.organizationId), isNull(organizations.deletedAt));
  return db
    .select({ ...account, role: memberships.role })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(personal, isPersonal)
    .leftJoin(organizations, isAlive)
    .leftJoin(
      memberships,
      and(
        eq(memberships.organizationId, organizations.id),
        eq(memberships.userId, users.id),
        eq(memberships.status, 'ACTIVE'),
      ),
    )
    .where(isOpen(key));
}

export function selectRole(db: Db, by: { userId: string; organizationId: string }) {
  return db
    .select({ role: memberships.role })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(memberships.organizationId, by.organizationId),
        eq(memberships.userId, by.userId),
        eq(memberships.status, 'ACTIVE'),
        isNull(organizations.deletedAt),
      ),
    );
}

/** The newest tasks of an organization with their computed columns. */
export function selectTasks(
  db: Db,
  { organizationId, atMost }: { organizationId: Given<string>; atMost: Given<number> },
) {
  const task = db
    .select()
    .from(tasks)
    .where(eq(tasks.organizationId, organizationId))
    .orderBy(desc(tasks.createdAt), desc(tasks.id))
    .limit(atMost)
    .as('task');
  return db
    .select({
      id: task.id,
      number: task.number,
      project_id: task.projectId,
      organization_id: task.organizationId,
      title: task.title,
      description: task.description,
      status: task.status,
      priority: task.priority,
      due_date: task.dueDate,
      completed_at: task.completedAt,
      created_by: task.createdBy,
      created_at: task.createdAt,
      updated_at: task.updatedAt,
      position: sql<number>`${sql.raw(positionOf('task'))}`,
      comment_count: sql<number>`${sql.raw(commentCountOf('task'))}`,
      parent: sql<TaskRow['parent']>`${sql.raw(parentOf('task'))}`,
      subtask_count: task.subtaskCount,
      completed_subtask_count: task.completedSubtaskCount,
      attachment_count: sql<number>`${sql.raw(attachmentCountOf('task'))}`,
      assignees: sql<TaskRow['assignees']>`${sql.raw(assigneesOf('task'))}`,
      labels: sql<TaskRow['labels']>`${sql.raw(labelsOf('task'))}`,
      total: sql<number>`(
        select count(*)::int
        from (select 1 from tasks where organization_id = ${organizationId} limit 10001) counted
      )`,
    })
    .from(task)
    .orderBy(desc(task.createdAt), desc(task.id));
}
