import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newId } from '../kernel/ids.ts';
import { createDatabase, withDatabase } from '../testing/databases.ts';
import { verifyDatabase } from '../domain/verify/verify.ts';
import { connectDatabase, type DatabaseConnection } from './client.ts';
import { migrateDatabase } from './migrate.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));

/** An empty database with the migrations up to one, as in an older release. */
async function databaseBefore(tag: string): Promise<string> {
  const { postgresUrl } = inject('services');
  const name = `test_${newId().replaceAll('-', '')}`;
  await createDatabase(postgresUrl, { name });
  const url = withDatabase(postgresUrl, name);
  const folder = await mkdtemp(join(tmpdir(), 'atelier-migrations-'));
  await cp(migrations, folder, { recursive: true });
  const journalFile = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: { tag: string }[] };
  const entries = journal.entries.slice(
    0,
    journal.entries.findIndex((entry) => entry.tag === tag),
  );
  await writeFile(journalFile, JSON.stringify({ ...journal, entries }));
  const { db, close } = connect(url);
  await migrate(db, { migrationsFolder: folder });
  await close(1);
  await rm(folder, { recursive: true });
  return url;
}

const connect = (url: string) =>
  connectDatabase({ url, maxConnections: 1, statementTimeoutMs: 20_000 });

describe('a database with a library, from before the organization led its keys', () => {
  const people = 4;
  const assetsEach = 30;
  const key = (kind: string, number: string) => `md5('${kind}' || (${number})::text)::uuid`;

  /**
   * Four users, each with a personal organization, and one team for all. In each organization a collection, its
   * assets, half of them with a second version, uploads of every kind, and marks of all its members.
   */
  const library = `
    insert into users (id, email, account_status, created_at, updated_at)
      select ${key('user', 'n')}, n || '@example.com', 'VERIFIED', now(), now() from generate_series(1, ${people}) n;
    insert into organizations (id, name, slug, type, owner_id, created_at, updated_at)
      select ${key('organization', 'n')}, 'o', 'o' || n, case n when 0 then 'TEAM' else 'PERSONAL' end,
        ${key('user', 'greatest(n, 1)')}, now(), now() from generate_series(0, ${people}) n;
    insert into memberships (id, organization_id, user_id, role, joined_at)
      select gen_random_uuid(), o.id, u.id, case when o.owner_id = u.id then 'OWNER' else 'MEMBER' end, now()
      from organizations o join users u on o.type = 'TEAM' or o.owner_id = u.id;
    insert into invitations (organization_id, id, email, role, status, invited_by, created_at, expires_at)
      select id, gen_random_uuid(), 'guest@example.com', 'MEMBER', 'PENDING', owner_id, now(), now() from organizations;
    insert into invitation_tokens (token_hash, organization_id, invitation_id, issued_at)
      select sha256((id::text || n)::bytea), organization_id, id, now() from invitations, generate_series(1, 2) n;
    insert into collections (id, organization_id, title, created_by, created_at, updated_at, deleted_at)
      select gen_random_uuid(), id, 'c', owner_id, now(), now(), case n when 2 then now() end
      from organizations, generate_series(1, 2) n;
    insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version,
        short_code, created_by, created_at, updated_at, deleted_at)
      select ${key('asset', `c.id::text || n`)}, c.organization_id, c.id, 'a', 'image/png', 1, 1 + n % 2,
        left(md5(c.id::text || n), 16), c.created_by, now() - n * interval '1 minute', now(), c.deleted_at
      from collections c, generate_series(1, ${assetsEach}) n;
    insert into stored_objects (id, key, size_bytes, e_tag, created_at)
      select id, 'collection/' || id, 1, 'e', now() from assets;
    insert into asset_versions (asset_id, version_number, organization_id, stored_object_id, content_type, created_by, created_at)
      select id, n, organization_id, id, 'image/png', created_by, now()
      from assets, generate_series(1, current_version) n;
    update assets set published_from_asset_id = source.id
      from (select a.id, row_number() over (order by a.id) as n from assets a
        join organizations o on o.id = a.organization_id where o.type = 'PERSONAL') source,
        (select a.id, row_number() over (order by a.id) as n from assets a
        join organizations o on o.id = a.organization_id where o.type = 'TEAM') published
      where source.n = published.n and assets.id = published.id;
    insert into uploads (id, organization_id, collection_id, target_asset_id, user_id, key, file_name, content_type,
        file_size_bytes, part_size_bytes, status, asset_id, created_at, expires_at)
      select gen_random_uuid(), organization_id, collection_id, case n when 2 then id end, created_by,
        case n when 1 then 'collection/' || id else 'collection/' || id || n end, 'a', 'image/png', 1, 1,
        (array['COMPLETED', 'ACTIVE', 'ABORTED'])[n], case n when 1 then id end, now(), now() + interval '1 hour'
      from assets, generate_series(1, 3) n;
    insert into collection_favorites (user_id, collection_id, created_at)
      select m.user_id, c.id, now() from collections c join memberships m on m.organization_id = c.organization_id;
    insert into asset_favorites (user_id, asset_id, created_at)
      select m.user_id, a.id, now() from assets a join memberships m on m.organization_id = a.organization_id;`;

  const tables = [
    'asset_favorites',
    'asset_versions',
    'assets',
    'collection_favorites',
    'collections',
    'invitation_tokens',
    'memberships',
    'uploads',
  ] as const;

  let connection: DatabaseConnection;
  let before: Record<string, unknown>;
  beforeAll(async () => {
    const url = await databaseBefore('0005_tenant_keys');
    const old = connect(url);
    await old.client.unsafe(library);
    before = await contents(old);
    await old.close(1);
    await migrateDatabase(url);
    connection = connect(url);
  });
  afterAll(() => connection.close(1));

  const numberOf = async (query: ReturnType<typeof sql>) =>
    (await connection.db.execute<{ n: number }>(query))[0]?.n;

  const learnedColumns: Partial<Record<(typeof tables)[number], readonly string[]>> = {
    asset_favorites: ['organization_id'],
    asset_versions: ['review_status', 'reviewed_by', 'reviewed_at'],
    assets: [
      'name_folded',
      'comment_count',
      'open_comment_count',
      'description',
      'tags',
      'tag_keys',
      'details_folded',
    ],
    collection_favorites: ['organization_id'],
    memberships: ['is_service'],
  };

  /** All rows, without the columns that tables have got since. */
  async function contents({ db }: DatabaseConnection): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const table of tables) {
      const learned = learnedColumns[table] ?? [];
      found[table] = await db.execute(sql`
        select (to_jsonb(row) - ${sql.param(learned)}::text[])::text as row from ${sql.identifier(table)} row
        order by 1`);
    }
    return found;
  }

  test('keeps every row', async () => {
    const assets = (people + 1) * 2 * assetsEach;
    expect(before).toMatchObject({ assets: { length: assets }, uploads: { length: 3 * assets } });
    expect(await contents(connection)).toEqual(before);
  });

  test('knows the owner of every mark', async () => {
    expect(
      await numberOf(sql`
        select count(*)::int as n from asset_favorites f join assets a on a.id = f.asset_id
        where f.organization_id = a.organization_id`),
    ).toBe((before['asset_favorites'] as unknown[]).length);
    expect(
      await numberOf(sql`
        select count(*)::int as n from collection_favorites f join collections c on c.id = f.collection_id
        where f.organization_id = c.organization_id`),
    ).toBe((before['collection_favorites'] as unknown[]).length);
  });

  test('holds the invariants that verify checks for keys, references and the library', async () => {
    const results = await verifyDatabase(connection.db);
    const requested = [
      'references',
      'unique-keys',
      'unique-everywhere',
      'versions',
      'bin',
      'referenced-objects',
      'completed-uploads',
      'library-counts',
      'collection-counts',
      'published-assets',
      'published-origins',
    ];
    expect(
      results
        .filter(({ name }) => requested.includes(name))
        .map(({ name, subjects }) => [name, subjects]),
    ).toEqual(expect.arrayContaining(requested.map((name) => [name, []])));
  });

  test('has no unchecked key or reference', async () => {
    expect(
      await numberOf(sql`
        select (select count(*) from pg_constraint where not convalidated)::int
          + (select count(*) from pg_index where not indisvalid)::int as n`),
    ).toBe(0);
  });

  test('refuses a mark of another organization than its asset', async () => {
    await expect(
      connection.db.execute(sql`
        insert into asset_favorites (organization_id, user_id, asset_id, created_at)
        select m.organization_id, m.user_id, a.id, now()
        from assets a join memberships m on m.organization_id <> a.organization_id limit 1`),
    ).rejects.toMatchObject({ cause: { constraint_name: 'asset_favorites_of_same_organization' } });
  });

  test('accepts marks as the previous release creates them', async () => {
    for (const [table, column, resources] of [
      ['asset_favorites', 'asset_id', 'assets'],
      ['collection_favorites', 'collection_id', 'collections'],
    ] as const) {
      const [marks, id] = [sql.identifier(table), sql.identifier(column)];
      const [mark] = await connection.db.execute<{ user: string; id: string }>(
        sql`delete from ${marks} where ctid = (select ctid from ${marks} limit 1) returning user_id as user, ${id} as id`,
      );
      await connection.db.execute(
        sql`insert into ${marks} (user_id, ${id}, created_at) values (${mark?.user}, ${mark?.id}, now())`,
      );
      expect(
        await numberOf(sql`
          select count(*)::int as n from ${marks} f join ${sql.identifier(resources)} r
            on r.organization_id = f.organization_id and r.id = f.${id}
          where f.user_id = ${mark?.user} and f.${id} = ${mark?.id}`),
      ).toBe(1);
    }
  });

  test('deletes marks with their target', async () => {
    const { db } = connection;
    const [asset] = await db.execute<{ id: string }>(
      sql`select id from assets where deleted_at is not null limit 1`,
    );
    await db.execute(sql`delete from uploads where ${asset?.id} in (asset_id, target_asset_id)`);
    await db.execute(sql`delete from asset_versions where asset_id = ${asset?.id}`);
    const marks = sql`select count(*)::int as n from asset_favorites where asset_id = ${asset?.id}`;
    expect(await numberOf(marks)).toBeGreaterThan(0);
    await db.execute(sql`delete from assets where id = ${asset?.id}`);
    expect(await numberOf(marks)).toBe(0);
  });
});

