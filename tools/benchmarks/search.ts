/**
 * Measures search in an organization with 1,000,000 documents beside 1,000 small ones: two words, suggestions while typing,
 * and the lists of assets and tasks with `q`; beside them, the same words with `ilike` over the columns.
 *
 *     pnpm bench:search [documents] [rounds]
 *
 * The statements are those of the service. Words are as frequent as in a language: the most frequent one is in most texts.
 * It prints the time of the wall clock, that of the processor (of the connection's server process and of this one), which other
 * load doesn't change, and how many searches were stopped for their time.
 */
import { createSecretKey, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { startPostgres } from '@atelier/devstack';
import postgres from 'postgres';
import { connectDatabase } from '../../apps/api/src/db/client.ts';
import { migrateDatabase } from '../../apps/api/src/db/migrate.ts';
import { searchedText } from '../../apps/api/src/domain/folding.ts';
import { assetListQueries } from '../../apps/api/src/features/assets/list/queries/lists.ts';
import { searchUseCases } from '../../apps/api/src/features/search/usecases.ts';
import { createCursorCodec } from '../../apps/api/src/kernel/pagination.ts';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';

const documents = Number(process.argv[2] ?? 1_000_000);
const smallOrganizations = 1_000;
const documentsEach = 100;
const vocabulary = 20_000;
const rounds = Number(process.argv[3] ?? 200);

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Phrases that texts are put together of. */
const phrases = 20_000;
const phrase = (pool: string, row: string) =>
  `(select text from phrases_of_${pool} where number = 1 + ${row} % ${phrases})`;
/** Of words with a frequency that falls with their number. */
const poolOf = (pool: string, words: number) => `
  create unlogged table phrases_of_${pool} as
    select n as number, string_agg(word, ' ' order by k) as text
    from (select n, k, 1 + floor(exp(random() * ln(${vocabulary})))::int as wanted
        from generate_series(1, ${phrases}) as n, generate_series(1, ${words}) as k) as picked
      join vocabulary on vocabulary.number = picked.wanted
    group by n;
  create unique index on phrases_of_${pool} (number);
  analyze phrases_of_${pool};`;

async function fill(sql: postgres.Sql): Promise<{ organizationId: string; userId: string }> {
  await sql.unsafe(`
    set session_replication_role = replica;
    create unlogged table vocabulary as
      select n as number, (select string_agg(substr('bacodufegihojukalomunepirasotuvewixoyaz', 1 + 2 * digit::int, 2), '' order by place)
        from (select place, ((n * 7919 + 3) / (19 ^ place)::int) % 19 as digit
          from generate_series(0, 2 + n % 2) as place) as digits) as word
      from generate_series(1, ${vocabulary} + 1) as n;
    ${poolOf('two', 2)}
    ${poolOf('three', 3)}
    ${poolOf('eight', 8)}
    insert into users (id, email, account_status, created_at, updated_at)
      values (uuidv7(), 'ada@example.com', 'VERIFIED', now(), now());
    insert into organizations (id, name, slug, type, owner_id, created_at, updated_at)
      select uuidv7(), 'o', 'o' || n, 'TEAM', (select id from users limit 1), now(), now()
      from generate_series(0, ${smallOrganizations}) n;
    insert into memberships (id, organization_id, user_id, role, joined_at)
      select uuidv7(), organizations.id, users.id, 'MEMBER', now() from organizations, users;
    insert into projects (id, organization_id, name, key, status, rank, created_by, created_at, updated_at)
      select uuidv7(), id, 'p', 'P', 'ACTIVE', 'a0', owner_id, now(), now() from organizations;
    insert into collections (id, organization_id, title, created_by, created_at, updated_at)
      select uuidv7(), id, 'c', owner_id, now(), now() from organizations;
    create unlogged table parts as
      select organizations.id as organization_id, projects.id as project_id, collections.id as collection_id, owner_id,
        case when slug = 'o0' then ${documents} else ${documentsEach} end as documents
      from organizations join projects on projects.organization_id = organizations.id
        join collections on collections.organization_id = organizations.id;
    drop index search_documents_words, search_documents_title_words, search_documents_title_trigrams, tasks_title_folded_trigrams,
      assets_name_folded_trigrams;
    insert into tasks (id, organization_id, project_id, number, title, title_folded, description, status, priority, rank, created_by,
        created_at, updated_at)
      select uuidv7(), organization_id, project_id, n, title, title,
        ${phrase('eight', '(n * 11)')} || ' ' || ${phrase('eight', '(n * 13 + 5)')}, 'TODO', 'NONE', 'a' || n,
        owner_id, now() - random() * interval '900 days', now()
      from parts, generate_series(1, documents / 2) as n,
        lateral (select ${phrase('two', 'n')} || ' ' || ${phrase('three', '(n * 7)')} as title) as titled;
    insert into assets (id, organization_id, collection_id, name, name_folded, content_type, file_size_bytes, current_version,
        short_code, created_by, created_at, updated_at)
      select uuidv7(), organization_id, collection_id, name, name, 'image/png', 1, 1,
        substr(md5(random()::text), 1, 16), owner_id, now() - random() * interval '900 days', now()
      from parts, generate_series(1, documents / 2) as n, lateral (
        select ${phrase('two', '(n * 17)')} || ' ' || ${phrase('two', '(n * 19 + 3)')} || '.png' as name) as named;
    insert into search_documents (organization_id, type, resource_id, project_id, title_folded, words, indexed_revision)
      select organization_id, 'task', id, project_id, title_folded,
        setweight(to_tsvector('simple', title_folded || ' p ' || number), 'A')
          || setweight(to_tsvector('simple', description), 'C'), 1 from tasks;
    insert into search_documents (organization_id, type, resource_id, collection_id, title_folded, words, indexed_revision)
      select organization_id, 'asset', id, collection_id, replace(name_folded, '.png', ''),
        setweight(to_tsvector('simple', replace(name_folded, '.png', '')), 'A')
          || setweight('png image'::tsvector, 'B'), 1 from assets;
    create index search_documents_words on search_documents using gin (organization_id, words);
    create index search_documents_title_words on search_documents using gin (organization_id, ts_filter(words, '{a,b}'));
    create index search_documents_title_trigrams on search_documents using gin (organization_id, title_folded gin_trgm_ops);
    create index tasks_title_folded_trigrams on tasks using gin (organization_id, title_folded gin_trgm_ops);
    create index assets_name_folded_trigrams on assets using gin (organization_id, name_folded gin_trgm_ops)
      where deleted_at is null`);
  await sql`vacuum analyze`;
  const [row] = await sql<{ organizationId: string; userId: string }[]>`
    select id as "organizationId", owner_id as "userId" from organizations where slug = 'o0'`;
  if (!row) throw new Error('there is no organization');
  return row;
}

/** Words of some documents, so that frequent ones are asked for more often. */
async function someWords(sql: postgres.Sql, organizationId: string): Promise<string[][]> {
  const rows = await sql<{ title: string }[]>`
    select title from tasks where organization_id = ${organizationId} order by md5(id::text) limit ${rounds}`;
  return rows.map(({ title }) => [...new Set(title.split(' '))]);
}

/** Processor time of the server processes of connections and of this one, in milliseconds. */
async function processorMs(serverPids: readonly number[]): Promise<number> {
  const { user, system } = process.cpuUsage();
  let sum = (user + system) / 1_000;
  for (const pid of serverPids) {
    const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
    sum += Number(nanoseconds) / 1e6;
  }
  return sum;
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  return [at(0.5), at(0.99)].map((ms) => ms.padStart(7)).join(' ');
}

async function measured(
  serverPids: readonly number[],
  name: string,
  work: readonly (() => Promise<boolean>)[],
): Promise<void> {
  const waited: number[] = [];
  const worked: number[] = [];
  let stopped = 0;
  for (const run of work) {
    const [start, before] = [performance.now(), await processorMs(serverPids)];
    if (!(await run())) stopped += 1;
    waited.push(performance.now() - start);
    worked.push((await processorMs(serverPids)) - before);
  }
  print(`${name.padEnd(36)} ${spread(waited)}   ${spread(worked)}   ${stopped} of ${work.length}`);
}

const dataDir = process.env['BENCH_DATA_DIR'] ?? temporaryDirectory('search');
const server = await track(startPostgres({ dataDir }));
try {
  await migrateDatabase(server.url);
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  const [known] = await sql<{ organizationId: string; userId: string }[]>`
    select id as "organizationId", owner_id as "userId" from organizations where slug = 'o0'`;
  const { organizationId, userId } = known ?? (await fill(sql));
  const words = await someWords(sql, organizationId);
  const { db, close } = connectDatabase({
    url: server.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
  });
  const key = { id: 'AAAAAAAA', key: createSecretKey(randomBytes(32)) };
  const search = searchUseCases({
    db,
    config: { SEARCH_TIMEOUT_MS: 400 },
    replica: null,
    scopes: null,
    clock: { now: () => new Date() },
    cursors: createCursorCodec({ current: key, named: new Map(), unnamed: [] }),
    store: { presignDownload: () => Promise.resolve('') },
    log: { warn: () => {} },
  });
  const ctx = {
    user: { id: userId },
    organization: { id: organizationId },
    role: 'MEMBER',
    credential: { kind: 'session', id: userId },
  } as const;
  const find = (q: string) => async () =>
    (await search.find({ q, scope: 'organization', limit: 20 }, ctx)).isComplete;
  const suggest = (q: string) => async () => {
    await search.suggest({ q }, ctx);
    return true;
  };
  const like = (searched: readonly string[]) => async () => {
    const patterns = searched.map((word) => `%${word}%`);
    await sql`
      select id, count(*) over () from (
        select id, created_at from tasks where organization_id = ${organizationId}
          and (title ilike ${patterns[0] ?? ''} or description ilike ${patterns[0] ?? ''})
          and (title ilike ${patterns[1] ?? ''} or description ilike ${patterns[1] ?? ''})
        union all
        select id, created_at from assets where organization_id = ${organizationId} and deleted_at is null
          and name ilike ${patterns[0] ?? ''} and name ilike ${patterns[1] ?? ''}) as found
      order by created_at desc limit 20`;
    return true;
  };
  const assets = assetListQueries(db);
  const list = (q: string) => async () => {
    await assets.list(
      { organizationId, viewerId: userId, contains: await searchedText(q) },
      { by: 'createdAt', direction: 'descending' },
      { limit: 21, offset: 0, after: null, total: null },
    );
    return true;
  };
  const pairs = words.map((ofTitle) => [ofTitle[0] ?? '', ofTitle.at(-1) ?? ''] as const);
  const [own] = await db.execute<{ pid: number }>('select pg_backend_pid() as pid');
  const [other] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pids = [own?.pid ?? 0];
  print(
    `${documents} documents beside ${smallOrganizations * documentsEach} of other organizations`,
  );
  print(`${''.padEnd(36)} waited: median, p99   processor: median, p99   stopped`);
  await measured(
    pids,
    '(warm-up)',
    pairs.slice(0, 20).map((pair) => find(pair.join(' '))),
  );
  await measured(
    pids,
    'two words',
    pairs.map((pair) => find(`${pair.join(' ')} `)),
  );
  await measured(
    pids,
    'two words, the last one a beginning',
    pairs.map(([one, two]) => find(`${one} ${two.slice(0, 3)}`)),
  );
  await measured(
    pids,
    'one word',
    words.map(([word]) => find(`${word} `)),
  );
  await measured(
    pids,
    'two words, mistyped',
    pairs.slice(0, 50).map(([one, two]) => find(`${one}x ${two}x `)),
  );
  await measured(
    pids,
    'suggestions, 2 letters',
    words.map(([word]) => suggest(word?.slice(0, 2) ?? '')),
  );
  await measured(
    pids,
    'suggestions, 4 letters',
    words.map(([word]) => suggest(word?.slice(0, 4) ?? '')),
  );
  await measured(
    pids,
    'suggestions, two words',
    pairs.map(([one, two]) => suggest(`${one} ${two.slice(0, 3)}`)),
  );
  await measured(
    pids,
    'assets with q, 2 letters',
    words.map(([word]) => list(word?.slice(1, 3) ?? '')),
  );
  await measured(pids, 'assets with q, rare 2 letters', ['qq', 'zz', 'q1', 'xq', 'xz'].map(list));
  await measured(
    pids,
    'assets with q, a word',
    words.map(([word]) => list(word ?? '')),
  );
  await measured(
    pids,
    'assets with q, two words',
    words.map(([one, two]) => list(`${one} ${two}`)),
  );
  await measured(
    // The service's connection is closed when it has been idle for so long.
    [other?.pid ?? 0],
    'two words, ilike over the columns',
    pairs.slice(0, 20).map((pair) => like(pair)),
  );
  await close(1);
  await sql.end();
} finally {
  await stopAll();
}
