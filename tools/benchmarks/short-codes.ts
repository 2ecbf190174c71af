/**
 * Compares a table of short codes with an index on the codes of the assets: the cost of each link that is
 * followed, and of each asset that is added.
 *
 *     pnpm bench:codes [--quick]
 *
 * The statement of the link is the one that the service sends. The variants take turns, so that other load on the
 * machine affects both.
 */
import { startPostgres } from '@atelier/devstack';
import postgres from 'postgres';
import { connectDatabase } from '../../apps/api/src/db/client.ts';
import { migrateDatabase } from '../../apps/api/src/db/migrate.ts';
import { assetQueries } from '../../apps/api/src/features/assets/queries.ts';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';

const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 1 : 9;
const linksPerRound = isQuick ? 200 : 2_000;
const organizations = 100;
const assetsEach = isQuick ? 50 : 3_000;
const addedAssets = 2_000;

const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function fill(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    insert into users (id, email, account_status, created_at, updated_at)
      select uuidv7(), n || '@example.com', 'VERIFIED', now(), now() from generate_series(1, ${organizations}) n;
    insert into organizations (id, name, slug, type, owner_id, created_at, updated_at)
      select uuidv7(), 'o', 'o' || email, 'PERSONAL', id, now(), now() from users;
    insert into collections (id, organization_id, title, created_by, created_at, updated_at)
      select uuidv7(), id, 'c', owner_id, now(), now() from organizations;
    insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version,
        short_code, created_by, created_at, updated_at)
      select uuidv7(), organization_id, id, n || '.png', 'image/png', n, 1, left(md5(id::text || n), 16),
        created_by, now(), now() from generate_series(1, ${assetsEach}) n, collections;
    insert into stored_objects (organization_id, id, key, size_bytes, e_tag, created_at)
      select organization_id, id, 'collection/' || id, 1, 'e', now() from assets;
    insert into asset_versions (organization_id, asset_id, version_number, stored_object_id, content_type, created_by, created_at)
      select organization_id, id, 1, id, 'image/png', created_by, now() from assets;
    create table short_codes (code text primary key, organization_id uuid not null, asset_id uuid not null);
    insert into short_codes select short_code, organization_id, id from assets;`);
  await sql`vacuum analyze`;
}

/** Returns the statement of the service, and the same through the table. */
async function statementsOf(url: string): Promise<Record<'index' | 'table', string>> {
  const { db, client, close } = connectDatabase({
    url,
    maxConnections: 1,
    statementTimeoutMs: 9_000,
  });
  await client`select 1`;
  let index = '';
  client.options.debug = (_connection, text) => (index = text);
  await assetQueries(db).findLinkedContent('x');
  await close(1);
  const table = index
    .replace(
      'from "assets"',
      `from short_codes inner join "assets"
        on "assets"."organization_id" = short_codes.organization_id and "assets"."id" = short_codes.asset_id`,
    )
    .replace('"assets"."short_code"', 'short_codes.code');
  if (!table.includes('join "assets"') || !table.includes('short_codes.code')) {
    throw new Error(`the statement has changed: ${index}`);
  }
  return { index, table };
}

async function followLinks(sql: postgres.Sql, url: string): Promise<void> {
  const statements = await statementsOf(url);
  const codes = await sql<{ code: string }[]>`
    select short_code as code from assets order by random() limit ${linksPerRound}`;
  // The second parameter says that the link is enabled.
  const follow = async (text: string) => {
    const start = performance.now();
    for (const { code } of codes) {
      const rows = await sql.unsafe(text, [code, true], { prepare: true });
      if (rows.length !== 1) throw new Error(`a code has ${rows.length} assets`);
    }
    return ((performance.now() - start) / codes.length) * 1_000;
  };
  const times = { index: [] as number[], table: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const variant of ['index', 'table'] as const) {
      const taken = await follow(statements[variant]);
      // The first round prepares statements and fills caches.
      if (round > 0) times[variant].push(taken);
    }
  }
  const ratio = median(
    times.table.map((taken, round) => taken / (times.index[round] ?? Number.NaN)),
  );
  print(`a link, medians of ${rounds} rounds of ${codes.length}`);
  print(`  index on the assets  ${median(times.index).toFixed(0)} µs`);
  print(
    `  table of codes       ${median(times.table).toFixed(0)} µs, ${((ratio - 1) * 100).toFixed(1)} %`,
  );
}

/** Adds assets one by one and stores their codes. @returns bytes of WAL and microseconds for each */
async function addAssets(sql: postgres.Sql, variant: 'index' | 'table') {
  const position = async () => {
    const [row] = await sql<{ lsn: string }[]>`select pg_current_wal_insert_lsn() - '0/0' as lsn`;
    return Number(row?.lsn);
  };
  // So that no variant pays for the full-page images of the other.
  await sql`checkpoint`;
  const [collection] = await sql`select id, organization_id, created_by from collections limit 1`;
  const before = await position();
  const start = performance.now();
  for (let number = 0; number < addedAssets; number += 1) {
    await sql.unsafe(
      `with added as (
        insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version,
          short_code, created_by, created_at, updated_at)
        values (uuidv7(), $1, $2, 'added', 'image/png', 1, 1, left(md5(random()::text), 16), $3, now(), now())
        returning short_code, organization_id, id)
      ${variant === 'table' ? 'insert into short_codes' : ''} select * from added`,
      [collection?.['organization_id'], collection?.['id'], collection?.['created_by']],
      { prepare: true },
    );
  }
  const microseconds = ((performance.now() - start) / addedAssets) * 1_000;
  return { bytes: ((await position()) - before) / addedAssets, microseconds };
}

async function compareAdding(sql: postgres.Sql): Promise<void> {
  // Full-page images would hide the difference.
  await sql`alter system set full_page_writes = off`;
  await sql`select pg_reload_conf()`;
  const index = await addAssets(sql, 'index');
  await sql`drop index assets_by_short_code`;
  const table = await addAssets(sql, 'table');
  print(`an added asset, of ${addedAssets} one by one`);
  print(
    `  index on the assets  ${index.bytes.toFixed(0)} bytes of WAL, ${index.microseconds.toFixed(0)} µs`,
  );
  print(
    `  table of codes       ${table.bytes.toFixed(0)} bytes of WAL, ${table.microseconds.toFixed(0)} µs`,
  );
}

async function compareSizes(sql: postgres.Sql): Promise<void> {
  const [size] = await sql<{ index: number; table: number; assets: number }[]>`
    select pg_relation_size('assets_by_short_code')::float8 as index,
      pg_total_relation_size('short_codes')::float8 as table, (select count(*)::int from assets) as assets`;
  if (!size) throw new Error('Postgres returned no sizes');
  const each = (bytes: number) => `${(bytes / size.assets).toFixed(0)} bytes for each asset`;
  print(`on disk, of ${size.assets} assets`);
  print(`  index on the assets  ${each(size.index)}`);
  print(`  table of codes       ${each(size.table)}, on every server`);
}

const dataDir = temporaryDirectory('codes');
const server = await track(startPostgres({ dataDir }));
try {
  await migrateDatabase(server.url);
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  await fill(sql);
  await followLinks(sql, server.url);
  await compareSizes(sql);
  await compareAdding(sql);
  await sql.end();
} finally {
  await stopAll();
}