describe('a database whose accounts were in the history of organizations', () => {
  const columns = `id, action, actor_id, resource_type, resource_id, resource_name, changes, metadata, request_id,
    created_at, transaction_id`;
  /** Of each month around now, half of them in an organization. */
  const history = `
    insert into users (id, email, account_status, created_at, updated_at)
      select gen_random_uuid(), n || '@example.com', 'VERIFIED', now(), now() from generate_series(1, 20) n;
    insert into activities (id, action, actor_id, organization_id, resource_type, resource_id, resource_name, changes,
        metadata, request_id, created_at)
      select gen_random_uuid(), 'user.login', users.id, case when month % 2 = 0 then gen_random_uuid() end, 'user',
        users.id, email, '[{"field":"email"}]', '{"sessionId":"s"}', email, now() + month * interval '1 month'
      from users, generate_series(-20, 5) month`;
  const rows = async ({ db }: DatabaseConnection, table: string, where = 'true') => [
    ...(await db.execute(sql.raw(`select ${columns} from ${table} where ${where} order by id`))),
  ];

  test('has them in a table of their own, with the same partitions, and nothing is lost', async () => {
    const url = await databaseBefore('0048_account_activities');
    const old = connect(url);
    await old.client.unsafe(history);
    const before = {
      accounts: await rows(old, 'activities', 'organization_id is null'),
      organizations: await rows(old, 'activities', 'organization_id is not null'),
    };
    await old.close(1);
    await migrateDatabase(url);
    const migrated = connect(url);
    expect(await rows(migrated, 'account_activities')).toEqual(before.accounts);
    expect(await rows(migrated, 'activities')).toEqual(before.organizations);
    expect(before.accounts).toHaveLength(260);
    const bounds = await migrated.db.execute<{ parent: string; bounds: string }>(sql`
      select i.inhparent::regclass::text as parent, pg_get_expr(c.relpartbound, c.oid) as bounds
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('activities'::regclass, 'account_activities'::regclass) order by 2`);
    const of = (parent: string) =>
      bounds.filter((one) => one.parent === parent).map((one) => one.bounds);
    expect(of('account_activities')).toEqual(of('activities'));
    const changed = migrated.client.unsafe(`update account_activities set resource_name = 'x'`);
    await expect(changed).rejects.toHaveProperty('code', '23001');
    await migrated.close(1);
  });
});

