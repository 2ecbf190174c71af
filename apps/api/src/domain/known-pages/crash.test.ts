// @module-tag slow

import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { startTestApi } from '../../testing/api.ts';
import { crash, startOwnServer } from '../../testing/own-server.ts';
import { stateOf } from './queries.ts';

test('a server is another run after a crash of one of its processes, after which it gives ids again', async () => {
  const { db, close } = await startTestApi({}, { databaseUrl: await startOwnServer() });
  onTestFinished(close);
  const runOf = async () => (await stateOf(db, { organizationId: newId(), personIds: [] })).run;
  const startOf = () => db.execute(sql`select pg_postmaster_start_time()::text as start`);
  const [before, run] = [await startOf(), await runOf()];
  expect(await runOf()).toBe(run);
  await crash(db);
  await expect.poll(() => runOf().catch(() => run), { timeout: 20_000 }).not.toBe(run);
  expect([...(await startOf())]).toEqual([...before]);
});
