import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  lte,
  max,
  or,
  sql,
  type Placeholder,
  type SQL,
} from 'drizzle-orm';
import type { Executor, Transaction } from '../../../db/executor.ts';
import { columnSections, tasks } from '../../../db/generated/schema.ts';
import { preparedRead, statement } from '../../../db/session/statement.ts';
import {
  rankAt,
  rankAtEnd,
  rankedLists,
  type FreeRank,
  type Landmark,
  type RankedList,
} from '../../../domain/ranks/queries.ts';
import type { Anchor } from '../../../domain/ranks/ranks.ts';
import { positionOf } from '../../../domain/task-view/queries.ts';
import type { TaskStatus } from '../policy.ts';

const anyColumn = {
  organizationId: sql.placeholder('organizationId'),
  projectId: sql.placeholder('projectId'),
  status: sql.placeholder('status'),
};

/** Number of tasks at which a section is split in two. */
const maxInSection = 256;
const halfSection = maxInSection / 2;

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

const columns = rankedLists<Column>(
  {
    table: tasks,
    id: tasks.id,
    rank: tasks.rank,
    within: (column) => inColumn(tasks, column),
  },
  anyColumn,
);

/** Returns a rank after all tasks of a column. Call it under the lock of the project. */
export async function rankAtColumnEnd(tx: Transaction, column: Column): Promise<string> {
  const { rank, isRenewed } = await rankAtEnd(tx, rankedTasksOf(column));
  if (isRenewed) await forgetSections(tx, column);
  return rank;
}

interface Wish {
  readonly anchor: Anchor;
  /** The rank of the task in this column; null when it comes from another one. */
  readonly standing: string | null;
}

/** Where a task goes in a column. */
export interface Target extends FreeRank {
  /** The position that its neighbour has now; null for an anchor without one. */
  readonly neighbourPosition: number | null;
  /** Whether all places of the column are known to be in one section. */
  readonly isOneSection: boolean;
}

/**
 * Finds the place for a task that moves within its column, or into it from another. Call it under the lock of the
 * project.
 *
 * @returns null when the neighbour isn't another task of the column
 */
export async function targetInColumn(
  tx: Transaction,
  column: Column,
  { anchor, standing }: Wish,
): Promise<Target | null> {
  if ('position' in anchor) {
    const ahead = anchor.position - 1;
    const landmark = ahead < 0 ? {} : { landmark: await sectionAt(tx, column, ahead) };
    const found = await freeRank(tx, column, { anchor, standing, ...landmark });
    return found && { ...found, neighbourPosition: null, isOneSection: false };
  }
  const isBefore = 'beforeId' in anchor;
  const neighbourId = isBefore ? anchor.beforeId : anchor.afterId;
  const read = isBefore ? neighbourAfter : neighbourBefore;
  const [neighbour] = await read(tx, { ...column, neighbourId, standing });
  if (!neighbour) return null;
  const { rank, beyond, position, isOneSection } = neighbour;
  const gap = isBefore ? { before: beyond, after: rank } : { before: rank, after: beyond };
  const found = await freeRank(tx, column, { anchor, standing, gap });
  return (
    found && {
      ...found,
      neighbourPosition: position,
      isOneSection: isOneSection && !found.isRenewed,
    }
  );
}

async function freeRank(tx: Transaction, column: Column, wish: Parameters<typeof rankAt>[2]) {
  const found = await rankAt(tx, rankedTasksOf(column), wish);
  if (found?.isRenewed) await forgetSections(tx, column);
  return found;
}

const neighbourAfter = preparedRead((tx) => neighbourIn(tx, sql`max(rank)`, sql`<`));
const neighbourBefore = preparedRead((tx) => neighbourIn(tx, sql`min(rank)`, sql`>`));

/** All that a move needs of the neighbour and of the task beyond it, the moved one left out. */
function neighbourIn(executor: Executor, nearest: SQL, isBeyond: SQL) {
  const standing = sql`${sql.placeholder('standing')}::text`;
  const { projectId, status, rank } = tasks;
  const task = executor
    .select({ projectId, status, rank })
    .from(tasks)
    .where(
      and(
        inColumn(tasks, anyColumn),
        eq(tasks.id, sql.placeholder('neighbourId')),
        sql`${rank} is distinct from ${standing}`,
      ),
    )
    .as('task');
  return executor
    .select({
      rank: task.rank,
      beyond: sql<string | null>`(
        select ${nearest} from ${tasks}
        where ${inColumn(tasks, anyColumn)} and rank ${isBeyond} task.rank and rank is distinct from ${standing}
      )`,
      position: positionOf(anyColumn.organizationId),
      isOneSection: sql<boolean>`(
        select count(*) = 1 from (
          select from ${columnSections} where ${inColumn(columnSections, anyColumn)} limit 2
        ) as first
      )`,
    })
    .from(task);
}

function rankedTasksOf({ organizationId, projectId, status }: Column): RankedList<Column> {
  return { ...columns, key: { organizationId, projectId, status } };
}

