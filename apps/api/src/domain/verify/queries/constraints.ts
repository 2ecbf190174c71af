import { sql, type SQL } from 'drizzle-orm';
import { CasingCache } from 'drizzle-orm/casing';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { catalogue, columnOf, tenantTables } from '../../../db/catalogue.ts';
import type { Check } from './check.ts';

const casing = new CasingCache('snake_case');
const tables = catalogue.map(({ table }) => table);

/** Random, or partly random: unique, though the constraints say so only within an organization. */
const uniqueEverywhere: readonly PgColumn[] = tenantTables.flatMap((entry) =>
  entry.uniqueEverywhere.map((name) => columnOf(entry.table, name)),
);

/**
 * Checks the keys and references of the schema against the rows: a constraint may be missing
 * in a database, or was not enforced while the rows were loaded, as in a restore.
 */
export const constraintChecks: readonly Check[] = [
  {
    name: 'references',
    claim: 'Every foreign key refers to a row that is there',
    violations: union(tables.flatMap(danglingReferences)),
  },
  {
    name: 'unique-keys',
    claim: 'Every key that the schema calls unique is so',
    violations: union(tables.flatMap(repeatedKeys)),
  },
  {
    name: 'unique-everywhere',
    claim: 'What is looked for without its organization is no other organization’s as well',
    violations: union(uniqueEverywhere.map((column) => repeated(column.table, [column]))),
  },
];

function danglingReferences(table: PgTable): SQL[] {
  return getTableConfig(table).foreignKeys.map((foreignKey) => {
    const { columns, foreignColumns, foreignTable } = foreignKey.reference();
    const isSet = columns.map((column) => sql`child.${nameOf(column)} is not null`);
    const isSame = columns.map((column, index) => {
      const other = foreignColumns[index];
      if (!other) throw new Error('a foreign key with a column too many');
      return sql`parent.${nameOf(other)} = child.${nameOf(column)}`;
    });
    return sql`
      select ${`${tableName(table)}(${columns.map(plainName).join(', ')})`}::text
        || ' = ' || ${valuesOf('child', columns)} as subject
      from ${table} as child
      where ${all(isSet)} and not exists (select 1 from ${foreignTable} as parent where ${all(isSame)})`;
  });
}

function repeatedKeys(table: PgTable): SQL[] {
  const config = getTableConfig(table);
  const keys: { columns: PgColumn[]; where?: SQL | undefined }[] = [
    ...config.columns
      .filter((column) => column.primary || column.isUnique)
      .map((column) => ({ columns: [column] })),
    ...config.primaryKeys,
    ...config.uniqueConstraints,
    ...config.indexes
      .filter(({ config: index }) => index.unique)
      .map(({ config: { columns, where } }) => ({
        columns: columns.map((column) => {
          // The schema has no unique index on an expression.
          const found = config.columns.find(
            (candidate) => 'name' in column && candidate.name === column.name,
          );
          if (!found) throw new Error('a unique index on an expression');
          return found;
        }),
        where,
      })),
  ];
  return keys.map(({ columns, where }) => repeated(table, columns, where));
}

function repeated(table: PgTable, columns: readonly PgColumn[], where?: SQL): SQL {
  const names = sql.join(columns.map(nameOf), sql`, `);
  return sql`
    select ${`${tableName(table)}(${columns.map(plainName).join(', ')})`}::text
      || ' = ' || ${valuesOf(null, columns)} as subject
    from ${table}
    where ${all([sql`(${names}) is not null`, ...(where ? [where] : [])])}
    group by ${names} having count(*) > 1`;
}

/** The key's values; secrets are only stored as hashes. */
function valuesOf(source: 'child' | null, columns: readonly PgColumn[]): SQL {
  const values = columns.map((column) =>
    source ? sql`child.${nameOf(column)}::text` : sql`${nameOf(column)}::text`,
  );
  return sql.join(values, sql` || ', ' || `);
}

function union(selects: readonly SQL[]): SQL {
  return sql.join([...selects], sql` union all `);
}

function all(conditions: readonly SQL[]): SQL {
  return sql.join([...conditions], sql` and `);
}

function plainName(column: PgColumn): string {
  return casing.getColumnCasing(column);
}

function nameOf(column: PgColumn): SQL {
  return sql`${sql.identifier(plainName(column))}`;
}

function tableName(table: PgTable): string {
  return getTableConfig(table).name;
}
