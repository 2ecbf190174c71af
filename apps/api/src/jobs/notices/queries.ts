import { and, eq, isNull } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Executor } from '../../db/executor.ts';
import {
  comments,
  memberships,
  organizations,
  projects,
  taskAssignees,
  tasks,
  users,
} from '../../db/generated/schema.ts';
import type { Jobs } from '../../ports/jobs.ts';

const actor = alias(users, 'actor');

const notice = {
  email: users.email,
  taskTitle: tasks.title,
  projectId: tasks.projectId,
  projectName: projects.name,
  actor: { email: actor.email, firstName: actor.firstName, lastName: actor.lastName },
};

/** Selects the content of a mail about a task; no row if the recipient or the subject no longer exists. */
function noticesOfTask(
  db: Executor,
  { organizationId, taskId, userId }: { organizationId: string; taskId: string; userId: string },
) {
  const maySee = and(
    eq(users.id, userId),
    eq(users.accountStatus, 'VERIFIED'),
    eq(users.mailNotices, true),
  );
  return db
    .select(notice)
    .from(tasks)
    .innerJoin(
      projects,
      and(eq(projects.organizationId, organizationId), eq(projects.id, tasks.projectId)),
    )
    .innerJoin(
      organizations,
      and(eq(organizations.id, tasks.organizationId), isNull(organizations.deletedAt)),
    )
    .innerJoin(users, maySee)
    .innerJoin(
      memberships,
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.userId, users.id),
        eq(memberships.status, 'ACTIVE'),
      ),
    )
    .where(and(eq(tasks.organizationId, organizationId), eq(tasks.id, taskId)))
    .$dynamic();
}

/** @returns null if the user may not be notified any more, or is not assigned any more */
export async function findAssignmentNotice(db: Executor, job: Jobs['send_assignment_notice']) {
  const [row] = await noticesOfTask(db, job)
    .innerJoin(
      taskAssignees,
      and(
        eq(taskAssignees.organizationId, job.organizationId),
        eq(taskAssignees.taskId, tasks.id),
        eq(taskAssignees.userId, users.id),
      ),
    )
    .innerJoin(actor, eq(actor.id, job.actorId));
  return row ?? null;
}

/** @returns null if the user may not be notified any more, or the comment is gone */
export async function findMentionNotice(db: Executor, job: Jobs['send_mention_notice']) {
  const [row] = await noticesOfTask(db, job)
    .innerJoin(
      comments,
      and(
        eq(comments.organizationId, job.organizationId),
        eq(comments.taskId, tasks.id),
        eq(comments.id, job.commentId),
      ),
    )
    .innerJoin(actor, eq(actor.id, comments.authorId));
  return row ?? null;
}

export type NoticeRow = NonNullable<Awaited<ReturnType<typeof findMentionNotice>>>;
