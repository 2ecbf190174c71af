/**
 * The records by TypeORM 1.1 as its guide and Nest's advise: repositories that are injected, relations, several
 * writes in `dataSource.transaction`, rows by `insert`.
 *
 * @see https://docs.nestjs.com/techniques/database
 * @see https://typeorm.io/docs/working-with-entity-manager/find-options
 * @see https://typeorm.io/docs/advanced-topics/transactions
 */
import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, MoreThan, Repository } from 'typeorm';
import type { AccountRow, TaskRow } from '../../../src/limit/rows.ts';
import type { Claims } from '../../../src/limit/tokens.ts';
import type { NewComment, Records } from '../records.ts';
import { Activity, Comment, Membership, Session, Task, type User } from './entities.ts';

const countedAtMost = 10_001;

@Injectable()
export class RecordsByGuide implements Records {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    @InjectRepository(Membership) private readonly memberships: Repository<Membership>,
    @InjectRepository(Task) private readonly tasksOfAll: Repository<Task>,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  async caller({ sessionId, userId }: Claims): Promise<AccountRow | null> {
    const session = await this.sessions.findOne({
      where: {
        id: sessionId,
        userId,
        endedAt: IsNull(),
        expiresAt: MoreThan(new Date()),
        user: { accountStatus: 'VERIFIED', organizations: { type: 'PERSONAL' } },
      },
      relations: { user: { organizations: true } },
    });
    return session && accountOf(session.user);
  }

  async member(claims: Claims, organizationId: string): Promise<AccountRow | null> {
    const account = await this.caller(claims);
    if (!account) return null;
    const membership = await this.memberships.findOneBy({
      organizationId,
      userId: account.id,
      status: 'ACTIVE',
      organization: { deletedAt: IsNull() },
    });
    return membership && { ...account, role: membership.role };
  }

  async tasks(organizationId: string, atMost: number): Promise<TaskRow[]> {
    const [tasks, total] = await Promise.all([
      this.tasksOfAll.find({
        where: { organizationId },
        order: { createdAt: 'DESC', id: 'DESC' },
        take: atMost,
      }),
      this.countOf(organizationId),
    ]);
    return tasks.map((task) => rowOf(task, total));
  }

  private async countOf(organizationId: string): Promise<number> {
    const counted = await this.dataSource
      .createQueryBuilder()
      .select('count(*)::int', 'total')
      .from(
        (query) =>
          query
            .select('1')
            .from(Task, 'task')
            .where('task.organizationId = :organizationId', { organizationId })
            .limit(countedAtMost),
        'counted',
      )
      .getRawOne<{ total: number }>();
    return counted?.total ?? 0;
  }

  post({ activityId, requestId, ...comment }: NewComment): Promise<boolean> {
    const { id, organizationId, taskId, authorId, createdAt } = comment;
    return this.dataSource.transaction(async (manager) => {
      const task = await manager.findOne(Task, {
        where: { organizationId, id: taskId },
        select: { title: true },
      });
      if (!task) return false;
      await manager.insert(Comment, comment);
      await manager.insert(Activity, {
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
    });
  }
}

function accountOf(user: User): AccountRow {
  return {
    id: user.id,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    platform_role: user.platformRole,
    mail_notices: user.mailNotices,
    mail_sign_ins: user.mailSignIns,
    account_status: user.accountStatus,
    personal_id: user.organizations[0]?.id ?? '',
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}

function rowOf(task: Task, total: number): TaskRow {
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
    position: task.position,
    comment_count: task.commentCount,
    attachment_count: task.attachmentCount,
    parent: task.parent,
    subtask_count: task.subtaskCount,
    completed_subtask_count: task.completedSubtaskCount,
    assignees: task.assignees,
    labels: task.labels,
    total,
  };
}
