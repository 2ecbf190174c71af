import { and, eq, getTableColumns, getTableName, is, isNull, sql, type SQL } from 'drizzle-orm';
import { PgTable, type PgColumn } from 'drizzle-orm/pg-core';
import * as schema from './generated/schema.ts';
import { parentsFirst } from './references.ts';
import {
  declarationOf,
  type Declaration,
  type Declared,
  type SharedDeclaration,
  type TenantDeclaration,
} from './tenancy.ts';

type Schema = typeof schema;
type TableName = {
  [Name in keyof Schema]: Schema[Name] extends PgTable ? Name : never;
}[keyof Schema];

// A table that is named in an error here lacks its declaration: wrap it in `tenantTable` or `sharedTable`, in the
// tables.ts that exports it. `pnpm generate` prints the file and the line.
const declared: Readonly<Record<TableName, Declared>> = schema;

/** A tenant table, as code that is derived from its declaration sees it. */
export type TenantPgTable = PgTable & { readonly organizationId: PgColumn };

export interface TenantEntry extends TenantDeclaration {
  readonly name: string;
  readonly table: TenantPgTable;
}

export interface SharedEntry extends SharedDeclaration {
  readonly name: string;
  readonly table: PgTable;
}

export type CatalogueEntry = TenantEntry | SharedEntry;

const byName = Object.values<unknown>(declared)
  .filter((entry) => is(entry, PgTable))
  .toSorted((one, other) => (getTableName(one) < getTableName(other) ? -1 : 1));

/** Every table of the service with its declaration; one that others refer to comes before those. */
export const catalogue: readonly CatalogueEntry[] = parentsFirst(byName).map(entryOf);

export const tenantTables: readonly TenantEntry[] = catalogue.filter(isTenant);

export function isTenant(entry: CatalogueEntry): entry is TenantEntry {
  return entry.onOrganizationDeleted !== null;
}

function entryOf(table: PgTable): CatalogueEntry {
  const found: Declaration | undefined = declarationOf(table);
  if (found === undefined) throw new Error('every table is declared, as the types say');
  // `tenantTable` takes no other table.
  return { ...found, name: getTableName(table), table } as CatalogueEntry;
}

/** @param name - as rows have it */
export function columnOf(table: PgTable, name: string): PgColumn {
  const columns: Record<string, PgColumn> = getTableColumns(table);
  const column = columns[name];
  if (!column) throw new Error(`${getTableName(table)} has no column ${name}`);
  return column;
}

/** The rows of a table that the deletion of their organization removes or changes; undefined where it keeps all. */
export function goneOnDeletion({
  table,
  onOrganizationDeleted: fate,
}: TenantEntry): SQL | undefined {
  if (fate === 'delete' || fate === 'delete first' || fate === 'delete last') return sql`true`;
  if (fate === 'bin') return isNull(columnOf(table, 'deletedAt'));
  if (typeof fate === 'string' || 'keep' in fate) return undefined;
  return and(
    ...Object.entries(fate.where).map(([name, value]) => eq(columnOf(table, name), value)),
  );
}
