/**
 * Measures what row-level security costs the two hottest lists, each with its check of the session.
 *
 *     pnpm bench:rls [--quick]
 *
 * The statements are those that the service sends. The variants take turns, so that other load on the machine
 * affects all of them.
 */
import { startPostgres } from '@atelier/devstack';
import postgres from 'postgres';
import { connectDatabase } from '../../apps/api/src/db/client.ts';
import { migrateDatabase } from '../../apps/api/src/db/migrate.ts';
import { collectionQueries } from '../../apps/api/src/features/collections/queries.ts';
import { taskListQueries } from '../../apps/api/src/features/tasks/list/queries/lists.ts';
import { taskPositions } from '../../apps/api/src/features/tasks/positions/positions.ts';
import { sessionQueries } from '../../apps/api/src/http/queries/callers.ts';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';

const rounds = process.argv.includes('--quick') ? 1 : 9;
const requestsPerRound = 400;
const concurrency = 8;

const id = (number: number) => `019aa4f2-0000-7000-8000-${String(number).padStart(12, '0')}`;
const organizationId = id(1);
const userId = id(1);
const now = new Date();
const tenantTables = [
  'collections',
  'assets',
  'projects',
  'tasks',
  'task_assignees',
  'comments',
  'column_sections',
];

type Parameters = readonly (string | number | Date | null)[];
interface Statement {
  readonly text: string;
  readonly parameters: Parameters;
}
/** The statements of a list request: the session check, then the page and its total. */
type List = readonly Statement[];

async function fill(sql: postgres.Sql): Promise<void> {
  const key = (number: string) =>
    `('019aa4f2-0000-7000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
  await sql.unsafe(`
    insert into users (id, email, account_status, created_at, updated_at)
      select ${key('n')}, n || '@example.com', 'VERIFIED', now(), now() from generate_series(1, 50) n;
    insert into organizations (id, name, slug, type, owner_id, created_at, updated_at)
      select ${key('n')}, 'o', 'o' || n, 'PERSONAL', ${key('n')}, now(), now() from generate_series(1, 50) n;
    insert into memberships (id, organization_id, user_id, role, joined_at)
      select ${key('n')}, ${key('n')}, ${key('n')}, 'OWNER', now() from generate_series(1, 50) n;
    insert into sessions (id, user_id, created_at, last_used_at, expires_at)
      select ${key('n')}, ${key('n')}, now(), now(), now() + interval '1 day' from generate_series(1, 50) n;
    insert into projects (organization_id, id, name, key, status, rank, created_by, created_at, updated_at)
      select ${key('o')}, ${key('o * 100 + p')}, 'p', 'P' || p, 'ACTIVE', 'a' || p, ${key('o')}, now(), now()
      from generate_series(1, 50) o, generate_series(1, 5) p;
    insert into tasks (organization_id, id, project_id, number, title, status, priority, rank, created_by, created_at, updated_at)
      select ${key('o')}, ${key('o * 100000 + n')}, ${key('o * 100 + 1 + n % 5')}, n, 'Task ' || n, 'TODO', 'NONE',
        'a' || lpad(n::text, 6, '0'), ${key('o')}, now() - n * interval '1 minute', now()
      from generate_series(1, 50) o, generate_series(1, 1000) n;
    insert into column_sections (organization_id, project_id, status, starts_at, task_count)
      select organization_id, id, 'TODO', '', 200 from projects;
    insert into comments (organization_id, id, task_id, author_id, body, created_at)
      select organization_id, id, id, created_by, 'c', now() from tasks;
    insert into task_assignees (organization_id, task_id, user_id, assigned_at)
      select organization_id, id, created_by, now() from tasks;
    insert into collections (id, organization_id, title, created_by, created_at, updated_at)
      select ${key('o * 100000 + n')}, ${key('o')}, 'c', ${key('o')}, now() - n * interval '1 minute', now()
      from generate_series(1, 50) o, generate_series(1, 200) n;
    insert into assets (id, organization_id, collection_id, name, content_type, file_size_bytes, current_version, short_code, created_by, created_at, updated_at)
      select ${key('o')}, ${key('o')}, ${key('o * 100000 + 1')}, 'a', 'image/png', 1, 1, lpad(o::text, 16, '0'), ${key('o')}, now(), now()
      from generate_series(1, 50) o;
    analyze;`);
}

/** Creates the policies, a role that they bind, and one that bypasses them. */
async function protect(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    create role bound login password 'bound' nobypassrls;
    create role unbound login password 'unbound' bypassrls;
    grant select on all tables in schema public to bound, unbound;
    ${tenantTables
      .map(
        (table) => `
    alter table ${table} enable row level security;
    create policy tenant on ${table} using
      (organization_id = nullif(current_setting('app.organization_id', true), '')::uuid);`,
      )
      .join('')}`);
}

