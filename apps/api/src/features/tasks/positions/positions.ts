import { taskStatuses } from '@atelier/contract';
import type { Database } from '../../../db/executor.ts';
import type { TaskStatus } from '../policy.ts';
import { knownColumns, packRanks, indexOfRank, type KnownColumn } from './known-columns.ts';
import { ranksOfColumns, type ColumnMarks } from './queries.ts';

/** A task of a page whose ranks and marks were read by one statement. Its position is still to be found. */
interface MarkedTask {
  readonly projectId: string;
  readonly status: TaskStatus;
  readonly rank: string;
  /** Of all projects of the page; null in all rows but one. */
  readonly columnMarks: ColumnMarks | null;
  position: number;
}

/** A column as the page saw it. */
interface MarkedColumn extends Pick<MarkedTask, 'projectId' | 'status'> {
  readonly mark: string;
}

export type TaskPositions = ReturnType<typeof taskPositions>;

const maxBytes = 32 * 1024 * 1024;

/**
 * Finds the positions of tasks in what this process knows of their columns. A column's mark is a random value that
 * changes with its ranks, so equal marks mean equal ranks, in any process and at any time.
 *
 * @param db - never a transaction: its ranks may be rolled back
 * @see docs/decisions/0084-order-marks.md
 */
export function taskPositions(db: Database) {
  const known = knownColumns(maxBytes);
  /** By column and mark: after a change, all pages under way need the same ranks. */
  const underWay = new Map<string, Promise<KnownColumn | null>>();
  let areKept = true;

  /** Loads those that aren't loading yet, with one statement. */
  function startLoading(organizationId: string, columns: readonly MarkedColumn[]): void {
    const unasked = columns.filter((column) => !underWay.has(nameOf(column)));
    if (unasked.length === 0) return;
    const loading = load(organizationId, unasked);
    for (const column of unasked) {
      const name = nameOf(column);
      const loaded = loading.then((found) => found.get(keyOf(column)) ?? null);
      underWay.set(
        name,
        loaded.finally(() => underWay.delete(name)),
      );
    }
  }

  async function load(organizationId: string, columns: readonly MarkedColumn[]) {
    const rows = await ranksOfColumns(db, {
      organizationId,
      projectIds: columns.map(({ projectId }) => projectId),
      statuses: columns.map(({ status }) => status),
    });
    const loaded = new Map<string, KnownColumn>();
    for (const row of rows) {
      // The project was deleted meanwhile.
      if (row.mark === null) continue;
      const ranks = row.ranks === null ? null : packRanks(row.ranks);
      const column = { mark: row.mark, ranks };
      loaded.set(keyOf(row), column);
      known.keep(keyOf(row), column);
    }
    return loaded;
  }

  async function columnsAt(organizationId: string, columns: ReadonlyMap<string, MarkedColumn>) {
    const found = new Map<string, KnownColumn | null>();
    const missing: MarkedColumn[] = [];
    for (const [key, column] of columns) {
      const one = known.find(key, column.mark);
      if (one) found.set(key, one);
      else missing.push(column);
    }
    if (missing.length === 0) return found;
    startLoading(organizationId, missing);
    await Promise.all(
      missing.map(async (column) => {
        found.set(keyOf(column), (await underWay.get(nameOf(column))) ?? null);
      }),
    );
    return found;
  }

  return {
    /** Whether the database has marks, as far as this process knows. */
    areKept: () => areKept,

    /**
     * Fills in the positions of a page.
     *
     * @returns false if it can't: no trigger keeps marks, a column is too long, or it changed after the page was read
     */
    async fill(organizationId: string, tasks: readonly MarkedTask[]): Promise<boolean> {
      const columns = columnsOf(tasks);
      if (!columns) {
        areKept = false;
        return false;
      }
      const found = await columnsAt(organizationId, columns);
      for (const task of tasks) {
        const key = keyOf(task);
        const column = found.get(key);
        if (!column?.ranks || column.mark !== columns.get(key)?.mark) return false;
        const position = indexOfRank(column.ranks, task.rank);
        if (position === null) return false;
        task.position = position;
      }
      return true;
    },
  };
}

function keyOf({ projectId, status }: Pick<MarkedTask, 'projectId' | 'status'>): string {
  return projectId + status;
}

function nameOf(column: MarkedColumn): string {
  return keyOf(column) + column.mark;
}

/** @returns null if a column has no mark */
function columnsOf(tasks: readonly MarkedTask[]): Map<string, MarkedColumn> | null {
  const columns = new Map<string, MarkedColumn>();
  const marks = tasks.find(({ columnMarks }) => columnMarks !== null)?.columnMarks ?? {};
  for (const task of tasks) {
    const key = keyOf(task);
    if (columns.has(key)) continue;
    const { projectId, status } = task;
    const mark = marks[projectId]?.[taskStatuses.indexOf(status)];
    if (!mark) return null;
    columns.set(key, { projectId, status, mark });
  }
  return columns;
}
