import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../../db/executor.ts';
import { assets, projects, tasks } from '../../../db/generated/schema.ts';

export interface FoldedTable {
  readonly table: typeof assets | typeof projects | typeof tasks;
  readonly name: typeof assets.name | typeof projects.name | typeof tasks.title;
  /** Of the folded name; a table's name may not precede it in an assignment. */
  readonly columnName: string;
  readonly folded: typeof assets.nameFolded | typeof projects.nameFolded | typeof tasks.titleFolded;
}

export const foldedTables: readonly FoldedTable[] = [
  { table: assets, name: assets.name, folded: assets.nameFolded, columnName: 'name_folded' },
  {
    table: projects,
    name: projects.name,
    folded: projects.nameFolded,
    columnName: 'name_folded',
  },
  { table: tasks, name: tasks.title, folded: tasks.titleFolded, columnName: 'title_folded' },
];

interface NotFolded {
  readonly id: string;
  readonly name: string;
}

/** Finds the organizations with names that aren't folded. */
export async function organizationsNotFolded(
  db: Database,
  { table, folded }: FoldedTable,
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: table.organizationId })
    .from(table)
    .where(isNull(folded));
  return rows.map(({ id }) => id);
}

/** Locks rows of an organization whose names aren't folded, without those that others have locked. */
export async function listNotFolded(
  tx: Transaction,
  { table, name, folded }: FoldedTable,
  { organizationId, limit }: { organizationId: string; limit: number },
): Promise<NotFolded[]> {
  return tx
    .select({ id: table.id, name })
    .from(table)
    .where(and(eq(table.organizationId, organizationId), isNull(folded)))
    .limit(limit)
    .for('no key update', { skipLocked: true });
}

export async function setFolded(
  tx: Transaction,
  { table, columnName }: FoldedTable,
  {
    organizationId,
    rows,
  }: {
    organizationId: string;
    rows: readonly (NotFolded & { readonly folded: string })[];
  },
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    update ${table} set ${sql.identifier(columnName)} = given.folded
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given(id uuid, folded text)
    where ${table.organizationId} = ${organizationId} and ${table.id} = given.id`);
}