/** Records the statements that the service sends for its lists. */
async function readLists(url: string): Promise<Readonly<Record<string, List>>> {
  const { db, client, close } = connectDatabase({
    url,
    maxConnections: 1,
    statementTimeoutMs: 9_000,
  });
  // The driver's own query for types comes with its first connection.
  await client`select 1`;
  const sent: Statement[] = [];
  client.options.debug = (_connection, text, parameters: Parameters) =>
    sent.push({ text, parameters });
  const recorded = async (query: () => Promise<unknown>): Promise<List> => {
    sent.length = 0;
    await query();
    return [...sent];
  };
  const window = { limit: 50, offset: 0, after: null, total: null };
  const newest = { by: 'createdAt', direction: 'descending' } as const;
  const isDistributed = async () => false;
  const sessions = sessionQueries(db, isDistributed);
  const session = await recorded(() =>
    sessions.findOpenInOrganization({ sessionId: id(1), userId, organizationId, now }),
  );
  const connections = { db, genericPlanDb: db, isDistributed };
  const tasks = await recorded(() =>
    taskListQueries(connections, taskPositions(db)).list({ organizationId }, newest, window),
  );
  const collections = await recorded(() =>
    collectionQueries(db).list(
      { organizationId, viewerId: userId, createdBy: null },
      newest,
      window,
    ),
  );
  await close(1);
  return { tasks: [...session, ...tasks], collections: [...session, ...collections] };
}

type Runner = Pick<postgres.Sql, 'unsafe'>;
const run = (sql: Runner, { text, parameters }: Statement) =>
  sql.unsafe(text, [...parameters], { prepare: true });
const setting: Statement = {
  text: `select set_config('app.organization_id', $1, true)`,
  parameters: [organizationId],
};

/** Sets the organization within the statement; only the plan decides which part runs first. */
const withSetting = ({ text, parameters }: Statement): Statement => ({
  text: `with setting as materialized (select set_config('app.organization_id', $${parameters.length + 1}, true) as value)
    select result.* from setting cross join lateral (select setting.value as setting, list.* from (${text}) list offset 0) result`,
  parameters: [...parameters, organizationId],
});

const variants: Readonly<Record<string, (pools: Pools, list: List) => Promise<number>>> = {
  'without policies': async ({ unbound }, list) => inPool(unbound, list),
  'policies, setting kept by the connection': async ({ kept }, list) => inPool(kept, list),
  'transaction: begin, set_config, lists, commit': async ({ bound }, [session, ...lists]) => {
    if (session) await run(bound, session);
    const [, ...results] = await bound.begin(async (tx) =>
      Promise.all([setting, ...lists].map((statement) => run(tx, statement))),
    );
    return pageSize(results);
  },
  'the same, pipelined': async ({ bound }, [session, ...lists]) => {
    if (session) await run(bound, session);
    const connection = await bound.reserve();
    const begin = { text: 'begin', parameters: [] };
    const commit = { text: 'commit', parameters: [] };
    try {
      const [, , ...results] = await Promise.all(
        [begin, setting, ...lists, commit].map((statement) => run(connection, statement)),
      );
      return pageSize(results);
    } finally {
      connection.release();
    }
  },
  'one statement: set_config in a CTE': async ({ bound }, [session, ...lists]) => {
    if (session) await run(bound, session);
    return pageSize(await Promise.all(lists.map((list) => run(bound, withSetting(list)))));
  },
};

async function inPool(sql: postgres.Sql, [session, ...lists]: List): Promise<number> {
  if (session) await run(sql, session);
  return pageSize(await Promise.all(lists.map((list) => run(sql, list))));
}

/** Counts the rows of the page. */
const pageSize = ([page]: readonly { length: number }[]) => page?.length ?? 0;