describe('a database whose organizations shared objects', () => {
  const id = (name: string) => `md5('${name}')::uuid`;
  /** A person's own asset with two versions, and what was published from the first to two teams. */
  const shared = `
    insert into users (id, email, account_status, created_at, updated_at)
      values (${id('user')}, 'a@example.com', 'VERIFIED', now(), now());
    insert into organizations (id, name, slug, type, owner_id, created_at, updated_at)
      select md5(name)::uuid, name, name, case name when 'home' then 'PERSONAL' else 'TEAM' end, ${id('user')}, now(), now()
      from unnest(array['home', 'team', 'guild']) as name;
    insert into collections (id, organization_id, title, created_by, created_at, updated_at)
      select id, id, 'c', owner_id, now(), now() from organizations;
    insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version,
        short_code, created_by, created_at, updated_at)
      select id, id, id, 'a', 'image/png', 10, case name when 'home' then 2 else 1 end, slug, owner_id, now(), now() from organizations;
    insert into stored_objects (id, key, size_bytes, e_tag, checksum, thumbnail_key, created_at) values
      (${id('first')}, 'collection/first', 10, 'e', 'sum', 'thumbnail/first', now()),
      (${id('second')}, 'collection/second', 10, 'e', null, null, now());
    insert into asset_versions (asset_id, version_number, organization_id, stored_object_id, content_type, created_by, created_at)
      select id, 1, id, ${id('first')}, 'image/png', owner_id, now() + case name when 'home' then '0' else '1 s' end::interval from organizations
      union all values (${id('home')}, 2, ${id('home')}, ${id('second')}, 'image/png', ${id('user')}, now());
    insert into share_pictures (organization_id, stored_object_id, watermark, created_at) values
      (${id('team')}, ${id('first')}, '', now()), (${id('team')}, ${id('second')}, '', now());
    insert into organization_usage (organization_id, storage_bytes) select id, 10 from organizations
      on conflict (organization_id) do update set storage_bytes = 10;
    grant select on stored_objects to pg_monitor`;
  /** What an organization has, and how much is counted. */
  const holdings = async (name: string) => {
    const [found] = await connection.db.execute(
      sql.raw(`
      select (select array_agg(o.key || coalesce(' ' || o.thumbnail_key, '') order by v.version_number)
          from asset_versions v join stored_objects o on o.organization_id = v.organization_id and o.id = v.stored_object_id
          where v.organization_id = usage.organization_id) as contents, usage.storage_bytes::int as bytes
      from organization_usage usage where usage.organization_id = ${id(name)}`),
    );
    return found;
  };
  const first = 'collection/first thumbnail/first';

  let connection: DatabaseConnection;
  beforeAll(async () => {
    const url = await databaseBefore('0051_objects_by_organization');
    const old = connect(url);
    await old.client.unsafe(shared);
    await old.close(1);
    await migrateDatabase(url);
    connection = connect(url);
  });
  afterAll(() => connection.close(1));

  test('has what each has, under the id that the first had', async () => {
    expect(await holdings('home')).toEqual({ contents: [first, 'collection/second'], bytes: 10 });
    expect(await holdings('team')).toEqual({ contents: [first], bytes: 10 });
    expect(await holdings('guild')).toEqual({ contents: [first], bytes: 10 });
    const [ids] = await connection.client.unsafe(`
      select count(distinct id)::int as all, count(*) filter (where organization_id = ${id('home')} and id = ${id('first')})::int as kept
      from stored_objects`);
    expect(ids).toEqual({ all: 4, kept: 1 });
  });

  test('keeps the pictures of versions, and the rights of others', async () => {
    const pictures = await connection.client.unsafe(`
      select o.key from share_pictures p
      join stored_objects o on o.organization_id = p.organization_id and o.id = p.stored_object_id`);
    expect([...pictures]).toEqual([{ key: 'collection/first' }]);
    const [right] = await connection.client.unsafe(
      `select has_table_privilege('pg_monitor', 'stored_objects', 'select') as held`,
    );
    expect(right).toEqual({ held: true });
  });

  test('takes what the previous release publishes', async () => {
    const version = (team: string, number: number, object: string) => `
      update organization_usage set storage_bytes = storage_bytes + 10 where organization_id = ${id(team)};
      insert into asset_versions (asset_id, version_number, organization_id, stored_object_id, content_type, created_by, created_at)
        values (${id(team)}, ${number}, ${id(team)}, ${id(object)}, 'image/png', ${id('user')}, now())`;
    await connection.client.unsafe(version('guild', 2, 'second'));
    expect(await holdings('guild')).toEqual({ contents: [first, 'collection/second'], bytes: 20 });
    const jobs = await connection.client.unsafe(`
      select payload from graphile_worker._private_jobs where payload ->> 'organizationId' = ${id('guild')}::text`);
    expect(jobs).toHaveLength(1);
    await connection.client.unsafe(version('guild', 3, 'first'));
    expect(await holdings('guild')).toEqual({
      contents: [first, 'collection/second', first],
      bytes: 20,
    });
  });

  test('tells the previous release only of objects that no other organization has', async () => {
    /** As that release purges an organization. */
    const purge = async (name: string) => {
      await connection.client.unsafe(
        `delete from asset_versions where organization_id = ${id(name)}`,
      );
      const deleted = await connection.client.unsafe(`
        delete from stored_objects where id in (select id from stored_objects where organization_id = ${id(name)})
        returning key`);
      const [left] = await connection.client.unsafe(
        `select count(*)::int as n from stored_objects where organization_id = ${id(name)}`,
      );
      expect(left).toEqual({ n: 0 });
      return deleted.map(({ key }) => String(key)).toSorted();
    };
    expect(await purge('home')).toEqual([]);
    expect(await purge('team')).toEqual([]);
    expect(await purge('guild')).toEqual(['collection/first', 'collection/second']);
  });
});

