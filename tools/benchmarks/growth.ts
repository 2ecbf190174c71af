/**
 * Measures what requests cost as an organization grows, and as there are more organizations: the median time of a request on
 * one connection, and the processor time of Postgres.
 *
 *     pnpm bench:growth [MOST_ROWS]
 *
 * Organizations of 1,000 rows and ten times as many each, up to MOST_ROWS (default 1,000,000), are in one database. Rows are
 * assets and activities; a tenth as many tasks are in one column of a board. Afterwards the smallest is measured again
 * beside 100 and 10,000 more organizations. Writes reports/growth.json, of which `pnpm bench:document` makes a page.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@atelier/client';
import postgres from 'postgres';
import { release, stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import type { Growth, Reading } from './src/growth-page.ts';
import { startLoadGenerator, type LoadRequest } from './src/load.ts';
import { moveToOtherCores } from './src/pinning.ts';
import { postgresCpu } from './src/postgres-cpu.ts';
import { password, signUp, signIn } from './src/seed/accounts.ts';
import { seedColumn } from './src/seed/boards.ts';
import { inBulk } from './src/seed/bulk.ts';
import { seedLibrary } from './src/seed/library.ts';
import { seedManyOrganizations } from './src/seed/organizations.ts';
import { seedSearchIndex } from './src/seed/search-index.ts';
import { seedTimeline } from './src/seed/timeline.ts';
import { startApi } from './src/server-process.ts';
import { startStack } from './src/stack.ts';

const leastRows = 1_000;
const organizationCounts = [1, 100, 10_000];
const tasksEach = 0.1;
const pageLimit = 50;
const rounds = 5;
/** Of each operation in a round. */
const requestsEach = 40;

const maxRows = Number(process.argv[2] ?? 1_000_000);
if (!Number.isInteger(maxRows) || maxRows < leastRows) {
  console.error(`usage: pnpm bench:growth [MOST_ROWS]   ${leastRows} or more, default 1000000`);
  process.exit(2);
}

interface Organization {
  readonly id: string;
  readonly rows: number;
  readonly taskIds: readonly string[];
  readonly projectId: string;
}

const directory = temporaryDirectory('growth');
moveToOtherCores(process.pid);
const stack = await track(startStack(join(directory, 'services')));
const postgresCpuMs = postgresCpu(join(directory, 'services'));
// No jobs: they would follow what is seeded. No known pages: what a page costs to read is measured.
const environment = { ...stack.environment, JOBS: 'separate', KNOWN_PAGES_MAX_BYTES: '0' };
const jobs = await track(startApi(stack.environment, join(directory, 'signing-up.log')));
const emails = ['person@example.com'];
const [account] = await signUp({ apiUrl: jobs.url, mailUrl: stack.addresses.mail ?? '' }, emails);
await release(jobs);
const api = await track(startApi(environment, join(directory, 'api.log')));
const generator = await track(startLoadGenerator());
const sql = postgres(stack.environment['DATABASE_URL'] ?? '', { max: 1, onnotice: () => {} });
try {
  const organizations: Organization[] = [];
  for (let rows = leastRows; rows <= maxRows; rows *= 10) {
    organizations.push(await seeded(rows));
    console.log(`seeded ${rows.toLocaleString('en')}`);
  }
  await sql`vacuum analyze`;
  const bySize: Reading[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const organization of organizations) {
      const readings = await measured(organization, organization.rows);
      // The first round prepares statements.
      if (round > 0) bySize.push(...readings);
    }
  }
  const [smallest] = organizations;
  if (!smallest) throw new Error('unreachable: there is one of the least rows');
  const byOrganizations: Reading[] = [];
  for (const count of organizationCounts) {
    await addOrganizations(count);
    await sql`vacuum analyze`;
    for (let round = 0; round <= rounds; round += 1) {
      const readings = await measured(smallest, count);
      if (round > 0) byOrganizations.push(...readings);
    }
    console.log(`measured beside ${count.toLocaleString('en')} organizations`);
  }
  const growth: Growth = { measuredAt: new Date().toISOString(), bySize, byOrganizations };
  const reports = join(import.meta.dirname, '..', '..', 'reports');
  mkdirSync(reports, { recursive: true });
  writeFileSync(join(reports, 'growth.json'), JSON.stringify(growth));
} finally {
  await sql.end();
  await stopAll();
}

