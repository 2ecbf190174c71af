import { and, asc, desc, eq, gte, lte, max, sql } from 'drizzle-orm';
import type { Transaction } from '../../../db/client.ts';
import { columnSections, tasks } from '../../../db/schema/index.ts';
import type { Landmark, RankedList } from '../../../kernel/ranks/queries.ts';
import type { TaskStatus } from '../policy.ts';

/** Tasks of a section when it is cut in two. */
const mostInSection = 256;
const halfSection = mostInSection / 2;

/** A column of a board. */
export interface Column {
  readonly organizationId: string;
  readonly projectId: string;
  readonly status: TaskStatus;
}

/** A task's place in a column. */
export interface Place {
  readonly column: Column;
  readonly rank: string;
}

/** A column's tasks in their order; to be changed under the lock of the project. */
export function rankedTasksOf(column: Column): RankedList {
  return {
    table: tasks,
    id: tasks.id,
    rank: tasks.rank,
    within: inColumn(tasks, column),
    landmarks: {
      atOrBefore: (tx, position) => sectionAt(tx, column, position),
      forget: (tx) => forgetSections(tx, column),
    },
  };
}

/**
 * Keeps the sections exact. To be called under the lock of the project, after the task itself is changed.
 *
 * @param places - where it was before, and where it is now; null for a task that is new or gone
 */
export async function noteMove(
  tx: Transaction,
  places: { from: Place | null; to: Place | null },
): Promise<void> {
  if (places.from) await leaveSection(tx, places.from);
  if (places.to) await enterSection(tx, places.to);
}

async function leaveSection(tx: Transaction, { column, rank }: Place): Promise<void> {
  const [left] = await tx
    .update(columnSections)
    .set({ taskCount: sql`${columnSections.taskCount} - 1` })
    .where(sectionOf(tx, { column, rank }))
    .returning({ startsAt: columnSections.startsAt, taskCount: columnSections.taskCount });
  if (left?.taskCount !== 0 || left.startsAt === '') return;
  // What is empty only makes the sum longer; its ranks fall to the section before.
  await tx.delete(columnSections).where(sectionFrom(column, left.startsAt));
}

async function enterSection(tx: Transaction, { column, rank }: Place): Promise<void> {
  const [entered] = await tx
    .update(columnSections)
    .set({ taskCount: sql`${columnSections.taskCount} + 1` })
    .where(sectionOf(tx, { column, rank }))
    .returning({ startsAt: columnSections.startsAt, taskCount: columnSections.taskCount });
  if (!entered) return cutIntoSections(tx, column);
  if (entered.taskCount > mostInSection) await halve(tx, column, entered);
}

/** Builds the sections of a column that has none. */
async function cutIntoSections(tx: Transaction, column: Column): Promise<void> {
  const { organizationId, projectId, status } = column;
  const numbered = tx
    .select({
      rank: tasks.rank,
      section:
        sql<number>`(row_number() over (order by ${tasks.rank}) - 1) / ${sql.raw(String(halfSection))}`.as(
          'section',
        ),
    })
    .from(tasks)
    .where(inColumn(tasks, column))
    .as('numbered');
  const cuts = await tx
    .select({
      startsAt: sql<string>`case ${numbered.section} when 0 then '' else min(${numbered.rank}) end`,
      taskCount: sql<number>`count(*)::int`,
    })
    .from(numbered)
    .groupBy(numbered.section);
  await tx
    .insert(columnSections)
    .values(cuts.map((cut) => ({ organizationId, projectId, status, ...cut })));
}

async function halve(
  tx: Transaction,
  column: Column,
  section: { startsAt: string; taskCount: number },
): Promise<void> {
  const [middle] = await tx
    .select({ rank: tasks.rank })
    .from(tasks)
    .where(and(inColumn(tasks, column), gte(tasks.rank, section.startsAt)))
    .orderBy(asc(tasks.rank))
    .limit(1)
    .offset(halfSection);
  if (!middle) throw new Error('A section has more tasks than its column');
  await tx
    .update(columnSections)
    .set({ taskCount: halfSection })
    .where(sectionFrom(column, section.startsAt));
  await tx.insert(columnSections).values({
    organizationId: column.organizationId,
    projectId: column.projectId,
    status: column.status,
    startsAt: middle.rank,
    taskCount: section.taskCount - halfSection,
  });
}

/** The section that a position falls into; without sections, the beginning. */
async function sectionAt(tx: Transaction, column: Column, position: number): Promise<Landmark> {
  const known = tx
    .select({
      rank: columnSections.startsAt,
      position:
        sql<number>`(sum(${columnSections.taskCount}) over (order by ${columnSections.startsAt}) - ${columnSections.taskCount})::int`.as(
          'position',
        ),
    })
    .from(columnSections)
    .where(inColumn(columnSections, column))
    .as('known');
  const [found] = await tx
    .select({ rank: known.rank, position: known.position })
    .from(known)
    .where(lte(known.position, position))
    .orderBy(desc(known.rank))
    .limit(1);
  return found ?? { rank: '', position: 0 };
}

async function forgetSections(tx: Transaction, column: Column): Promise<void> {
  await tx.delete(columnSections).where(inColumn(columnSections, column));
}

/** The one section that a rank belongs to. */
function sectionOf(tx: Transaction, { column, rank }: Place) {
  const startsAt = tx
    .select({ startsAt: max(columnSections.startsAt) })
    .from(columnSections)
    .where(and(inColumn(columnSections, column), lte(columnSections.startsAt, rank)));
  return and(inColumn(columnSections, column), eq(columnSections.startsAt, startsAt));
}

function sectionFrom(column: Column, startsAt: string) {
  return and(inColumn(columnSections, column), eq(columnSections.startsAt, startsAt));
}

function inColumn(table: typeof tasks | typeof columnSections, column: Column) {
  return and(
    eq(table.organizationId, column.organizationId),
    eq(table.projectId, column.projectId),
    eq(table.status, column.status),
  );
}
