import postgres from 'postgres';
import { expect, inject, test } from 'vitest';
import { prettyReport } from '../../../../packages/conformance/src/reporters/pretty.ts';
import { runConformance } from '../../../../packages/conformance/src/run.ts';
import { startTestApi } from '../../src/testing/api.ts';
import { newDistributedDatabase } from '../../src/testing/citus/databases.ts';

/**
 * Makes the database's functions of one organization fail where a statement of theirs asks several servers: what they send
 * isn't recorded as the service's statements are.
 */
async function confineFunctions(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const functions = await sql<{ name: string; signature: string }[]>`
      select proname as name, oid::regprocedure::text as signature from pg_proc
      where pronamespace = 'public'::regnamespace and 'an_organization' = any(proargnames)`;
    expect(functions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['active_role', 'post_comment', 'save_upload', 'start_upload']),
    );
    for (const { signature } of functions) {
      await sql.unsafe(
        `alter function ${signature} set citus.multi_task_query_log_level to 'error'`,
      );
    }
  } finally {
    await sql.end();
  }
}

test('the API on a distributed database conforms to the contract', async () => {
  const databaseUrl = await newDistributedDatabase();
  await confineFunctions(databaseUrl);
  const api = await startTestApi({}, { databaseUrl });
  try {
    const { report } = await runConformance({
      baseUrl: api.url,
      mailApiUrl: inject('services').mail.url,
      signIn: 'google',
    });
    expect(report.hasPassed, prettyReport(report)).toBe(true);
    expect(report.results.filter(({ outcome }) => outcome === 'not-run')).toEqual([]);
  } finally {
    await api.close();
  }
}, 300_000);
