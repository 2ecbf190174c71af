import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import type postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { catalogue } from '../../../src/db/catalogue.ts';
import {
  distributionParts,
  prepareForChanges,
  stepFor,
  takeStep,
  type DistributionStep,
} from '../../../src/db/distribution.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { packageDir } from '../../../src/package-dir.ts';
import { newUser, type TestUser } from '../../../src/testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../../src/testing/api.ts';
import { createCitusDatabase, onServer } from '../../../src/testing/citus/cluster.ts';
import { newCitusDatabase } from '../../../src/testing/citus/databases.ts';
import { migrateForService } from '../../../src/testing/databases.ts';
import { filledTeam, type FilledTeam } from '../../../src/testing/filled-team.ts';
import { untilIdle } from '../../../src/testing/library.ts';
import { operate } from '../../../src/testing/operator.ts';
import { publish } from '../../../src/testing/publishing.ts';
import { recordShortcuts } from '../../../src/testing/shortcuts.ts';

/** How a release before distributed what is elsewhere now. */
interface Former {
  /** The first migration that it lacked. */
  readonly before: string;
  /** The table that it distributed first. */
  readonly leading: string;
  readonly reference: readonly string[];
  readonly local: readonly string[];
  /** Tables that it lacked, and whose rows come from nowhere else. */
  readonly lacked: readonly string[];
  /** The rows of its tables, made of today's; those that aren't named were the same. */
  readonly rows: Readonly<Record<string, string>>;
}

const first = `(select (array_agg(o.id order by o.id))[1] from stored_objects o where o.key =
  (select key from stored_objects s where s.organization_id = t.organization_id and s.id = t.stored_object_id))`;
const sharedObjects = {
  stored_objects:
    'select distinct on (key) to_jsonb(t) as row from stored_objects t order by key, id',
  asset_versions: `select to_jsonb(t) || jsonb_build_object('stored_object_id', ${first}) as row from asset_versions t`,
  share_pictures: `select to_jsonb(t) || jsonb_build_object('stored_object_id', ${first}) as row from share_pictures t`,
};

const releases: Readonly<Record<string, Former>> = {
  'with the history on the coordinator': {
    before: '0048_account_activities',
    leading: 'collections',
    reference: ['stored_objects'],
    local: ['activities', 'erased_subjects'],
    lacked: ['committed_responses', 'approvals'],
    rows: {
      ...sharedObjects,
      activities: `select to_jsonb(t) as row from activities t
        union all select to_jsonb(t) || '{"organization_id": null}' from account_activities t`,
    },
  },
  'with objects that organizations shared': {
    before: '0051_objects_by_organization',
    leading: 'activities',
    reference: ['stored_objects'],
    local: [],
    lacked: ['approvals'],
    rows: sharedObjects,
  },
};

let source: TestApi;
let owner: TestUser;
let team: FilledTeam;
let collectionKey: string;
let rowsOfSource: Record<string, string[]>;

/** An installation of today with rows in every table, which a release before gets in its own form. */
beforeAll(async () => {
  source = await startTestApi({}, { databaseUrl: await newCitusDatabase() });
  owner = await newUser(source, 'owner');
  const member = await newUser(source, 'member');
  team = await filledTeam(source, { owner, member, mark: 'citus', times: 2 });
  const personal = { user: owner, assetId: team.personalAssetId };
  const published = await publish(source, { ...personal, organizationId: team.organizationId });
  expect(published.status).toBe(201);
  collectionKey = newId();
  expect((await createCollection(source)).status).toBe(201);
  await untilIdle(source);
  await recordShortcuts(source);
  await source.close();
  rowsOfSource = await onServer(source.ownerUrl, allRows);
});

const createCollection = (api: TestApi) =>
  call(api, 'collections.create', {
    token: owner.token,
    organizationId: team.organizationId,
    body: { title: 'Once' },
    headers: { 'idempotency-key': collectionKey },
  });

/** All rows by table, without the ids that organizations have for what they share. */
async function allRows(sql: postgres.Sql): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name } of catalogue) {
    const ids = name === 'stored_objects' ? ['id'] : ['stored_object_id'];
    const rows = await sql<{ row: string }[]>`
      select (to_jsonb(t) - ${ids}::text[])::text as row from ${sql(name)} t`;
    found[name] = rows.map(({ row }) => row).toSorted();
  }
  return found;
}

/** The claims that uploads under way have on a distributed database. */
async function claimsOfUploads(sql: postgres.Sql): Promise<string[]> {
  const rows = await sql<{ row: string }[]>`
    select to_jsonb(claims)::text as row
    from (select organization_id, id as upload_id, user_id, expires_at from uploads where status = 'ACTIVE') as claims`;
  expect(rows.length).toBeGreaterThan(0);
  return rows.map(({ row }) => row).toSorted();
}

