/**
 * Prisma 7 as its documentation advises: the generated client over the adapter for node-postgres, relations by
 * `include`, several writes in an interactive transaction. The position of a task in its column, which the client can't
 * express, is a raw query.
 *
 * @see https://www.prisma.io/docs/orm/prisma-client/queries/relation-queries
 * @see https://www.prisma.io/docs/orm/prisma-client/queries/transactions
 * @see https://www.prisma.io/docs/orm/prisma-client/using-raw-sql/raw-queries
 */
import { PrismaPg } from '@prisma/adapter-pg';
import type { AccountRow, TaskRow } from '../../../src/limit/rows.ts';
import { positionOf } from '../../../src/limit/statements.ts';
import type { Records } from '../records.ts';
import { Prisma, PrismaClient } from './generated/client.ts';

const withPersonal = {
  organizations: { where: { type: 'PERSONAL' }, select: { id: true } },
} satisfies Prisma.UserInclude;

type User = Prisma.UserGetPayload<{ include: typeof withPersonal }>;

function accountOf({ organizations: [personal], ...user }: User): AccountRow {
  return {
    id: user.id,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    platform_role: user.platformRole,
    mail_notices: user.mailNotices,
    mail_sign_ins: user.mailSignIns,
    account_status: user.accountStatus,
    personal_id: personal?.id ?? '',
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}

const withRelations = {
  assignments: {
    orderBy: [{ assignedAt: 'asc' }, { userId: 'asc' }],
    select: { user: { select: { id: true, email: true, firstName: true, lastName: true } } },
  },
  labels: {
    orderBy: { label: { nameKey: 'asc' } },
    select: { label: { select: { id: true, name: true, color: true } } },
  },
  parent: { select: { id: true, number: true, title: true } },
  _count: { select: { comments: true, attachments: { where: { asset: { deletedAt: null } } } } },
} satisfies Prisma.TaskInclude;

type Task = Prisma.TaskGetPayload<{ include: typeof withRelations }>;

function rowOf(task: Task, { position, total }: { position: number; total: number }): TaskRow {
  return {
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
    position,
    comment_count: task._count.comments,
    attachment_count: task._count.attachments,
    parent: task.parent,
    subtask_count: task.subtaskCount,
    completed_subtask_count: task.completedSubtaskCount,
    assignees: task.assignments.map(({ user }) => user),
    labels: task.labels.map(({ label }) => label),
    total,
  };
}

export function recordsByGuide(databaseUrl: string): Records {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl }) });

  const caller: Records['caller'] = async ({ sessionId, userId }) => {
    const session = await prisma.session.findFirst({
      where: {
        id: sessionId,
        userId,
        endedAt: null,
        expiresAt: { gt: new Date() },
        user: { accountStatus: 'VERIFIED' },
      },
      include: { user: { include: withPersonal } },
    });
    return session && accountOf(session.user);
  };

  async function positionsOf(organizationId: string, taskIds: string[]) {
    const rows = await prisma.$queryRaw<{ id: string; position: number }[]>`
      select id, ${Prisma.raw(positionOf('task'))} as position
      from tasks task
      where organization_id = ${organizationId}::uuid and id = any(${taskIds}::uuid[])`;
    return new Map(rows.map(({ id, position }) => [id, position]));
  }

  return {
    caller,
    async member(claims, organizationId) {
      const account = await caller(claims);
      if (!account) return null;
      const membership = await prisma.membership.findFirst({
        where: {
          organizationId,
          userId: account.id,
          status: 'ACTIVE',
          organization: { deletedAt: null },
        },
        select: { role: true },
      });
      return membership && { ...account, role: membership.role };
    },
    async tasks(organizationId, atMost) {
      const where = { organizationId };
      const [tasks, total] = await Promise.all([
        prisma.task.findMany({
          where,
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          take: atMost,
          include: withRelations,
        }),
        prisma.task.count({ where, take: 10_001 }),
      ]);
      const positions = await positionsOf(
        organizationId,
        tasks.map(({ id }) => id),
      );
      return tasks.map((task) => rowOf(task, { position: positions.get(task.id) ?? 0, total }));
    },
    post: ({ activityId, requestId, ...comment }) =>
      prisma.$transaction(async (tx) => {
        const { organizationId, taskId, authorId, createdAt } = comment;
        const task = await tx.task.findUnique({
          where: { organizationId_id: { organizationId, id: taskId } },
          select: { title: true },
        });
        if (!task) return false;
        await tx.comment.create({ data: comment });
        await tx.activity.create({
          data: {
            id: activityId,
            action: 'comment.create',
            actorId: authorId,
            organizationId,
            resourceType: 'comment',
            resourceId: comment.id,
            resourceName: task.title,
            changes: [],
            metadata: { taskId },
            requestId,
            createdAt,
          },
        });
        return true;
      }),
  };
}
