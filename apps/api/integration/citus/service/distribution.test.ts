import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { catalogue } from '../../../src/db/catalogue.ts';
import { connectDatabase } from '../../../src/db/client.ts';
import { distributionParts, takeStep } from '../../../src/db/distribution.ts';
import { uploads } from '../../../src/db/generated/schema.ts';
import { newUser } from '../../../src/testing/accounts.ts';
import { startTestApi } from '../../../src/testing/api.ts';
import { newCitusDatabase } from '../../../src/testing/citus/databases.ts';
import { filledTeam } from '../../../src/testing/filled-team.ts';
import { operate } from '../../../src/testing/operator.ts';
import { recordShortcuts } from '../../../src/testing/shortcuts.ts';

let ownerUrl: string;
let environment: Record<string, string>;
let rowsBefore: Record<string, number>;

/** A running installation with rows in every table, and nothing distributed yet. */
beforeAll(async () => {
  ownerUrl = await newCitusDatabase();
  const api = await startTestApi({}, { databaseUrl: ownerUrl });
  const [owner, member] = [await newUser(api, 'owner'), await newUser(api, 'member')];
  await filledTeam(api, { owner, member, mark: 'citus', times: 2 });
  await recordShortcuts(api);
  const { config } = api;
  environment = {
    DATABASE_URL: config.DATABASE_URL,
    DATABASE_MIGRATION_URL: ownerUrl,
    S3_ENDPOINT: config.S3_ENDPOINT,
    S3_BUCKET: config.S3_BUCKET,
    S3_ACCESS_KEY: config.S3_ACCESS_KEY,
    S3_SECRET_KEY: config.S3_SECRET_KEY,
  };
  const served = await distribute();
  expect(served.exitCode).toBe(1);
  expect(served.stderr).toContain('other connections use the database: stop the service');
  await api.close();
  const found = await operate(['verify'], environment);
  expect([found.stderr, found.stdout]).toEqual(['', expect.stringMatching(/ hold, 0 broken$/)]);
  rowsBefore = await countRows();
});

const distribute = (...args: string[]) => operate(['distribute', ...args], environment);

async function onDatabase<Result>(
  run: (db: ReturnType<typeof connectDatabase>['db']) => Promise<Result>,
): Promise<Result> {
  const { db, close } = connectDatabase({
    url: ownerUrl,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
  });
  try {
    return await run(db);
  } finally {
    await close(2);
  }
}

const countRows = () =>
  onDatabase(async (db) => {
    const parts = catalogue.map(
      ({ name }) =>
        sql`select ${name}::text as name, count(*)::int as amount from ${sql.identifier(name)}`,
    );
    const rows = await db.execute<{ name: string; amount: number }>(
      sql.join(parts, sql` union all `),
    );
    return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]));
  });

test('--print prints every statement and changes nothing', async () => {
  const { stdout, exitCode } = await distribute('--print');
  expect(exitCode).toBe(0);
  for (const { name, distribution } of catalogue) {
    const isMade = new RegExp(`create_(distributed|reference)_table\\('${name}'`).test(stdout);
    expect([name, isMade]).toEqual([name, distribution !== 'local']);
  }
  expect((await distribute('--print')).stdout).toBe(stdout);
});

test('continues where it was interrupted, and keeps every row', async () => {
  await onDatabase(async (db) => {
    const [constraints, tables] = distributionParts;
    for (const step of (await constraints?.(db)) ?? []) await takeStep(db, step);
    for (const step of ((await tables?.(db)) ?? []).slice(0, 7)) await takeStep(db, step);
  });
  const { stdout, stderr, exitCode } = await distribute();
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/ steps made: the organizations are distributed over 2 workers\.$/);
  // Uploads that were under way count.
  const open = await onDatabase((db) => db.$count(uploads, eq(uploads.status, 'ACTIVE')));
  expect(open).toBeGreaterThan(0);
  expect(await countRows()).toEqual({ ...rowsBefore, upload_claims: open });
  expect((await distribute()).stdout).toBe(
    'Nothing was left to do: the organizations are distributed over 2 workers.',
  );
});

test('leaves no row of an organization in the files of the coordinator', async () => {
  const left = await onDatabase((db) =>
    db.execute<{ name: string }>(sql`
      select c.relname as name from pg_class c join pg_dist_partition p on p.logicalrelid = c.oid
      where pg_relation_size(c.oid) > 0`),
  );
  expect(left.map(({ name }) => name)).toEqual([]);
});

test('a transaction may ask several servers, and then change a table of all of them', async () => {
  const { db, close } = connectDatabase({
    url: String(environment['DATABASE_URL']),
    maxConnections: 1,
    statementTimeoutMs: 60_000,
  });
  const changed = await db.transaction(async (tx) => {
    await tx.execute(sql`select count(*) from memberships`);
    return tx.execute(sql`update users set updated_at = updated_at returning id`);
  });
  await close(2);
  expect(changed.length).toBeGreaterThan(1);
});

test('leaves a database of which `operator verify` finds nothing broken', async () => {
  const { stdout, stderr, exitCode } = await operate(['verify'], environment);
  expect(stderr).toBe('');
  expect(stdout).toContain('ok      distribution: ');
  expect(stdout).toMatch(/verify: \d+ hold, 0 broken$/);
  expect(exitCode).toBe(0);
});

test('`operator verify` names a table that is not where it is declared', async () => {
  await onDatabase(async (db) => {
    for (const key of ['organization_id_organizations_id', 'person_id_users_id']) {
      await db.execute(
        sql`alter table search_documents drop constraint ${sql.raw(`search_documents_${key}_fk`)}`,
      );
    }
    await db.execute(sql`select undistribute_table('search_documents')`);
  });
  const { stdout, exitCode } = await operate(['verify'], environment);
  expect(stdout).toMatch(
    /BROKEN {2}distribution: .*; 1 not so\n {10}search_documents is on the coord/,
  );
  expect(exitCode).toBe(1);
  expect((await distribute()).stdout).toContain('search_documents: by organization');
});
