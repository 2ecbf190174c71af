/**
 * Measures an inbox with 5,000 unread and 100,000 read notifications in ten teams: its first page with the total, the
 * count of unread ones, and marking them all as read.
 *
 *     pnpm bench:notifications
 *
 * The statements are those of the service. Twenty times as many rows of other people are in the same tables.
 */
import { startPostgres } from '@atelier/devstack';
import postgres from 'postgres';
import { connectDatabase } from '../../apps/api/src/db/client.ts';
import { migrateDatabase } from '../../apps/api/src/db/migrate.ts';
import {
  countUnread,
  listNotifications,
  markInbox,
} from '../../apps/api/src/domain/notifications/queries/inbox.ts';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';

const people = 21;
const teams = 10;
const tasksEach = 2_000;
const unread = 5_000;
const read = 100_000;
/** What the last people have, each. */
const others = 5_000;
const rounds = 51;

const print = (line: string) => process.stdout.write(`${line}\n`);

async function fill(sql: postgres.Sql): Promise<string> {
  await sql.unsafe(`
    insert into users (id, email, account_status, created_at, updated_at)
      select uuidv7(), n || '@example.com', 'VERIFIED', now(), now() from generate_series(1, ${people}) n;
    insert into organizations (id, name, slug, type, owner_id, created_at, updated_at)
      select uuidv7(), 'o', 'o' || n, 'TEAM', (select id from users limit 1), now(), now()
      from generate_series(1, ${teams}) n;
    insert into memberships (id, organization_id, user_id, role, joined_at)
      select uuidv7(), organizations.id, users.id, 'MEMBER', now() from organizations, users;
    insert into projects (id, organization_id, name, key, status, rank, created_by, created_at, updated_at)
      select uuidv7(), id, 'p', 'P', 'ACTIVE', 'a0', owner_id, now(), now() from organizations;
    insert into tasks (id, organization_id, project_id, number, title, status, priority, rank, created_by,
        created_at, updated_at)
      select uuidv7(), organization_id, id, n, 'Write the imprint', 'TODO', 'NONE', 'a' || n, created_by, now(), now()
      from generate_series(1, ${tasksEach}) n, projects;
    create temporary table numbered as
      select organization_id, id, row_number() over (order by md5(id::text)) as number from tasks;
    create unique index on numbered (number);`);
  const [reader, ...rest] = await sql<{ id: string }[]>`select id from users order by email`;
  if (!reader) throw new Error('there is no reader');
  for (const [userId, count, unreadCount] of [
    [reader.id, unread + read, unread],
    ...rest.map(({ id }) => [id, others, others / 2] as const),
  ] as const) {
    await sql`
      insert into notifications (organization_id, id, user_id, sequence, reason, task_id, activity_id, actor_id,
        event_count, created_at, updated_at, read_at)
      select numbered.organization_id, uuidv7(), ${userId}, sequence, 'commented', numbered.id, uuidv7(),
        ${reader.id}, 1, now(), now(), case when sequence <= ${count - unreadCount}::int then now() end
      from generate_series(1, ${count}::int) as sequence
      join numbered on numbered.number = 1 + sequence % ${teams * tasksEach}`;
  }
  await sql`vacuum analyze`;
  return reader.id;
}

async function measured(name: string, times: number, work: () => Promise<unknown>): Promise<void> {
  const durations: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const start = performance.now();
    await work();
    durations.push(performance.now() - start);
  }
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  const [fastest, median, p95] = [at(0), at(0.5), at(0.95)].map((ms) => ms.padStart(7));
  print(`${name.padEnd(42)} ${fastest} ms fastest ${median} ms median ${p95} ms p95`);
}

const dataDir = temporaryDirectory('notifications');
const server = await track(startPostgres({ dataDir }));
try {
  await migrateDatabase(server.url);
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  const userId = await fill(sql);
  await sql.end();
  const { db, close } = connectDatabase({
    url: server.url,
    maxConnections: 2,
    statementTimeoutMs: 15_000,
  });
  const scope = { userId, now: new Date() };
  const window = { limit: 21, offset: 0, after: null };
  print(`${unread} unread and ${read} read notifications`);
  await measured('first page of the inbox, with its total', rounds, () =>
    listNotifications(db, { scope, conditions: ['isKept', 'isAwake'] }, window),
  );
  await measured('first page of the unread ones', rounds, () =>
    listNotifications(db, { scope, conditions: ['isUnread', 'isKept', 'isAwake'] }, window),
  );
  await measured('count of the unread ones', rounds, () => countUnread(db, scope));
  await measured('mark all as read', 1, () =>
    db.transaction((tx) =>
      markInbox(tx, { scope: { ...scope, upTo: unread + read }, mark: 'readAt' }),
    ),
  );
  await close(1);
} finally {
  await stopAll();
}
