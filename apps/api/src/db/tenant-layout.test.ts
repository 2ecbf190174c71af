import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { cloneDatabase } from '../testing/api.ts';
import { connectDatabase, type DatabaseConnection } from './client.ts';

let connection: DatabaseConnection;
let statements: string;
beforeAll(async () => {
  const url = await cloneDatabase();
  connection = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 10_000 });
  statements = await readFile(
    new URL('../../../../deploy/citus/distribution.sql', import.meta.url),
    'utf8',
  );
});
afterAll(() => connection.close(1));

/** Columns for lookups without a known organization, on one server and on many: none is unique. */
const acrossOrganizations: Readonly<Record<string, string>> = {
  asset_versions_by_object: 'objects are shared by organizations',
  assets_by_deletion: 'a job looks for whose time in the bin is over',
  assets_by_short_code: 'who follows a link says no organization',
  assets_published_from: 'leads from one organization into another',
  invitation_tokens_by_hash: 'who follows a link says no organization',
  memberships_by_user: 'people ask for their organizations',
  uploads_active_by_expiry: 'a job looks for whose time is over',
  uploads_active_by_user: 'how many uploads somebody has open is limited over all organizations',
  uploads_active_by_key: 'the storage knows keys, and no organizations',
};

async function namesOf(query: ReturnType<typeof sql>): Promise<string[]> {
  const rows = await connection.db.execute<{ name: string }>(query);
  return rows.map(({ name }) => name).toSorted();
}

/** Activities are not distributed: some belong to no organization, and they contain transaction ids of one server. */
const tenantTables = sql`select c.oid from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    and c.oid <> 'activities'::regclass`;

const tenantColumn = (table: ReturnType<typeof sql>) =>
  sql`(select attnum from pg_attribute where attrelid = ${table} and attname = 'organization_id')`;

test('every key and index of its rows starts with the organization, or has a reason not to', async () => {
  const stray = await namesOf(sql`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid in (${tenantTables}) and i.indkey[0] <> ${tenantColumn(sql`i.indrelid`)}`);
  expect(
    stray,
    'begin each index with organizationId in its table, or add it with a reason to acrossOrganizations in apps/api/src/db/tenant-layout.test.ts',
  ).toEqual(Object.keys(acrossOrganizations).toSorted());
});

test('every key of its rows contains the organization, without exception', async () => {
  expect(
    await namesOf(sql`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid in (${tenantTables}) and i.indisunique
        and not ${tenantColumn(sql`i.indrelid`)} = any(i.indkey)`),
  ).toEqual([]);
  expect(
    await namesOf(sql`
      select oid::regclass::text as name from pg_class c
      where oid in (${tenantTables})
        and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`),
  ).toEqual([]);
});

test('every reference between its rows includes the organization on both sides', async () => {
  expect(
    await namesOf(sql`
      select k.conname as name from pg_constraint k
      where k.contype = 'f' and k.conrelid in (${tenantTables}) and k.confrelid in (${tenantTables})
        and not coalesce(array_position(k.conkey, ${tenantColumn(sql`k.conrelid`)})
          = array_position(k.confkey, ${tenantColumn(sql`k.confrelid`)}), false)`),
  ).toEqual([]);
});

test('no other table refers to its rows', async () => {
  expect(
    await namesOf(sql`
      select k.conname as name from pg_constraint k
      where k.contype = 'f' and k.confrelid in (${tenantTables}) and k.conrelid not in (${tenantTables})`),
  ).toEqual([]);
});

test('the statements that distribute it name every table and all tables that those refer to', async () => {
  const distributed = await namesOf(
    sql`select oid::regclass::text as name from pg_class where oid in (${tenantTables})`,
  );
  expect(
    namesIn(/create_distributed_table\([\s\S]*?;/g),
    'list each table of an organization in deploy/citus/distribution.sql',
  ).toEqual(distributed);
  const referredTo = await namesOf(sql`
    select distinct k.confrelid::regclass::text as name from pg_constraint k
    where k.contype = 'f' and k.conrelid in (${tenantTables}) and k.confrelid not in (${tenantTables})`);
  const replicated = namesIn(/create_reference_table\([\s\S]*?;/g);
  expect(replicated).toEqual(expect.arrayContaining(referredTo));
  // Replicated tables may refer only to replicated tables.
  const further = await namesOf(sql`
    select distinct k.confrelid::regclass::text as name from pg_constraint k
    where k.contype = 'f' and k.conrelid::regclass::text in ${replicated}`);
  expect(replicated).toEqual(expect.arrayContaining(further));
});

/** Returns the names of tables in statements of the script, each once. */
function namesIn(statement: RegExp): string[] {
  const found = statements.match(statement) ?? [];
  const names = found.flatMap((text) => [...text.matchAll(/'([a-z_]+)'/g)].map(([, name]) => name));
  return [...new Set(names.map(String))]
    .filter((name) => name !== 'organization_id' && name !== 'none')
    .toSorted();
}

test('the statements first drop exactly the triggers on its rows', async () => {
  const functions = await namesOf(sql`
    select distinct t.tgfoid::regproc::text as name from pg_trigger t
    where t.tgrelid in (${tenantTables}) and not t.tgisinternal`);
  expect(statements).toContain('drop function fill_organization_of_mark() cascade;');
  expect(functions).toEqual(['fill_organization_of_mark']);
});