interface Move {
  readonly from: Place | null;
  readonly to: Place | null;
  /** Whether all places of the new column are known to be in one section. */
  readonly isOneSection?: boolean;
}

/**
 * Keeps the sections exact. Call it under the lock of the project, after the change of the task itself.
 *
 * @param move - the old and the new place; null for a task that is new or deleted
 */
export async function noteMove(
  tx: Transaction,
  { from, to, isOneSection = false }: Move,
): Promise<void> {
  const stays = from?.column.status === to?.column.status;
  if (from && to && stays && (isOneSection || (await isWithinSection(tx, from, to)))) return;
  const [[left], [entered]] = await Promise.all([
    from ? oneLess(tx, { ...from.column, rank: from.rank }) : [],
    to ? oneMore(tx, { ...to.column, rank: to.rank }) : [],
  ]);
  if (from && left?.taskCount === 0) await dropEmpty(tx, from.column, left);
  if (!to) return;
  if (!entered) return cutIntoSections(tx, to.column);
  if (entered.taskCount > maxInSection) await halve(tx, to.column, entered);
}

const startsBetween = statement((tx) =>
  tx
    .select({ startsAt: columnSections.startsAt })
    .from(columnSections)
    .where(
      and(
        inColumn(columnSections, anyColumn),
        or(
          eq(columnSections.startsAt, ''),
          and(
            gt(columnSections.startsAt, sql.placeholder('above')),
            lte(columnSections.startsAt, sql.placeholder('upTo')),
          ),
        ),
      ),
    )
    .limit(2),
);

/** Whether both places of one column are in the same section, whose count stays as it is. */
async function isWithinSection(tx: Transaction, from: Place, to: Place): Promise<boolean> {
  const [above, upTo] = from.rank < to.rank ? [from.rank, to.rank] : [to.rank, from.rank];
  const starts = await startsBetween(tx, { ...to.column, above, upTo });
  return starts.length === 1 && starts[0]?.startsAt === '';
}

interface Section {
  readonly startsAt: string;
  readonly taskCount: number;
}

const oneLess = statement((tx) => counting(tx, sql`- 1`));
const oneMore = statement((tx) => counting(tx, sql`+ 1`));

/** The section of a rank; no row in a column without sections. */
function counting(executor: Executor, change: SQL) {
  return executor
    .update(columnSections)
    .set({ taskCount: sql`${columnSections.taskCount} ${change}` })
    .where(sectionOf(executor))
    .returning({ startsAt: columnSections.startsAt, taskCount: columnSections.taskCount });
}

/** Removes an empty section, which only lengthens the sum. Its ranks go to the previous one; the first stays. */
async function dropEmpty(tx: Transaction, column: Column, { startsAt }: Section): Promise<void> {
  if (startsAt === '') return;
  await tx.delete(columnSections).where(sectionFrom(column, startsAt));
}

/** Builds the missing sections of a column. */
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

async function halve(tx: Transaction, column: Column, section: Section): Promise<void> {
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

const sectionsAtOrBefore = statement((tx) => {
  const known = tx
    .select({
      rank: columnSections.startsAt,
      position:
        sql<number>`(sum(${columnSections.taskCount}) over (order by ${columnSections.startsAt}) - ${columnSections.taskCount})::int`.as(
          'position',
        ),
    })
    .from(columnSections)
    .where(inColumn(columnSections, anyColumn))
    .as('known');
  return tx
    .select({ rank: known.rank, position: known.position })
    .from(known)
    .where(lte(known.position, sql.placeholder('position')))
    .orderBy(desc(known.rank))
    .limit(1);
});

/** Finds the section of a position; without sections, the beginning. */
async function sectionAt(tx: Transaction, column: Column, position: number): Promise<Landmark> {
  const [found] = await sectionsAtOrBefore(tx, { ...column, position });
  return found ?? { rank: '', position: 0 };
}

async function forgetSections(tx: Transaction, column: Column): Promise<void> {
  await tx.delete(columnSections).where(inColumn(columnSections, column));
}

/** The only section that a rank belongs to, as a part of a statement. */
function sectionOf(executor: Executor) {
  const rank = sql.placeholder('rank');
  const startsAt = executor
    .select({ startsAt: max(columnSections.startsAt) })
    .from(columnSections)
    .where(and(inColumn(columnSections, anyColumn), lte(columnSections.startsAt, rank)));
  return and(inColumn(columnSections, anyColumn), eq(columnSections.startsAt, startsAt));
}

function sectionFrom(column: Column, startsAt: string) {
  return and(inColumn(columnSections, column), eq(columnSections.startsAt, startsAt));
}

function inColumn(
  table: typeof tasks | typeof columnSections,
  column: { readonly [Name in keyof Column]: Column[Name] | Placeholder },
) {
  return and(
    eq(table.organizationId, column.organizationId),
    eq(table.projectId, column.projectId),
    eq(table.status, column.status),
  );
}
