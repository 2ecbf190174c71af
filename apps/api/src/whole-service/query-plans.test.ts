// @module-tag slow

import type { Operation } from '@atelier/contract';
import postgres from 'postgres';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { newUser } from '../testing/accounts.ts';
import { call } from '../testing/api.ts';
import { filledTeam } from '../testing/filled-team.ts';
import { growDatabase } from '../testing/grown-database.ts';
import { findInputs, inOrderOfLife, operationsOfAccounts } from './fixtures.ts';
import { scansOf, type Scan } from '../testing/query-plans.ts';
import { queryVariations } from '../testing/query-variations.ts';
import { sentStatements, type SentStatement } from '../testing/recorded-statements.ts';
import { setUpApi } from '../testing/set-up.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../testing/recorded-statements.ts');
  return recordingDriver(original);
});

const growth = { organizations: 20, rowsEach: 1000 };

/** Maximum rows per scan: a little more than all rows of the organization in the table. */
const maxRowsRead = growth.rowsEach * 1.5;

/** A smaller table may be scanned completely: so may users, which belong to no organization. */
const smallTableRows = 1500;
const api = await setUpApi();
const client: postgres.Sql = postgres(api.ownerUrl, { max: 1, onnotice: () => {} });
const member = await newUser(api, 'member');
const owner = await newUser(api, 'owner');
const team = await filledTeam(api, { owner, member, mark: 'apfelbaum', times: 2 });
await growDatabase(api, team, growth);
afterAll(() => client.end());

const known = operationsOfAccounts.filter(
  ({ id }) =>
    !['organizations.acceptInvitation', 'events.subscribe', 'account.requestDeletion'].includes(id),
);

const isRead = ({ endpoint }: Operation) => endpoint.method === 'GET';

/** Requests operations with every variation. @returns each statement once */
async function record(called: readonly Operation[]): Promise<readonly SentStatement[]> {
  sentStatements.length = 0;
  for (const { id, endpoint } of called) {
    const inputs = findInputs(id, team) ?? [];
    const variations = isRead({ id, endpoint }) ? queryVariations(endpoint.query, ['apfel']) : [];
    const calls = inputs.flatMap((input) =>
      [{}, ...variations].map((variation) => ({
        ...input,
        query: { ...input.query, ...variation },
      })),
    );
    const { token } = owner;
    const { organizationId } = team;
    for (const input of calls) {
      const { status } = await call(api, id, { ...input, token, organizationId });
      expect([id, status]).toEqual([id, endpoint.metadata.success.status]);
    }
  }
  const own = sentStatements.filter(({ text }) => isStatement.test(text) && !isOfQueue.test(text));
  return [...new Map(own.map((statement) => [statement.text, statement])).values()];
}