async function seeded(rows: number): Promise<Organization> {
  const client = createClient({ baseUrl: api.url });
  await client.auth.login({ body: { email: emails[0] ?? '', password } });
  const { id } = await client.organizations.create({ body: { name: 'Team' } });
  await sql`update organizations set plan_code = 'BUSINESS' where id = ${id}`;
  const team = { organizationId: id, memberIds: [account?.id ?? ''] };
  const column = { key: 'LONG', taskCount: rows * tasksEach, projectRank: 'a0' };
  const projectId = await seedColumn(sql, team, column);
  await inBulk(sql, 'assets', () => seedLibrary(sql, { ...team, assetCount: rows }));
  await inBulk(sql, 'activities', () => seedTimeline(sql, { ...team, activityCount: rows }));
  await inBulk(sql, 'search_documents', () => seedSearchIndex(sql, id));
  const tasks = await sql<{ id: string }[]>`
    select id from tasks where organization_id = ${id} order by md5(id::text) limit 100`;
  return { id, rows, projectId, taskIds: tasks.map((task) => task.id) };
}

async function addOrganizations(upTo: number): Promise<void> {
  const fill = () => seedManyOrganizations(sql, { upTo, ownerId: account?.id ?? '' });
  // For few rows, building the indexes again takes longer.
  if (upTo < leastRows) return fill();
  await inBulk(sql, 'assets', () => inBulk(sql, 'activities', fill));
}

/** @param x - what the readings stand over: rows or organizations */
async function measured(organization: Organization, x: number): Promise<Reading[]> {
  const [accessToken = ''] = await signIn(api.url, emails);
  const headers = { 'x-organization-id': organization.id };
  const readings: Reading[] = [];
  for (const [operation, requests] of Object.entries(operationsOf(organization))) {
    const before = postgresCpuMs();
    const result = await generator.run({
      url: api.url,
      connections: 1,
      headers,
      accessTokens: [accessToken],
      requests,
      until: { amount: requestsEach },
    });
    if (!result) throw new Error(`${operation} has no response`);
    const postgresMs = (postgresCpuMs() - before) / result.requestCount;
    readings.push({ operation, x, ms: result.p50Ms, postgresMs });
  }
  return readings;
}

function operationsOf({ projectId, taskIds, rows }: Organization) {
  const get = (path: string): LoadRequest[] => [{ method: 'GET', path }];
  const board = `/api/projects/${projectId}/tasks?sort=position&status=TODO&limit=${pageLimit}`;
  const middle = Math.max(1, Math.floor((rows * 0.99) / pageLimit / 2));
  return {
    list: get(`/api/assets?scope=organization&limit=${pageLimit}`),
    // Pages by number end at 10,000 rows.
    'list, in the middle': get(
      `/api/assets?scope=organization&limit=${pageLimit}&page=${Math.min(middle, 200)}`,
    ),
    collections: get(`/api/collections?scope=organization&limit=${pageLimit}`),
    board: get(board),
    search: ['golden sunset', 'invoice', 'harbour blue'].flatMap((words) =>
      get(`/api/search?q=${encodeURIComponent(words)}`),
    ),
    'filter by a word': get(`/api/assets?scope=organization&limit=${pageLimit}&q=lighthouse`),
    dashboard: get('/api/dashboard/summary'),
    timeline: get(`/api/timeline?limit=${pageLimit}`),
    'edit a task': taskIds.map((id, index): LoadRequest => ({
      method: 'PATCH',
      path: `/api/tasks/${id}`,
      body: { description: `Edited for the ${index} time at ${Date.now()}` },
    })),
    'move a task': taskIds.map((id, index): LoadRequest => ({
      method: 'PATCH',
      path: `/api/tasks/${id}/position`,
      body: { position: (index * 7919) % Math.ceil(rows * tasksEach) },
    })),
  };
}
