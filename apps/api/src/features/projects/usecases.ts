import { Project, taskStatuses } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { aboutResource, recordActivity } from '../../domain/activity.ts';
import { changesBetween } from '../../kernel/changes.ts';
import type { ReaderContext, MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { numberedWindowOf, orderIn, paginationOf } from '../../kernel/pagination.ts';
import { assertMayTouch, assertMayUse } from '../../kernel/permissions.ts';
import { assertWithinPlan } from '../../domain/plan-limits/assert.ts';
import { lockOrganization } from '../../domain/plan-limits/queries.ts';
import { anchorOf } from '../../domain/ranks/ranks.ts';
import { rankAt, rankAtEnd } from '../../domain/ranks/queries.ts';
import { fold, searchedText } from '../../domain/folding.ts';
import { mutate } from '../../domain/transaction.ts';
import { freeKey } from './policy.ts';
import {
  countActiveProjects,
  deleteProject,
  findKeysFrom,
  insertProject,
  lockProject,
  projectQueries,
  projectsInOrder,
  updateProject,
  type ProjectRow,
  type ProjectSort,
} from './queries.ts';

interface ProjectListRequest {
  readonly page?: number | undefined;
  readonly limit: number;
  readonly status?: 'ACTIVE' | 'ARCHIVED' | undefined;
  readonly q?: string | undefined;
  readonly sort: ProjectSort | `-${Exclude<ProjectSort, 'position'>}`;
}

/** The requested changes: absent fields stay, a null description clears it. */
interface ProjectUpdate {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly status?: 'ACTIVE' | 'ARCHIVED' | undefined;
}

const aboutProject = aboutResource('project', ({ name }: { readonly name: string }) => name);

/** Manages projects of the selected organization. */
export function projectUseCases({ db, clock }: Deps) {
  const projects = projectQueries(db);

  /**
   * Locks a project for the rest of the transaction and returns its current state.
   *
   * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
   */
  async function lockForChange(
    tx: Transaction,
    { id, ctx }: { id: string; ctx: MemberContext },
  ): Promise<ProjectRow> {
    const current = await lockProject(tx, { organizationId: ctx.organization.id, id });
    if (!current) throw new Failure('not_found');
    assertMayTouch(ctx, 'params.id', current);
    assertUnchanged(ctx, Project, present(current));
    return current;
  }

  return {
    async list(request: ProjectListRequest, ctx: ReaderContext) {
      const { status, q, sort } = request;
      const { rows, total } = await projects.list(
        {
          organizationId: ctx.organization.id,
          status,
          nameContains: q === undefined ? undefined : await searchedText(q),
        },
        orderIn(sort),
        numberedWindowOf(request),
      );
      return { items: rows.map(present), pagination: paginationOf(request, total) };
    },

    /** @throws Failure `plan_limit_reached` (409) */
    async create(
      { name, description = null }: { name: string; description?: string | null | undefined },
      ctx: MemberContext,
    ): Promise<Project> {
      const organizationId = ctx.organization.id;
      const { suggestedKey } = await import('./suggested-key.ts');
      const suggested = suggestedKey(name);
      const nameFolded = await fold(name);
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        await lockBelowProjectLimit(tx, organizationId);
        const taken = await findKeysFrom(tx, organizationId, suggested.slice(0, 1));
        const now = clock.now();
        const { rank } = await rankAtEnd(tx, projectsInOrder(organizationId));
        const row = {
          organizationId,
          id: newId(),
          name,
          nameFolded,
          description,
          key: freeKey(suggested, taken),
          status: 'ACTIVE',
          rank,
          createdBy: ctx.user.id,
          createdAt: now,
          updatedAt: now,
        } as const;
        await insertProject(tx, row);
        const created = await lockProject(tx, row);
        if (!created) throw new Error('unreachable: it was just inserted');
        await recordActivity(tx, {
          ...aboutProject(row, ctx, now),
          action: 'project.create',
          changes: changesBetween({ name: null, description: null }, { name, description }),
          metadata: { key: row.key },
        });
        return present(created);
      });
    },

    /** @throws Failure `not_found` (404) */
    async get(id: string, ctx: ReaderContext): Promise<Project> {
      const row = await projects.find({ organizationId: ctx.organization.id, id });
      if (!row) throw new Failure('not_found');
      return present(row);
    },

    /**
     * Changes the given fields. No-op when unchanged. The key stays: task numbers in old mails still lead there.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412), `plan_limit_reached` (409) for restoring
     *   a project from the archive
     */
    async update(id: string, wanted: ProjectUpdate, ctx: MemberContext): Promise<Project> {
      const organizationId = ctx.organization.id;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        // Before the project, as everywhere: another order of locks would deadlock.
        const organization =
          wanted.status === 'ACTIVE' ? await lockOrganization(tx, organizationId) : null;
        const current = await lockForChange(tx, { id, ctx });
        const { name, description, status } = { ...current, ...stated(wanted) };
        const changes = changesBetween(current, { name, description, status });
        if (changes.length === 0) return present(current);
        if (organization && current.status === 'ARCHIVED') {
          const activeCount = await countActiveProjects(tx, organizationId);
          assertWithinPlan(organization.limits, 'projects', activeCount + 1);
        }
        const updated = { ...current, name, description, status, updatedAt: clock.now() };
        const nameFolded = await fold(name);
        await updateProject(tx, { organizationId, ...updated, nameFolded });
        await recordActivity(tx, {
          ...aboutProject(updated, ctx, updated.updatedAt),
          action: 'project.update',
          changes,
        });
        return present(updated);
      });
    },

    /**
     * Moves a project within its organization. No-op when its position is unchanged.
     *
     * @throws Failure `not_found` (404) for the project or its neighbour, `precondition_failed` (412)
     */
    async move(
      id: string,
      place: Parameters<typeof anchorOf>[0],
      ctx: MemberContext,
    ): Promise<Project> {
      const organizationId = ctx.organization.id;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        await lockOrganization(tx, organizationId);
        const current = await lockForChange(tx, { id, ctx });
        const found = await rankAt(tx, projectsInOrder(organizationId), {
          anchor: anchorOf(place),
          standing: current.rank,
        });
        if (found === null) throw new Failure('not_found');
        const { rank, isRenewed } = found;
        assertMayUse(ctx, 'body.beforeId', 'body.afterId');
        if (rank === current.rank && !isRenewed) return present(current);
        const updatedAt = clock.now();
        await updateProject(tx, { organizationId, ...current, rank, updatedAt });
        const moved = await lockProject(tx, { organizationId, id });
        if (!moved) throw new Error('unreachable: its row is locked');
        await recordActivity(tx, {
          ...aboutProject(moved, ctx, updatedAt),
          action: 'project.move',
          changes: changesBetween({ position: current.position }, { position: moved.position }),
        });
        return present(moved);
      });
    },

    /**
     * Deletes a project, its tasks and their comments.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
     */
    async remove(id: string, ctx: MemberContext): Promise<{ id: string }> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, { id, ctx });
        await deleteProject(tx, { organizationId: ctx.organization.id, id });
        await recordActivity(tx, {
          ...aboutProject(current, ctx, clock.now()),
          action: 'project.delete',
          metadata: { key: current.key, taskCount: present(current).taskCounts.total },
        });
        return { id };
      });
    },
  };
}

/**
 * Locks the organization before it gets another active project.
 *
 * @throws Failure `plan_limit_reached` (409)
 */
async function lockBelowProjectLimit(tx: Transaction, organizationId: string): Promise<void> {
  const organization = await lockOrganization(tx, organizationId);
  if (!organization) throw new Failure('organization_access_denied');
  const activeCount = await countActiveProjects(tx, organizationId);
  assertWithinPlan(organization.limits, 'projects', activeCount + 1);
}

function stated({ name, description, status }: ProjectUpdate) {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(status !== undefined && { status }),
  };
}

function present(row: ProjectRow): Project {
  const { rank: _, tasksByStatus, createdAt, updatedAt, ...project } = row;
  const byStatus = {
    BACKLOG: 0,
    TODO: 0,
    IN_PROGRESS: 0,
    IN_REVIEW: 0,
    DONE: 0,
    CANCELLED: 0,
    ...tasksByStatus,
  };
  return {
    ...project,
    taskCounts: {
      total: taskStatuses.reduce((sum, status) => sum + byStatus[status], 0),
      byStatus,
    },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
