import postgres from 'postgres';
import { expect, inject, test } from 'vitest';
import { prettyReport } from '../../../../../packages/conformance/src/reporters/pretty.ts';
import { runConformance } from '../../../../../packages/conformance/src/run.ts';
import { catalogue } from '../../../src/db/catalogue.ts';
import { jointChanges } from '../../../src/db/distributed-functions.ts';
import { startTestApi } from '../../../src/testing/api.ts';
import { newDistributedDatabase } from '../../../src/testing/citus/databases.ts';

/**
 * Makes the database's functions of one organization fail where a statement of theirs asks several servers: what they send
 * isn't recorded as the service's statements are.
 */
async function confineFunctions(sql: postgres.Sql): Promise<void> {
  const functions = await sql<{ name: string; signature: string }[]>`
    select proname as name, oid::regprocedure::text as signature from pg_proc
    where pronamespace = 'public'::regnamespace and 'an_organization' = any(proargnames)`;
  expect(functions.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['active_role', 'post_comment', 'save_upload', 'start_upload']),
  );
  for (const { signature } of functions) {
    await sql.unsafe(`alter function ${signature} set citus.multi_task_query_log_level to 'error'`);
  }
}

/** Notes which rows of the coordinator each transaction changes. Those of requests come and go with every one. */
async function noteChanges(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    create table noted_changes (transaction_id xid8, change text);
    create function note_change() returns trigger language plpgsql security definer as $$
    begin
      insert into public.noted_changes values (pg_current_xact_id(), lower(tg_op) || ' ' || tg_table_name);
      return null;
    end $$`);
  for (const { name, distribution, ...entry } of catalogue) {
    if (distribution !== 'local' || ('rowsOf' in entry && entry.rowsOf === 'requests')) continue;
    await sql.unsafe(
      `create trigger note_change after insert or update or delete on ${name} for each row execute function note_change()`,
    );
  }
}

/** The changes that commit in two phases, in the same form. */
const jointly = Object.entries(jointChanges).flatMap(([table, events]) =>
  events.split(' or ').map((event) => `${event.split(' ')[0]} ${table}`),
);

/** Lists the changes of the coordinator by transactions with an activity of an organization, which is on a worker. */
async function changesBesideActivities(sql: postgres.Sql): Promise<string[]> {
  const activities = await sql<{ id: string }[]>`
    select distinct transaction_id::text as id from activities`;
  const changes = await sql<{ change: string }[]>`
    select distinct change from noted_changes
    where transaction_id::text in ${sql(activities.map(({ id }) => id))} order by change`;
  return changes.map(({ change }) => change);
}

test('the API on a distributed database conforms to the contract', async () => {
  const databaseUrl = await newDistributedDatabase();
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await confineFunctions(sql);
  await noteChanges(sql);
  const api = await startTestApi({}, { databaseUrl });
  try {
    const { report } = await runConformance({
      baseUrl: api.url,
      mailApiUrl: inject('services').mail.url,
      signIn: 'google',
    });
    expect(report.hasPassed, prettyReport(report)).toBe(true);
    expect(report.results.filter(({ outcome }) => outcome === 'not-run')).toEqual([]);
    const beside = await changesBesideActivities(sql);
    expect(beside).toContain('insert api_keys');
    expect(beside.filter((change) => !jointly.includes(change))).toEqual([]);
  } finally {
    await sql.end();
    await api.close();
  }
});