test('an accepted invitation names the account that has joined by it', async () => {
  const url = await databaseBefore('0063_invited_accounts');
  const connection = connect(url);
  const [account, accepted, open] = [newId(), newId(), newId()];
  await connection.client.unsafe(`
    insert into users (id, email, account_status, created_at, updated_at)
      values ('${account}', 'a@example.com', 'VERIFIED', now(), now());
    insert into organizations (id, name, slug, type, owner_id, created_at, updated_at)
      values ('${account}', 'o', 'o', 'TEAM', '${account}', now(), now());
    insert into invitations (organization_id, id, email, role, status, invited_by, created_at, expires_at)
      select '${account}', id::uuid, id || '@example.com', 'MEMBER', 'REVOKED', '${account}', now(), now()
      from unnest(array['${accepted}', '${open}']) as id;
    insert into activities (id, action, actor_id, organization_id, resource_type, resource_id, resource_name, changes, metadata, created_at)
      values (gen_random_uuid(), 'member.join', '${account}', '${account}', 'member', gen_random_uuid(), 'a', '[]',
        json_build_object('invitationId', '${accepted}'), now())`);
  await migrateDatabase(url);
  const rows = await connection.client.unsafe(
    `select account_id as account from invitations order by id = '${open}'`,
  );
  await connection.close(1);
  expect([...rows]).toEqual([{ account }, { account: null }]);
});
