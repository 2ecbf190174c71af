import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foreignKey, pgTable, uuid, type AnyPgColumn, type PgTable } from 'drizzle-orm/pg-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytes } from '../../src/db/columns.ts';
import * as schema from '../../src/db/generated/schema.ts';
import { sharedTable, tenantTable, type Declared } from '../../src/db/tenancy.ts';
import { placesIn } from './places.ts';
import { catalogueProblems } from './problems.ts';

const place = () => 'labels/tables.ts:3';
const problemsWith = (added: PgTable) => catalogueProblems({ ...schema, added }, place);

const onAccountExported = { nothing: 'it is a test' } as const;
const columns = () => ({ organizationId: uuid().notNull(), id: uuid().notNull() });
const ofUser = (onDelete?: 'cascade') =>
  uuid()
    .notNull()
    .references(() => schema.users.id, onDelete ? { onDelete } : {});

test('every table of the service is declared as its keys allow', () => {
  expect(catalogueProblems(schema, place)).toEqual([]);
});

describe('a table that is added', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'catalogue-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test('is named with its file and line, and what to write there', () => {
    writeFileSync(
      join(root, 'tables.ts'),
      "import { pgTable, uuid } from 'drizzle-orm/pg-core';\n\nexport const labels = pgTable(\n  'labels',\n  { organizationId: uuid() },\n);\n",
    );
    const labels = pgTable('labels', columns());
    expect(catalogueProblems({ ...schema, labels }, placesIn(root, 'tables.ts'))).toEqual([
      expect.stringMatching(/^tables\.ts:3: labels has an organization: wrap it in tenantTable\(/),
    ]);
  });

  test('is named without an organization, too', () => {
    expect(problemsWith(pgTable('settings', { id: uuid() }))).toEqual([
      expect.stringContaining("settings isn't declared: wrap it in sharedTable("),
    ]);
  });

  test('compiles only when it is declared as what it is', () => {
    const declared = { onAccountErased: {}, onAccountExported, distribution: 'local' } as const;
    const labels = pgTable('labels', columns());
    const settings = pgTable('settings', { id: uuid() });
    // What doesn't compile still runs.
    expect(() => {
      // @ts-expect-error -- it isn't declared
      labels satisfies Declared;
      // @ts-expect-error -- it has an organization
      sharedTable(labels, { ...declared, rowsOf: 'accounts' });
      // @ts-expect-error -- it has none
      tenantTable(settings, { ...declared, onOrganizationDeleted: 'delete' });
      // @ts-expect-error -- it has no bin
      tenantTable(labels, { ...declared, onOrganizationDeleted: 'bin' });
      // @ts-expect-error -- the export is not decided
      sharedTable(settings, { rowsOf: 'accounts', onAccountErased: {}, distribution: 'local' });
      const exported = { rows: 'id', columns: ['name'] } as const;
      // @ts-expect-error -- it has no such column
      sharedTable(settings, { ...declared, rowsOf: 'accounts', onAccountExported: exported });
    }).not.toThrow();
  });
});

describe('a declaration', () => {
  test.each([
    [{}, "refers to an account: add createdBy: 'keep' or 'delete' to onAccountErased"],
    [{ createdBy: 'keep', id: 'keep' }, 'has no account in id: take it out'],
    [{ createdBy: 'set null' }, "can't set createdBy null"],
  ] as const)('says what happens to each account: %j does not', (onAccountErased, problem) => {
    const labels = tenantTable(pgTable('labels', { ...columns(), createdBy: ofUser() }), {
      onOrganizationDeleted: 'delete',
      onAccountErased,
      onAccountExported,
      distribution: 'organization',
    });
    expect(problemsWith(labels)).toEqual([`labels/tables.ts:3: labels ${problem}`]);
  });

  test('says what the export of an account has', () => {
    const undecided = { rowsOf: 'accounts', onAccountErased: {}, distribution: 'local' } as const;
    // @ts-expect-error -- the types refuse it, but not every program that runs is checked
    const settings = sharedTable(pgTable('settings', { id: uuid() }), undecided);
    expect(problemsWith(settings)).toEqual([
      expect.stringMatching(
        /^labels\/tables\.ts:3: settings doesn't say what the export of an account has: add onAccountExported/,
      ),
    ]);
  });

  test('exports no bytes', () => {
    const secrets = sharedTable(pgTable('secrets', { userId: uuid(), hash: bytes() }), {
      rowsOf: 'service',
      onAccountErased: {},
      onAccountExported: { rows: 'userId', columns: ['hash'] },
      distribution: 'local',
    });
    expect(problemsWith(secrets)).toEqual([
      'labels/tables.ts:3: secrets exports the bytes of hash: take it out',
    ]);
  });

  test('keeps no row that the account takes along', () => {
    const marks = sharedTable(pgTable('marks', { userId: ofUser('cascade') }), {
      rowsOf: 'accounts',
      onAccountErased: { userId: 'keep' },
      onAccountExported,
      distribution: 'local',
    });
    expect(problemsWith(marks)).toEqual([expect.stringContaining("can't keep userId")]);
  });

  test.each([
    ['purge', schema.tasks, "declare one of 'delete', 'delete last'"],
    [{ keep: 'for ever' }, schema.assets, "declare one of 'delete', 'bin', 'purge'"],
  ] as const)('%j does not outlive what it refers to', (onOrganizationDeleted, parent, problem) => {
    const labels = tenantTable(labelsOf(parent), {
      onOrganizationDeleted,
      onAccountErased: {},
      onAccountExported,
      distribution: 'organization',
    });
    expect(problemsWith(labels)).toEqual([expect.stringContaining(problem)]);
  });

  test('leaves rows where those are that they refer to', () => {
    const labels = tenantTable(labelsOf(schema.tasks), {
      onOrganizationDeleted: 'delete',
      onAccountErased: {},
      onAccountExported,
      distribution: 'local',
    });
    expect(problemsWith(labels)).toEqual([
      expect.stringContaining("declare one of 'organization'"),
    ]);
  });
});

/** The columns and the key of a table that refers to the rows of another. */
function labelsOf(parent: { organizationId: AnyPgColumn; id: AnyPgColumn }) {
  return pgTable('labels', columns(), (table) => [
    foreignKey({
      columns: [table.organizationId, table.id],
      foreignColumns: [parent.organizationId, parent.id],
    }),
  ]);
}
