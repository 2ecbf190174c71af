import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { cloneDatabase } from '../testing/api.ts';
import { tenantTables, type TenantEntry } from './catalogue.ts';
import { connectDatabase, type DatabaseConnection } from './client.ts';

let connection: DatabaseConnection;
beforeAll(async () => {
  const url = await cloneDatabase();
  connection = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 10_000 });
});
afterAll(() => connection.close(1));

const isDistributed = (entry: TenantEntry) => entry.distribution === 'organization';
const declaredLookups = tenantTables.flatMap(({ lookups }) => Object.keys(lookups)).toSorted();

async function namesOf(query: ReturnType<typeof sql>): Promise<string[]> {
  const rows = await connection.db.execute<{ name: string }>(query);
  return rows.map(({ name }) => name).toSorted();
}

const tenantTableNames = tenantTables.filter(isDistributed).map(({ name }) => name);
const distributed = sql`select oid from pg_class
  where relname in ${tenantTableNames} and relnamespace = 'public'::regnamespace`;

const tenantColumn = (table: ReturnType<typeof sql>) =>
  sql`(select attnum from pg_attribute where attrelid = ${table} and attname = 'organization_id')`;

test('every key and index of its rows starts with the organization, or has a reason not to', async () => {
  const stray = await namesOf(sql`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid in (${distributed}) and i.indkey[0] <> ${tenantColumn(sql`i.indrelid`)}`);
  expect(
    stray,
    'begin each index with organizationId, or add it with a reason to the lookups of its tenantTable',
  ).toEqual(declaredLookups);
});

test('every key of its rows contains the organization, without exception', async () => {
  expect(
    await namesOf(sql`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid in (${distributed}) and i.indisunique
        and not ${tenantColumn(sql`i.indrelid`)} = any(i.indkey)`),
  ).toEqual([]);
  expect(
    await namesOf(sql`
      select oid::regclass::text as name from pg_class c
      where oid in (${distributed})
        and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`),
  ).toEqual([]);
});

test('every reference between its rows includes the organization on both sides', async () => {
  expect(
    await namesOf(sql`
      select k.conname as name from pg_constraint k
      where k.contype = 'f' and k.conrelid in (${distributed}) and k.confrelid in (${distributed})
        and not coalesce(array_position(k.conkey, ${tenantColumn(sql`k.conrelid`)})
          = array_position(k.confkey, ${tenantColumn(sql`k.confrelid`)}), false)`),
  ).toEqual([]);
});

test('no other table refers to its rows', async () => {
  expect(
    await namesOf(sql`
      select k.conname as name from pg_constraint k
      where k.contype = 'f' and k.confrelid in (${distributed}) and k.conrelid not in (${distributed})`),
  ).toEqual([]);
});

test('every table with an organization is declared as one of tenants', async () => {
  const found = await namesOf(sql`select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`);
  expect(tenantTables.map(({ name }) => name).toSorted()).toEqual(found);
});