async function databaseOf({ before, leading, reference, local, rows }: Former): Promise<string> {
  const url = await createCitusDatabase(
    inject('citusServers'),
    `test_${newId().replaceAll('-', '')}`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'atelier-migrations-'));
  await cp(join(packageDir, 'migrations'), folder, { recursive: true });
  const journalFile = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: { tag: string }[] };
  const end = journal.entries.findIndex(({ tag }) => tag === before);
  await writeFile(
    journalFile,
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }),
  );
  await onServer(url, async (sql) => {
    const db = drizzle(sql);
    await migrate(db, { migrationsFolder: folder });
    await copyRows(sql, rows);
    await prepareForChanges(db);
    const functions = await sql<{ name: string }[]>`select proname as name from pg_proc`;
    const known = new Set([
      ...(await tablesOf(sql)),
      ...functions.map(({ name }) => name),
      'statements of all organizations ask one server after the other',
    ]);
    const take = async (stepsOf: (typeof distributionParts)[number], isWanted = /./) => {
      const steps = await stepsOf(db);
      const isKnown = ({ what }: DistributionStep) => known.has(what.split(':')[0] ?? '');
      for (const step of steps.filter((one) => isKnown(one) && isWanted.test(one.what))) {
        await takeStep(db, step);
      }
    };
    const [constraints, tables, ...later] = distributionParts.slice(0, 5);
    if (!constraints || !tables) throw new Error('the distribution has no parts');
    await take(constraints);
    for (const name of local) await dropReferences(sql, name);
    for (const name of [...reference, ...local]) known.delete(name);
    for (const name of reference) await db.execute(`select create_reference_table('${name}')`);
    await take(tables, /a copy on every server/);
    const leadingStep = stepFor(leading, leading);
    if (leadingStep) await takeStep(db, leadingStep);
    for (const stepsOf of [tables, ...later]) await take(stepsOf);
  });
  await rm(folder, { recursive: true });
  return url;
}

/** As it did with those of the coordinator. */
async function dropReferences(sql: postgres.Sql, table: string): Promise<void> {
  const keys = await sql<{ name: string }[]>`
    select conname as name from pg_constraint
    where contype = 'f' and conparentid = 0 and conrelid = ${table}::regclass`;
  for (const { name } of keys) await sql`alter table ${sql(table)} drop constraint ${sql(name)}`;
}

async function tablesOf(sql: postgres.Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  return tables.map(({ name }) => name);
}

async function copyRows(sql: postgres.Sql, rows: Former['rows']): Promise<void> {
  await sql`set session_replication_role to replica`;
  await onServer(source.ownerUrl, async (from) => {
    for (const table of await tablesOf(sql)) {
      const statement = rows[table] ?? `select to_jsonb(t) as row from "${table}" t`;
      const found = await from.unsafe<{ row: object }[]>(statement);
      const columns = await sql<{ name: string }[]>`
        select quote_ident(column_name) as name from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`;
      const names = columns.map(({ name }) => name).join(', ');
      await sql.unsafe(
        `insert into "${table}" (${names}) select ${names} from jsonb_populate_recordset(null::"${table}", $1::text::jsonb)
          on conflict do nothing`,
        [JSON.stringify(found.map(({ row }) => row))],
      );
    }
  });
  await sql`set session_replication_role to default`;
}

describe.each(Object.entries(releases))('a distributed database %s', (_, former) => {
  let url: string;
  let api: TestApi;
  let environment: Record<string, string>;
  beforeAll(async () => {
    url = await databaseOf(former);
    await migrateForService(url);
    environment = {
      DATABASE_URL: url,
      S3_ENDPOINT: source.config.S3_ENDPOINT,
      S3_BUCKET: source.config.S3_BUCKET,
      S3_ACCESS_KEY: source.config.S3_ACCESS_KEY,
      S3_SECRET_KEY: source.config.S3_SECRET_KEY,
    };
  });
  afterAll(() => api?.close());

  test('is distributed as one of this release', async () => {
    const { stdout, stderr } = await operate(['distribute'], environment);
    expect([stderr, stdout]).toEqual(['', expect.stringMatching(/^Nothing was left to do/)]);
  });

  test('keeps every row', async () => {
    const lacked = Object.fromEntries(former.lacked.map((name) => [name, []]));
    expect(await onServer(url, allRows)).toEqual({
      ...rowsOfSource,
      ...lacked,
      upload_claims: await onServer(source.ownerUrl, claimsOfUploads),
    });
  });

  test('has nothing that `operator verify` finds broken', async () => {
    const { stdout, exitCode } = await operate(['verify'], environment);
    expect(stdout).toMatch(/verify: \d+ hold, 0 broken$/);
    expect(exitCode).toBe(0);
  });

  test('serves what was there, and replays what was done', async () => {
    api = await startTestApi({ S3_BUCKET: source.config.S3_BUCKET }, { databaseUrl: url });
    const inTeam = { token: owner.token, organizationId: team.organizationId };
    const replayed = await createCollection(api);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    const asset = await call(api, 'assets.get', { ...inTeam, params: { id: team.assetId } });
    expect((await fetch(asset.body.data.assetLongUrl)).status).toBe(200);
    for (const operation of [
      'tasks.list',
      'shares.list',
      'timeline.list',
      'search.find',
    ] as const) {
      const query = operation === 'search.find' ? { q: 'citus' } : {};
      expect([operation, (await call(api, operation, { ...inTeam, query })).status]).toEqual([
        operation,
        200,
      ]);
    }
  });
});