const isStatement = /^\W*(?:select|with|insert|update|delete)\b/;
/** The library's own statements; a statement of the service may enqueue a job. */
const isOfQueue = /graphile_worker(?!\.add_job\()/;
const writes = /\b(?:insert into|update|delete from|nextval|pg_notify|add_job|enqueue_job)\b/;

/** Executes read-only statements; only plans the rest. */
async function explain(statement: SentStatement): Promise<Scan[]> {
  const { text, parameters, isPlannedOnce } = statement;
  if (isPlannedOnce) return explainForAnyValues(statement);
  const options = writes.test(text) ? '' : 'analyze, timing off, ';
  return scansOf(
    // With the parameters as sent.
    await client.unsafe(`explain (${options}format json) ${text}`, [...parameters] as never[]),
  );
}

/** Executes a statement with the plan that doesn't know its values. */
async function explainForAnyValues({ text, parameters }: SentStatement): Promise<Scan[]> {
  const values = parameters.map((value) => `'${String(value).replaceAll("'", "''")}'`);
  const given = values.length > 0 ? `(${values.join(', ')})` : '';
  await client.unsafe('set plan_cache_mode = force_generic_plan');
  await client.unsafe(`prepare any_values as ${text}`);
  try {
    return scansOf(
      await client.unsafe(`explain (analyze, timing off, format json) execute any_values${given}`),
    );
  } finally {
    await client.unsafe('deallocate any_values');
    await client.unsafe('reset plan_cache_mode');
  }
}

async function largeTables(): Promise<ReadonlySet<string>> {
  const rows = await client<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > ${smallTableRows}`;
  return new Set(rows.map(({ name }) => name));
}

/** Maps partitions and their indexes to their parents. Only the parent tells whether a partition is large. */
async function wholesOfPartitions(): Promise<ReadonlyMap<string, string>> {
  const rows = await client<{ part: string; whole: string }[]>`
    select part.relname as part, whole.relname as whole from pg_inherits
    join pg_class part on part.oid = inhrelid join pg_class whole on whole.oid = inhparent`;
  return new Map(rows.map(({ part, whole }) => [part, whole]));
}

/** Returns scans that grow with the service and not with the request, with their statements. */
async function judge(statements: readonly SentStatement[]) {
  const large = await largeTables();
  const wholes = await wholesOfPartitions();
  const named = (scan: Scan): Scan => ({
    ...scan,
    index: scan.index === null ? null : (wholes.get(scan.index) ?? scan.index),
  });
  const isTooMuch = ({ table, kind, rowsRead }: Scan) =>
    large.has(table) && (kind === 'Seq Scan' || (rowsRead ?? 0) > maxRowsRead);
  const scans: Scan[] = [];
  const tooMuch: string[] = [];
  for (const statement of statements) {
    const found = (await explain(statement)).map(named);
    scans.push(...found);
    for (const { table, kind, index, rowsRead } of found.filter(isTooMuch)) {
      tooMuch.push(`${kind} of ${index ?? table}, ${rowsRead ?? '?'} rows: ${statement.text}`);
    }
  }
  return { scans, tooMuch };
}

/** Counts that need no row: each has an index with all counted columns. */
const countingIndexes = [
  'activities_of_organization',
  'assets_newest',
  'assets_newest_in_collection',
  'comments_oldest',
  'tasks_rank',
];

describe('in a database of twenty organizations', () => {
  test('the tables of organizations are large enough for the test', async () => {
    const wholes = await wholesOfPartitions();
    const tables = [...(await largeTables())].map((name) => wholes.get(name) ?? name);
    for (const table of [
      'activities',
      'assets',
      'collections',
      'comments',
      'memberships',
      'tasks',
    ]) {
      expect(tables).toContain(table);
    }
  });

  test('no read scans more than its organization has, and counts use index-only scans', async () => {
    const statements = await record(known.filter(isRead));
    expect(statements.filter(({ isPlannedOnce }) => isPlannedOnce).length).toBeGreaterThan(2);
    const { scans, tooMuch } = await judge(statements);
    expect(tooMuch, 'add an index to the tables.ts of the feature').toEqual([]);
    const indexOnly = scans.flatMap(({ kind, index }) => (kind === 'Index Only Scan' ? index : []));
    expect(indexOnly).toEqual(expect.arrayContaining(countingIndexes));
  }, 300_000);

  test('no mutation does', async () => {
    const mutations = inOrderOfLife(known.filter((operation) => !isRead(operation)));
    const { tooMuch } = await judge(await record(mutations));
    expect(tooMuch, 'add an index to the tables.ts of the feature').toEqual([]);
  }, 300_000);

  test('a statement without its organization is detected', async () => {
    const forgetful = [
      { text: 'select count(*) from tasks where description = $1', parameters: ['x'] },
      { text: 'update assets set name = $1 where name = $2', parameters: ['x', 'y'] },
      { text: 'select * from activities order by created_at', parameters: [] },
    ];
    for (const statement of forgetful) {
      expect((await judge([statement])).tooMuch).toHaveLength(1);
    }
  });
});
