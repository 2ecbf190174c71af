import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { cloneDatabase } from '../testing/api.ts';
import { connectDatabase, type DatabaseConnection } from './client.ts';

let connection: DatabaseConnection;
beforeAll(async () => {
  const url = await cloneDatabase();
  connection = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 10_000 });
});
afterAll(() => connection.close(1));

/** What is looked for without knowing the organization, now and on many servers. */
const acrossOrganizations: Readonly<Record<string, string>> = {
  activities_newest: 'platform administrators read all organizations',
  activities_of_action: 'platform administrators read all organizations',
  activities_of_actor: 'people read what they did, wherever',
  activities_of_resource: 'ids of resources are unique; rows of accounts have no organization',
  assets_by_deletion: 'a job looks for whose time in the bin is over',
  asset_versions_by_object: 'objects are shared by organizations',
  assets_published_from: 'leads from one organization into another',
  assets_published_from_asset_id_assets_id_fk: 'leads from one organization into another',
  invitation_tokens_pkey: 'who follows a link says no organization',
  memberships_by_user: 'people ask for their organizations',
  uploads_active_by_expiry: 'a job looks for whose time is over',
};

/** What docs/decisions/0043 has changed before rows are distributed. */
const beforeDistribution: readonly string[] = [
  'activities_id_created_at_pk',
  'asset_versions_asset_id_version_number_pk',
  'assets_newest_in_collection',
  'assets_of_collection',
  'assets_pkey',
  'assets_shortCode_unique',
  'collections_pkey',
  'memberships_pkey',
  'uploads_by_asset',
  'uploads_by_collection',
  'uploads_by_target',
  'uploads_key_unique',
  'uploads_pkey',
];

async function namesOf(query: ReturnType<typeof sql>): Promise<string[]> {
  const rows = await connection.db.execute<{ name: string }>(query);
  return rows.map(({ name }) => name);
}

const tenantTables = sql`select c.oid from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`;

test('the organization leads every key and index of its rows, or there is a reason', async () => {
  // A unique index has to hold it, any other to begin with it.
  const stray = await namesOf(sql`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_attribute a on a.attrelid = i.indrelid and a.attname = 'organization_id'
    where i.indrelid in (${tenantTables}) and i.indkey[0] <> a.attnum`);
  const references = await namesOf(sql`
    select k.conname as name from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attname = 'organization_id'
    where k.contype = 'f' and k.conrelid in (${tenantTables}) and k.confrelid in (${tenantTables})
      and not a.attnum = any(k.conkey)`);
  const reasoned = [...Object.keys(acrossOrganizations), ...beforeDistribution];
  expect([...stray, ...references].toSorted()).toEqual(reasoned.toSorted());
});

test('there are as many tenant tables as were looked at', async () => {
  expect(
    (
      await namesOf(
        sql`select oid::regclass::text as name from pg_class where oid in (${tenantTables})`,
      )
    ).toSorted(),
  ).toEqual([
    'activities',
    'asset_versions',
    'assets',
    'collections',
    'column_sections',
    'comments',
    'invitation_tokens',
    'invitations',
    'memberships',
    'organization_usage',
    'projects',
    'task_assignees',
    'tasks',
    'uploads',
  ]);
});
