import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { referencesOf } from '../../src/db/references.ts';
import { declarationOf, type Declaration } from '../../src/db/tenancy.ts';

/**
 * Finds tables without a declaration, and declarations that the foreign keys contradict.
 *
 * @param schema - the exports of every tables.ts
 * @param placeOf - returns the file and the line of a table
 * @returns for each its place, and what to write there
 */
export function catalogueProblems(
  schema: Readonly<Record<string, unknown>>,
  placeOf: (table: string) => string,
): string[] {
  return Object.values(schema)
    .filter((entry) => is(entry, PgTable))
    .flatMap((table) => {
      const name = getTableName(table);
      return problemsOf(table).map((problem) => `${placeOf(name)}: ${name} ${problem}`);
    });
}

function problemsOf(table: PgTable): string[] {
  const declared = declarationOf(table);
  if (declared) {
    return [
      ...accountProblems(table, declared),
      ...exportProblems(table, declared),
      ...parentProblems(table, declared, 'onOrganizationDeleted'),
      ...parentProblems(table, declared, 'distribution'),
    ];
  }
  return 'organizationId' in getTableColumns(table)
    ? [
        "has an organization: wrap it in tenantTable(pgTable(…), { onOrganizationDeleted: 'delete', onAccountErased: {}, onAccountExported: { nothing: 'the reason' }, distribution: 'organization' })",
      ]
    : [
        "isn't declared: wrap it in sharedTable(pgTable(…), { rowsOf: 'accounts', onAccountErased: {}, onAccountExported: { nothing: 'the reason' }, distribution: 'local' })",
      ];
}

/** Each reference to an account is declared, and nothing else. */
function accountProblems(table: PgTable, { onAccountErased }: Declaration): string[] {
  const columns = getTableColumns(table);
  const accounts = referencesOf(table).filter(({ to }) => getTableName(to) === 'users');
  const referring = accounts.flatMap((reference) => reference.columns);
  const cascading = accounts.flatMap(({ columns: own, isCascade }) => (isCascade ? own : []));
  return [
    ...referring
      .filter((name) => onAccountErased[name] === undefined)
      .map((name) => `refers to an account: add ${name}: 'keep' or 'delete' to onAccountErased`),
    ...Object.entries(onAccountErased).flatMap(([name, fate]) => {
      if (!referring.includes(name)) return [`has no account in ${name}: take it out`];
      if (fate === 'set null' && columns[name]?.notNull) return [`can't set ${name} null`];
      if (fate === 'keep' && cascading.includes(name)) return [`can't keep ${name}: it cascades`];
      return [];
    }),
  ];
}

/** The export of an account is decided, and has no bytes: those are hashes, keys or sealed. */
function exportProblems(
  table: PgTable,
  { onAccountExported: exported }: Omit<Declaration, 'onAccountExported'> & Partial<Declaration>,
): string[] {
  if (exported === undefined) {
    return [
      "doesn't say what the export of an account has: add onAccountExported: { rows: 'userId', columns: ['id'] } or { nothing: 'the reason' }",
    ];
  }
  if ('nothing' in exported) return [];
  const columns = getTableColumns(table);
  const { onlyIf = {} } = exported;
  return [
    ...exported.columns
      .filter((name) => columns[name]?.getSQLType() === 'bytea')
      .map((name) => `exports the bytes of ${name}: take it out`),
    ...Object.keys(onlyIf)
      .filter((name) => !exported.columns.includes(name))
      .map((name) => `has a condition for ${name}, which isn't exported: take it out`),
  ];
}

type Aspect = 'onOrganizationDeleted' | 'distribution';

/** What a table may declare whose parent declares this; a parent that isn't here allows everything. */
const allowed: Readonly<Record<Aspect, Readonly<Record<string, readonly unknown[]>>>> = {
  onOrganizationDeleted: {
    'delete first': ['delete', 'delete first', 'delete last'],
    delete: ['delete', 'delete last'],
    'delete last': ['delete', 'delete last'],
    bin: ['delete', 'bin', 'purge'],
    purge: ['delete', 'bin', 'purge'],
  },
  distribution: { organization: ['organization'], local: ['local'] },
};

/** A row doesn't outlive the row that it refers to, and is kept where that row is. */
function parentProblems(table: PgTable, declared: Declaration, aspect: Aspect): string[] {
  return referencesOf(table).flatMap(({ to }) => {
    const ofParent = declarationOf(to)?.[aspect];
    if (typeof ofParent !== 'string') return [];
    const possible = allowed[aspect][ofParent];
    if (!possible || possible.includes(declared[aspect])) return [];
    const parent = `${getTableName(to)} with ${aspect}: '${ofParent}'`;
    return [`refers to ${parent}: declare one of '${possible.join("', '")}'`];
  });
}
