import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../db/catalogue.ts';
import { connectDatabase } from '../db/client.ts';
import { otherConnections } from '../db/distribution.ts';
import { cloneDatabase } from '../testing/api.ts';
import { asService } from '../testing/databases.ts';
import { operate } from '../testing/operator.ts';

const DATABASE_URL = await cloneDatabase();

test('a database without Citus is not distributed', async () => {
  const { exitCode, stdout, stderr } = await operate(['distribute'], { DATABASE_URL });
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'This database has no Citus: create the extension in it on every server, and name the workers with citus_add_node.',
  );
});

test.each([
  'delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)',
  'drop schema drizzle cascade',
])('a database that is not migrated is not distributed: %s', async (change) => {
  const url = await cloneDatabase();
  const owner = postgres(url, { max: 1, onnotice: () => {} });
  await owner.unsafe(change);
  await owner.end();
  const { exitCode, stderr } = await operate(['distribute'], { DATABASE_URL: url });
  expect([exitCode, stderr]).toEqual([
    1,
    'The database is not up to date: run the migrations first, with DATABASE_MIGRATION_URL.',
  ]);
});

test.each([[['distribute', 'now']], [['verify', '--print']]])('%j is refused', async (args) => {
  const { exitCode, stderr } = await operate(args, { DATABASE_URL });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--print');
});

describe('what it prints', () => {
  const printed = async () =>
    (await operate(['distribute', '--print'], { DATABASE_URL })).stdout.split('\n');

  test('distributes each table as it is declared, after those that it refers to', async () => {
    const lines = await printed();
    const placeOf = (name: string) =>
      lines.findIndex((line) => line.startsWith('select create_') && line.includes(`('${name}'`));
    for (const { name, distribution } of catalogue) {
      expect([name, placeOf(name) >= 0]).toEqual([name, distribution !== 'local']);
    }
    for (const [before, after] of [
      ['users', 'organizations'],
      ['stored_objects', 'asset_versions'],
      ['collections', 'assets'],
      ['projects', 'tasks'],
      ['tasks', 'comments'],
    ] as const) {
      expect(placeOf(before)).toBeLessThan(placeOf(after));
    }
  });

  test('drops the references of other tables to those of every server, and no others', async () => {
    const dropped = (await printed()).filter((line) => line.includes('drop constraint'));
    expect(dropped).toContain(
      'alter table "sessions" drop constraint "sessions_user_id_users_id_fk";',
    );
    expect(dropped).toContain(
      'alter table "organizations" drop constraint "organizations_owner_id_users_id_fk";',
    );
    expect(dropped.filter((line) => line.startsWith('alter table "memberships"'))).toEqual([]);
    expect(dropped.filter((line) => line.startsWith('alter table "users"'))).toEqual([]);
  });

  test('keeps the reference of subtasks, without what Citus refuses', async () => {
    const lines = await printed();
    const name = '"tasks_parent_of_same_organization"';
    expect(lines.filter((line) => line.includes(name))).toEqual([
      `alter table "tasks" drop constraint ${name};`,
      `alter table "tasks" add constraint ${name} FOREIGN KEY (organization_id, parent_id) REFERENCES tasks(organization_id, id);`,
    ]);
  });
});

test('an ordinary role counts the connections of other roles, but not those of the cluster', async () => {
  const { db, close } = connectDatabase({
    url: asService(DATABASE_URL),
    maxConnections: 1,
    statementTimeoutMs: 5_000,
  });
  // Those of earlier tests may still be ending.
  await expect.poll(() => otherConnections(db)).toBe(0);
  const names = ['a service', 'citus_internal gpid=1', 'Citus Maintenance Daemon'];
  const connections = names.map((application_name) =>
    postgres(DATABASE_URL, { max: 1, connection: { application_name } }),
  );
  await Promise.all(connections.map((connection) => connection`select 1`));
  expect(await otherConnections(db)).toBe(1);
  await Promise.all([close(2), ...connections.map((connection) => connection.end())]);
});
