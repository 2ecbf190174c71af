import { foldAll } from '../../domain/folding.ts';
import type { Database } from '../../db/executor.ts';
import type { JobDeps } from '../job-deps.ts';
import {
  foldedTables,
  listNotFolded,
  organizationsNotFolded,
  setFolded,
  type FoldedTable,
} from './queries/names.ts';

/** Names per transaction. */
const batchSize = 500;

/** Folds the names that an earlier release has written, while it still runs or before this one did. Idempotent. */
export async function foldNames({ db }: Pick<JobDeps, 'db'>, signal: AbortSignal): Promise<void> {
  for (const table of foldedTables) {
    for (const organizationId of await organizationsNotFolded(db, table)) {
      signal.throwIfAborted();
      await foldNamesOf(db, table, organizationId);
    }
  }
}

async function foldNamesOf(
  db: Database,
  table: FoldedTable,
  organizationId: string,
): Promise<void> {
  let found = batchSize;
  while (found === batchSize) {
    found = await db.transaction(async (tx) => {
      const rows = await listNotFolded(tx, table, { organizationId, limit: batchSize });
      const folded = await foldAll(rows.map(({ name }) => name));
      await setFolded(tx, table, {
        organizationId,
        rows: rows.map((row, index) => ({ ...row, folded: folded[index] ?? '' })),
      });
      return rows.length;
    });
  }
}
