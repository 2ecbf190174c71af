import { and, eq, sql, type SQL } from 'drizzle-orm';
import { announceAfterCommit } from '../../db/session/after-commit.ts';
import { lockingStatement, statement, statementByShape } from '../../db/session/statement.ts';
import type { Executor, Transaction } from '../../db/executor.ts';
import { after, orderOf, type Keyset } from '../../db/keyset.ts';
import { comments, tasks, users } from '../../db/generated/schema.ts';
import type { AuthorityValues } from '../../domain/authority/queries.ts';
import type { RowWindow } from '../../kernel/pagination.ts';

const view = {
  id: comments.id,
  taskId: comments.taskId,
  body: comments.body,
  createdAt: comments.createdAt,
  editedAt: comments.editedAt,
  author: {
    id: users.id,
    email: users.email,
    firstName: users.firstName,
    lastName: users.lastName,
    avatarKey: users.avatarKey,
  },
};

export type CommentDirection = Keyset['direction'];

/** A task within its organization. */
export interface TaskKey {
  readonly organizationId: string;
  readonly taskId: string;
}

/** A comment under its task. */
export interface CommentKey extends TaskKey {
  readonly id: string;
}

/** A comment and the authority of its author. */
export interface NewComment extends CommentKey, AuthorityValues {
  readonly body: string;
  readonly createdAt: Date;
  readonly activityId: string;
  readonly requestId: string;
  /** Whom the text mentions. */
  readonly mentionedIds: readonly string[];
}

const ofTask = and(
  eq(comments.organizationId, sql.placeholder('organizationId')),
  eq(comments.taskId, sql.placeholder('taskId')),
);

interface ListShape {
  readonly direction: CommentDirection;
  readonly isContinued: boolean;
}

const commentsOfTask = statementByShape((db, { direction, isContinued }: ListShape) => {
  const keyset = { column: comments.createdAt, id: comments.id, direction };
  const createdAt = sql.param(sql.placeholder('createdAt'), comments.createdAt);
  const rest = isContinued ? after(keyset, createdAt, sql.placeholder('afterId')) : undefined;
  return db
    .select(view)
    .from(comments)
    .innerJoin(users, eq(users.id, comments.authorId))
    .where(and(ofTask, rest))
    .orderBy(...orderOf(keyset))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'));
});

// Selected from the task, so that a missing task gives no row and one without comments a zero.
const commentCountOfTask = statement((db) =>
  db
    .select({
      total: sql<number>`(
        select count(*)::int from ${comments}
        where ${comments.organizationId} = ${sql.placeholder('organizationId')}
          and ${comments.taskId} = ${sql.placeholder('taskId')})`,
    })
    .from(tasks)
    .where(
      and(
        eq(tasks.organizationId, sql.placeholder('organizationId')),
        eq(tasks.id, sql.placeholder('taskId')),
      ),
    ),
);

/** @returns null without such a task */
export async function listComments(
  db: Executor,
  task: TaskKey,
  { direction, window }: { direction: CommentDirection; window: RowWindow },
) {
  const { limit, offset, after: position } = window;
  const values = {
    ...task,
    limit,
    offset,
    ...(position && { createdAt: new Date(position.sortValue), afterId: position.id }),
  };
  const [rows, [counted]] = await Promise.all([
    commentsOfTask(db, { direction, isContinued: position !== null }, values),
    commentCountOfTask(db, { ...task }),
  ]);
  return counted ? { rows, total: counted.total } : null;
}

const value = sql.placeholder;

/** A function of the database proves the authority, locks the task, and writes both rows in one round trip. */
const posted = lockingStatement((db) =>
  db.select({ isPosted: sql<boolean>`posted` })
    .from(sql`post_comment(${value('credentialId')}::uuid, ${value('userId')}::uuid,
    ${value('organizationId')}::uuid, ${sql.param(value('now'), comments.createdAt)}::timestamptz, ${value('roles')}::text[],
    ${value('taskId')}::uuid, ${value('id')}::uuid, ${value('body')}::text,
    ${sql.param(value('createdAt'), comments.createdAt)}::timestamptz, ${value('activityId')}::uuid,
    ${value('mentioned')}::text::jsonb, ${value('apiKeyId')}::uuid, ${value('requestId')}::text,
    ${value('versions')}::text) as posted`),
);

/**
 * Stores a comment with its activity, in one statement.
 *
 * @returns false without such a task, or without authority to post
 */
export async function postComment(
  db: Executor,
  { mentionedIds, ...comment }: NewComment,
): Promise<boolean> {
  const mentioned = JSON.stringify(mentionedIds.length > 0 ? { mentionedIds } : {});
  const [row] = await posted(db, { ...comment, mentioned });
  const isPosted = row?.isPosted ?? false;
  if (isPosted) announceAfterCommit(db, `organization:${comment.organizationId}`);
  return isPosted;
}

/**
 * Locks a comment against changes until the transaction ends.
 *
 * @returns its locked state, with the title of its task
 */
export async function lockComment(tx: Transaction, key: CommentKey) {
  // A separate statement: the next one sees what was committed while this one waited.
  await tx.select({ id: comments.id }).from(comments).where(isComment(key)).for('no key update');
  const [row] = await tx
    .select({ ...view, taskTitle: tasks.title })
    .from(comments)
    .innerJoin(users, eq(users.id, comments.authorId))
    .innerJoin(
      tasks,
      and(eq(tasks.organizationId, key.organizationId), eq(tasks.id, comments.taskId)),
    )
    .where(isComment(key));
  return row ?? null;
}

export type LockedComment = NonNullable<Awaited<ReturnType<typeof lockComment>>>;
export type CommentRow = Omit<LockedComment, 'taskTitle'>;

export async function changeBody(
  tx: Transaction,
  key: CommentKey,
  { body, editedAt }: { body: string; editedAt: Date },
): Promise<void> {
  await tx.update(comments).set({ body, editedAt }).where(isComment(key));
}

export async function deleteComment(tx: Transaction, key: CommentKey): Promise<void> {
  await tx.delete(comments).where(isComment(key));
}

function isComment({ organizationId, taskId, id }: CommentKey): SQL | undefined {
  return and(
    eq(comments.organizationId, organizationId),
    eq(comments.taskId, taskId),
    eq(comments.id, id),
  );
}