interface Pools {
  readonly unbound: postgres.Sql;
  readonly bound: postgres.Sql;
  readonly kept: postgres.Sql;
}

function poolsOf(url: string): Pools {
  const open = (role: string, connection: Record<string, string> = {}) => {
    const address = new URL(url);
    address.username = role;
    address.password = role;
    return postgres(address.href, { max: concurrency * 2, connection, onnotice: () => {} });
  };
  return {
    unbound: open('unbound'),
    bound: open('bound'),
    kept: open('bound', { 'app.organization_id': organizationId }),
  };
}

/** @returns milliseconds for each request, `concurrency` at a time */
async function timeRound(request: () => Promise<number>): Promise<number> {
  const start = performance.now();
  let left = requestsPerRound;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left > 0) {
        left -= 1;
        const rows = await request();
        if (rows !== 50) throw new Error(`a page of ${rows} tasks`);
      }
    }),
  );
  return (performance.now() - start) / requestsPerRound;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function compare(pools: Pools, list: List, print: (line: string) => void): Promise<void> {
  const times = new Map(Object.keys(variants).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, request] of Object.entries(variants)) {
      const taken = await timeRound(() => request(pools, list));
      // The first round prepares statements and fills caches.
      if (round > 0) times.get(name)?.push(taken);
    }
  }
  const base = times.get('without policies') ?? [];
  for (const [name, taken] of times) {
    // Ratios compare neighbouring rounds, so that other load on the machine is in both.
    const ratio = median(taken.map((value, round) => value / (base[round] ?? Number.NaN)));
    print(
      `  ${name.padEnd(50)} ${median(taken).toFixed(3)} ms (${Math.min(...taken).toFixed(3)} to ` +
        `${Math.max(...taken).toFixed(3)})  ${((ratio - 1) * 100).toFixed(1)} %`,
    );
  }
}

/** Shows what the one statement finds when the plan runs its parts in another order. */
async function showOrder({ bound }: Pools, print: (line: string) => void): Promise<void> {
  const count = (from: string) => `with setting as materialized (
      select set_config('app.organization_id', '${organizationId}', true) as value)
    select count(*)::int as found from ${from}`;
  for (const [plan, options] of [
    ['nested loop', 'set local enable_hashjoin = off; set local enable_mergejoin = off'],
    ['hash join', 'set local enable_nestloop = off; set local enable_mergejoin = off'],
  ] as const) {
    const found = await bound.begin(async (tx) => {
      await tx.unsafe(options);
      return tx.unsafe<{ found: number }[]>(
        count(`tasks join setting on setting.value = tasks.organization_id::text`),
      );
    });
    print(`  ${plan}: ${JSON.stringify(found[0])} of 1000 tasks`);
  }
}

/** @throws Error if a query without the organization finds rows */
async function expectNothingWithout({ bound, unbound }: Pools, print: (line: string) => void) {
  for (const table of tenantTables) {
    const statement = { text: `select count(*)::int as found from ${table}`, parameters: [] };
    const [[visible], [stored]] = await Promise.all([
      run(bound, statement),
      run(unbound, statement),
    ]);
    if (visible?.['found'] !== 0 || stored?.['found'] === 0) {
      throw new Error(
        `${table}: ${String(visible?.['found'])} rows of ${String(stored?.['found'])}`,
      );
    }
  }
  print(`Without a setting, a query finds nothing in any of ${tenantTables.length} tables.`);
}

const dataDir = temporaryDirectory('rls');
const server = await track(startPostgres({ dataDir }));
const print = (line: string) => process.stdout.write(`${line}\n`);
try {
  await migrateDatabase(server.url);
  const owner = postgres(server.url, { max: 1, onnotice: () => {} });
  await fill(owner);
  const lists = await readLists(server.url);
  await protect(owner);
  const pools = poolsOf(server.url);
  await expectNothingWithout(pools, print);
  for (const [name, list] of Object.entries(lists)) {
    print(
      `${name}, page of 50; medians of ${rounds} rounds of ${requestsPerRound}, ${concurrency} at a time`,
    );
    await compare(pools, list, print);
  }
  print('set_config and its scan in one statement');
  await showOrder(pools, print);
  const { unbound, bound, kept } = pools;
  await Promise.all([owner, unbound, bound, kept].map((sql) => sql.end()));
} finally {
  await stopAll();
}
