import type { TaskCounts } from '@atelier/contract';
import { and, eq, like, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { Database, Transaction } from '../../db/executor.ts';
import { statement, statementByShape } from '../../db/session/statement.ts';
import { orderOf, type Keyset } from '../../db/keyset.ts';
import {
  nameContains as containsText,
  patternsOf,
  startingWith,
  type SearchedText,
} from '../../db/patterns.ts';
import { projects, tasks } from '../../db/generated/schema.ts';
import { rankedLists, type RankedList } from '../../domain/ranks/queries.ts';

const { id, name, description, key, status, createdBy, createdAt, updatedAt } = projects;
const fields = { id, name, description, key, status, createdBy, createdAt, updatedAt };

// Columns are qualified by hand: in a select from one table drizzle omits the table's name, and inside
// the subqueries a bare `id` would be another table's.
function positionWithin(organizationId: string | Placeholder): SQL<number> {
  return sql<number>`(
    select count(*)::int from ${projects} as earlier
    where earlier.organization_id = ${organizationId} and earlier.rank < projects.rank)`;
}

type CountByStatus = Partial<z.infer<typeof TaskCounts>['byStatus']>;

/**
 * Reads only an index: it contains project and status of every task.
 *
 * @param project - the name under which the statement selects from projects
 * @param organizationId - their organization, or its placeholder
 */
function tasksByStatusOf(
  project: 'projects' | 'page',
  organizationId: string | Placeholder,
): SQL<CountByStatus> {
  return sql<CountByStatus>`(
    select coalesce(jsonb_object_agg(counted.status, counted.amount), '{}') from (
      select status, count(*)::int as amount from ${tasks} as task
      where task.organization_id = ${organizationId}
        and task.project_id = ${sql.identifier(project)}.id
      group by status) as counted)`;
}

function viewWithin(organizationId: string | Placeholder) {
  return {
    ...fields,
    rank: projects.rank,
    position: positionWithin(organizationId),
    tasksByStatus: tasksByStatusOf('projects', organizationId),
  };
}

/** A project within its organization. */
export interface ProjectKey {
  readonly organizationId: string;
  readonly id: string;
}

export interface ProjectFilter {
  readonly organizationId: string;
  readonly status?: 'ACTIVE' | 'ARCHIVED' | undefined;
  readonly nameContains?: SearchedText | undefined;
}

export type ProjectSort = 'position' | 'createdAt' | 'updatedAt' | 'name';

export interface ProjectOrder {
  readonly by: ProjectSort;
  readonly direction: Keyset['direction'];
}

/** The parts of a list that change its statement; everything else is a parameter. */
interface ListShape extends ProjectOrder {
  readonly filters: readonly ('status' | 'namePattern')[];
}

const anyOrganizationId = sql.placeholder('organizationId');

const projectInOrganization = statement((db) =>
  db
    .select(viewWithin(anyOrganizationId))
    .from(projects)
    .where(
      and(eq(projects.organizationId, anyOrganizationId), eq(projects.id, sql.placeholder('id'))),
    ),
);

/** The projects of a list: positions are counted once for the whole organization. */
function placedProjects(db: Database, filters: ListShape['filters']) {
  const placed = db
    .select({
      ...fields,
      nameFolded: projects.nameFolded,
      rank: projects.rank,
      position: sql<number>`(row_number() over (order by ${projects.rank}))::int - 1`.as(
        'position',
      ),
    })
    .from(projects)
    .where(eq(projects.organizationId, anyOrganizationId))
    .as('placed');
  const conditions = {
    status: eq(placed.status, sql.placeholder('status')),
    namePattern: containsText(
      { name: placed.name, folded: placed.nameFolded },
      { typed: sql.placeholder('namePattern'), folded: sql.placeholder('foldedPattern') },
    ),
  };
  return { placed, matching: and(...filters.map((filter) => conditions[filter])) };
}

const pageOfProjects = statementByShape((db, { by, direction, filters }: ListShape) => {
  const { placed, matching } = placedProjects(db, filters);
  const column = by === 'position' ? 'rank' : by;
  const page = db
    .select()
    .from(placed)
    .where(matching)
    .orderBy(...orderOf({ column: placed[column], id: placed.id, direction }))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .as('page');
  // Tasks are counted only for the projects of the page.
  return db
    .select({
      id: page.id,
      name: page.name,
      description: page.description,
      key: page.key,
      status: page.status,
      createdBy: page.createdBy,
      createdAt: page.createdAt,
      updatedAt: page.updatedAt,
      rank: page.rank,
      position: page.position,
      tasksByStatus: tasksByStatusOf('page', anyOrganizationId),
    })
    .from(page)
    .orderBy(...orderOf({ column: page[column], id: page.id, direction }));
});

const projectCount = statementByShape((db, filters: ListShape['filters']) => {
  const { placed, matching } = placedProjects(db, filters);
  return db
    .select({ total: sql<number>`count(*)::int` })
    .from(placed)
    .where(matching);
});

export function projectQueries(db: Database) {
  return {
    async find(project: ProjectKey) {
      const [row] = await projectInOrganization(db, project);
      return row ?? null;
    },

    async list(
      filter: ProjectFilter,
      order: ProjectOrder,
      window: { limit: number; offset: number },
    ) {
      const { organizationId, status, nameContains } = filter;
      const filters: ListShape['filters'] = [
        ...(status === undefined ? [] : ['status' as const]),
        ...(nameContains === undefined ? [] : ['namePattern' as const]),
      ];
      const patterns = nameContains && patternsOf(nameContains);
      const parameters = {
        organizationId,
        status,
        namePattern: patterns?.typed,
        foldedPattern: patterns?.folded,
      };
      const [rows, [count]] = await Promise.all([
        pageOfProjects(db, { ...order, filters }, { ...parameters, ...window }),
        projectCount(db, filters, parameters),
      ]);
      return { rows, total: count?.total ?? 0 };
    },
  };
}

export type ProjectRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof projectQueries>['find']>>
>;

/**
 * Locks a project against changes and new tasks until the transaction ends.
 *
 * @returns its locked state
 */
export async function lockProject(
  tx: Transaction,
  project: ProjectKey,
): Promise<ProjectRow | null> {
  // A separate statement: the next one sees what was committed while this one waited.
  await tx
    .select({ id: projects.id })
    .from(projects)
    .where(isProject(project))
    .for('no key update');
  const view = viewWithin(project.organizationId);
  const [row] = await tx.select(view).from(projects).where(isProject(project));
  return row ?? null;
}

/** Counts the projects that count towards the plan. */
export async function countActiveProjects(
  tx: Transaction,
  organizationId: string,
): Promise<number> {
  return tx.$count(
    projects,
    and(eq(projects.organizationId, organizationId), eq(projects.status, 'ACTIVE')),
  );
}

/** Lists the keys of the organization that begin with this letter. */
export async function findKeysFrom(
  tx: Transaction,
  organizationId: string,
  letter: string,
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .select({ key: projects.key })
    .from(projects)
    .where(
      and(eq(projects.organizationId, organizationId), like(projects.key, startingWith(letter))),
    );
  return new Set(rows.map((row) => row.key));
}

export async function insertProject(
  tx: Transaction,
  row: Omit<typeof projects.$inferInsert, 'nextTaskNumber'>,
): Promise<void> {
  await tx.insert(projects).values(row);
}

export async function updateProject(
  tx: Transaction,
  {
    organizationId,
    ...row
  }: ProjectKey & Omit<ProjectRow, 'position' | 'tasksByStatus'> & { nameFolded?: string },
): Promise<void> {
  await tx
    .update(projects)
    .set({
      name: row.name,
      nameFolded: row.nameFolded,
      description: row.description,
      status: row.status,
      rank: row.rank,
      updatedAt: row.updatedAt,
    })
    .where(isProject({ organizationId, id: row.id }));
}

/** Deletes a project; foreign keys delete its tasks and their comments. */
export async function deleteProject(tx: Transaction, project: ProjectKey): Promise<void> {
  await tx.delete(projects).where(isProject(project));
}

/** The projects of an organization in the order of their ranks; the caller locks its row. */
export function projectsInOrder(organizationId: string): RankedList<OfOrganization> {
  return { ...ordered, key: { organizationId } };
}

type OfOrganization = Pick<ProjectKey, 'organizationId'>;

const ordered = rankedLists<OfOrganization>(
  {
    table: projects,
    id: projects.id,
    rank: projects.rank,
    within: ({ organizationId }) => eq(projects.organizationId, organizationId),
  },
  { organizationId: sql.placeholder('organizationId') },
);

function isProject(project: ProjectKey): SQL | undefined {
  return and(eq(projects.organizationId, project.organizationId), eq(projects.id, project.id));
}
