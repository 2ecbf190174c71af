import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateDistributed } from '../../../src/db/distributed-migrations.ts';
import { jointChanges } from '../../../src/db/distributed-functions.ts';
import { misplacedTables, prepareForChanges } from '../../../src/db/distribution.ts';
import { migrateDatabase } from '../../../src/db/migrate.ts';
import { newDistributedDatabase } from '../../../src/testing/citus/databases.ts';
import { asService, migrateForService } from '../../../src/testing/databases.ts';

let ownerUrl: string;
let sql: postgres.Sql;
beforeAll(async () => {
  ownerUrl = await newDistributedDatabase();
  sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
});
afterAll(() => sql.end());

const bodyOf = async (name: string) => {
  const [row] = await sql<
    { body: string }[]
  >`select prosrc as body from pg_proc where proname = ${name}`;
  return row?.body;
};

/** As a migration leaves one that it makes anew, until the steps after it are taken. */
const ofOneServer = `create or replace function organizations_behind() returns setof uuid stable language plpgsql
  as $$ begin return; end $$`;

test('a start finishes a migration that stopped after its commit, unless a newer release has been there', async () => {
  await migrateForService(ownerUrl);
  const distributed = await bodyOf('organizations_behind');
  expect(distributed).toContain('log_positions');
  const migrateAsService = () => migrateDatabase(asService(ownerUrl));
  await migrateAsService();

  await sql.unsafe(ofOneServer);
  await sql`drop trigger commit_together on api_keys`;
  const interrupted = await bodyOf('organizations_behind');
  expect(interrupted).not.toBe(distributed);
  await expect(migrateAsService()).rejects.toThrow(
    'run the migrations, with DATABASE_MIGRATION_URL',
  );
  await Promise.all([migrateForService(ownerUrl), migrateForService(ownerUrl)]);
  expect(await bodyOf('organizations_behind')).toBe(distributed);
  const triggers = await sql`
    select tgrelid::regclass::text as table from pg_trigger where tgname = 'commit_together' order by 1`;
  expect(triggers.map((trigger) => trigger['table'])).toEqual(Object.keys(jointChanges).toSorted());

  await sql.unsafe(ofOneServer);
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a newer release', 8999999999999)`;
  await migrateForService(ownerUrl);
  expect(await bodyOf('organizations_behind')).toBe(interrupted);
  await sql`delete from drizzle.__drizzle_migrations where hash = 'of a newer release'`;
  await migrateForService(ownerUrl);
  expect(await bodyOf('organizations_behind')).toBe(distributed);
});

/** As `drizzle-kit` writes one: a table, and then its references. */
const later = `CREATE TABLE "share_pins" (
	"organization_id" uuid NOT NULL,
	"share_id" uuid NOT NULL,
	"asset_id" uuid NOT NULL,
	CONSTRAINT "share_pins_pk" PRIMARY KEY("organization_id","share_id","asset_id")
);
--> statement-breakpoint
ALTER TABLE "share_pins" ADD CONSTRAINT "share_pins_of_share" FOREIGN KEY ("organization_id","share_id") REFERENCES "public"."shares"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_later" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id");`;

test('a migration that adds a table distributes it before its references', async () => {
  await sql`drop table share_pins`;
  const folder = await mkdtemp(join(tmpdir(), 'atelier-migrations-'));
  await mkdir(join(folder, 'meta'));
  const entry = { idx: 0, version: '7', when: 9_000_000_000_000, tag: 'later', breakpoints: true };
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ entries: [entry] }));
  await writeFile(join(folder, 'later.sql'), later);
  const db = drizzle(sql);
  await prepareForChanges(db);
  await migrateDistributed(sql, folder);
  await rm(folder, { recursive: true });

  expect(await misplacedTables(db)).toEqual([]);
  const left = await sql`select conname as name from pg_constraint where conname like '%later'`;
  expect([...left]).toEqual([]);
  const [applied] =
    await sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`;
  expect(applied).toEqual({ newest: String(entry.when) });
});

test('the service of a distributed database starts again, with the same privileges', async () => {
  const grants = () => sql`
    select table_name as table, privilege_type as privilege from information_schema.role_table_grants
    where grantee = 'atelier_tests' order by 1, 2`;
  await migrateForService(ownerUrl);
  const before = [...(await grants())];
  expect(before.filter((grant) => grant['table'] === 'share_pins')).toHaveLength(4);
  await migrateForService(ownerUrl);
  expect([...(await grants())]).toEqual(before);
});

test('the service may read what every server has under its names on the coordinator', async () => {
  await migrateForService(ownerUrl);
  const copies = await sql`
    select relname as table, has_table_privilege('atelier_tests', relname || '_' || shardid, 'select') as "isReadable"
    from pg_dist_partition join pg_class on pg_class.oid = logicalrelid join pg_dist_shard using (logicalrelid)
    where relname in ('users', 'organizations') order by 1`;
  expect([...copies]).toEqual([
    { table: 'organizations', isReadable: true },
    { table: 'users', isReadable: true },
  ]);
});

test('row-level security is refused', async () => {
  await expect(migrateDatabase(ownerUrl, null, true)).rejects.toThrow('row-level security');
});

test('partitions of activities are made and dropped', async () => {
  const service = postgres(asService(ownerUrl), { max: 1, onnotice: () => {} });
  try {
    const [made] =
      await service`select make_activity_partitions(now() + interval '8 months') as count`;
    expect(made?.['count']).toBeGreaterThan(0);
  } finally {
    await service.end();
  }
  const [dropped] = await sql`select drop_activities_before(now() + interval '2 months') as count`;
  expect(dropped?.['count']).toBeGreaterThan(0);
});
