// @module-tag slow

import { sql } from 'drizzle-orm';
import { describe, expect, inject, test } from 'vitest';
import { newId } from '../kernel/ids.ts';
import { newUser } from '../testing/accounts.ts';
import { cloneDatabase } from '../testing/api.ts';
import { asService, createDatabase, withDatabase } from '../testing/databases.ts';
import { setUpApi } from '../testing/set-up.ts';
import { catalogue } from './catalogue.ts';
import { connectDatabase } from './client.ts';
import { migrateDatabase } from './migrate.ts';

const api = await setUpApi();
await newUser(api);

const tables = catalogue.map(({ name }) => name);

/** Runs a statement as the service. @returns the error code; null on success */
async function attempt(statement: string): Promise<string | null> {
  try {
    await api.deps.db.transaction(async (tx) => {
      await tx.execute(sql.raw(statement));
      throw new Error('undone');
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.message === 'undone') return null;
    return error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : null;
  }
  throw new Error('unreachable: the transaction is always undone');
}

const forbidden = '42501';

describe('the service', () => {
  test('is not the owner of the tables', async () => {
    const [service] = await api.deps.db.execute<{ name: string }>(sql`select current_user as name`);
    const owners = await api.db.execute<{ owner: string }>(
      sql`select distinct tableowner as owner from pg_tables where schemaname in ('public', 'graphile_worker', 'drizzle')`,
    );
    expect(service?.name).toBe('atelier_tests');
    expect(owners.map(({ owner }) => owner)).not.toContain('atelier_tests');
  });

  test('has the necessary privileges on every table of the schema, and none on partitions', async () => {
    const granted = await api.db.execute<{ name: string; privileges: string }>(sql`
      select table_name as name, string_agg(privilege_type, ' ' order by privilege_type) as privileges
      from information_schema.role_table_grants
      where grantee = 'atelier_tests' and table_schema = 'public' group by table_name order by table_name`);
    const wanted = tables.toSorted().map((name) => ({
      name,
      privileges:
        new Map([
          ['account_activities', 'INSERT SELECT'],
          ['activities', 'INSERT SELECT'],
          ['erased_subjects', 'INSERT SELECT'],
          ['plans', 'SELECT'],
        ]).get(name) ?? 'DELETE INSERT SELECT UPDATE',
    }));
    expect([...granted]).toEqual(wanted);
  });

  test.each([
    ['a table altered', 'alter table tasks add column more text'],
    ['a table dropped', 'drop table comments'],
    ['a table emptied', 'truncate comments'],
    ['a table made', 'create table mine (id int)'],
    ['a schema made', 'create schema mine'],
    ['a function made', `create function mine() returns int language sql as 'select 1'`],
    ['an extension made', 'create extension file_fdw'],
    ['a role made', 'create role mine'],
    ['its own role made a superuser', 'alter role atelier_tests superuser'],
    ['the owner become', 'set role atelier'],
    ['row-level security switched off', 'alter table tasks disable row level security'],
    ['a policy made', 'create policy mine on tasks using (true)'],
    ['a trigger switched off', 'alter table activities disable trigger all'],
    ['triggers passed by', `set session_replication_role = 'replica'`],
    ['an activity changed', `update activities set resource_name = 'x'`],
    ['an activity deleted', 'delete from activities'],
    ['activities emptied', 'truncate activities'],
    ['an activity of an account changed', `update account_activities set resource_name = 'x'`],
    ['a partition read past its table', 'select * from activities_later'],
    ['a partition changed past its table', `update activities_before set resource_name = 'x'`],
    ['activities dropped', `select drop_activities_before(now() + interval '9 years')`],
    ['a plan changed', 'update plans set max_members = 1000'],
    ['hashes of passwords of the server read', 'select * from pg_authid'],
    ['a file of the server read', `select pg_read_file('PG_VERSION')`],
    ['a program of the server run', `copy plans to program 'cat'`],
    [
      'migrations forged',
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 1)`,
    ],
    ['the queue altered', 'alter table graphile_worker._private_jobs disable row level security'],
    ['statements of others seen', 'select pg_stat_reset()'],
  ])('is refused to have %s', async (_, statement) => {
    expect(await attempt(statement)).toBe(forbidden);
  });

  test('can create partitions, but only a limited number', async () => {
    expect(
      await attempt(`select make_activity_partitions(now() + interval '4 months')`),
    ).toBeNull();
    const far = `select make_activity_partitions(now() + interval '6 years')`;
    expect(await attempt(far)).toBe('22023');
  });

  test('may read rows, and write where it may', async () => {
    for (const table of tables)
      expect([table, await attempt(`select * from ${table}`)]).toEqual([table, null]);
    expect(await attempt('select * from users for update')).toBeNull();
  });
});

test('functions with the rights of their owner ignore objects that others create in their way, and are granted by name', async () => {
  const functions = await api.db.execute<{ name: string; path: boolean; open: boolean }>(sql`
    select p.proname as name, p.proconfig @> array['search_path=public, pg_temp'] as path,
      has_function_privilege('public', p.oid, 'execute') as open
    from pg_proc p where p.prosecdef and p.pronamespace = 'public'::regnamespace order by 1`);
  expect([...functions]).toEqual([
    { name: 'erase_activities', path: true, open: false },
    { name: 'make_activity_partitions', path: true, open: false },
  ]);
});

describe('migrations', () => {
  const role = () => `service_${Math.random().toString(36).slice(2)}`;
  const withUser = (url: string, name: string, password: string) => {
    const other = new URL(url);
    other.username = name;
    other.password = password;
    return other.href;
  };

  test.each([
    ['of plain characters', `it's a "password"`],
    ['of any characters', 'ein Paßwort, l’été'],
  ])(
    'make the role that is missing, with a password %s, and leave one that is there',
    async (_, password) => {
      const { postgresUrl } = inject('services');
      const name = `roles_${newId().replaceAll('-', '')}`;
      await createDatabase(postgresUrl, { name });
      const owner = withDatabase(postgresUrl, name);
      const service = { name: role(), password };
      await Promise.all([migrateDatabase(owner, service), migrateDatabase(owner, service)]);
      await migrateDatabase(owner, { ...service, password: 'another one' });

      const url = withUser(owner, service.name, password);
      const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 5_000 });
      expect(await db.execute(sql`select code from plans where is_default`)).toHaveLength(1);
      const temporary = db.execute(sql`create temporary table mine (id int)`);
      await expect(temporary).rejects.toMatchObject({ cause: { code: forbidden } });
      // Like an instance without a configured owner.
      await migrateDatabase(url);
      await close(1);
    },
  );

  test('that are missing are not the service’s to run, and it reports them', async () => {
    const url = await cloneDatabase();
    const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 5_000 });
    await db.execute(sql`delete from drizzle.__drizzle_migrations
      where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`);
    await close(1);
    await expect(migrateDatabase(asService(url))).rejects.toThrow('DATABASE_MIGRATION_URL');
  });

  test('refuse a role with more privileges than intended', async () => {
    const url = await cloneDatabase();
    const { db, close } = connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 5_000 });
    for (const attributes of ['superuser', 'bypassrls', 'createrole', 'in role atelier']) {
      const name = role();
      await db.execute(sql.raw(`create role ${name} ${attributes}`));
      const migrated = migrateDatabase(url, { name, password: null });
      await expect(migrated, attributes).rejects.toThrow('must be no superuser');
      await db.execute(sql.raw(`drop role ${name}`));
    }
    await close(1);
  });
});
