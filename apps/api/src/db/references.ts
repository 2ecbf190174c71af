import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';

/** A foreign key of a table. */
export interface Reference {
  /** The names of the columns on the table's side, as its rows have them. */
  readonly columns: readonly string[];
  readonly to: PgTable;
  /** Whether deleting the row that it refers to deletes the table's row. */
  readonly isCascade: boolean;
  /** Whether a row may refer to none. */
  readonly isOptional: boolean;
}

export function referencesOf(table: PgTable): Reference[] {
  const columns = Object.entries(getTableColumns(table));
  return getTableConfig(table).foreignKeys.map((key) => {
    const { columns: own, foreignTable } = key.reference();
    return {
      columns: columns.flatMap(([name, column]) => (own.includes(column) ? [name] : [])),
      to: foreignTable,
      isCascade: key.onDelete === 'cascade',
      isOptional: own.some(({ notNull }) => !notNull),
    };
  });
}

/** Orders tables, and those that they refer to, so that each comes after all that it refers to. */
export function parentsFirst(tables: readonly PgTable[]): PgTable[] {
  const ordered = new Set<PgTable>();
  const visit = (table: PgTable) => {
    if (ordered.has(table)) return;
    for (const { to } of referencesOf(table)) if (to !== table) visit(to);
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}
