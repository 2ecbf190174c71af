// @module-tag slow

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@atelier/devstack';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { startTestApi } from '../../testing/api.ts';
import { migrateForService } from '../../testing/databases.ts';
import { stateOf } from './queries.ts';

test('a server is another run after a crash of one of its processes, after which it gives ids again', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'atelier-crash-'));
  const server = await startPostgres({ dataDir: directory });
  try {
    await migrateForService(server.url);
    const { db, close } = await startTestApi({}, { databaseUrl: server.url });
    const runOf = async () => (await stateOf(db, { organizationId: newId(), personIds: [] })).run;
    const tell = async () => {
      const [row] = await db.execute<{ process: number; start: string }>(
        sql`select pg_backend_pid() as process, pg_postmaster_start_time()::text as start`,
      );
      return row;
    };
    const [before, run] = [await tell(), await runOf()];
    expect(await runOf()).toBe(run);
    process.kill(before?.process ?? 0, 'SIGKILL');
    await expect.poll(() => runOf().catch(() => run), { timeout: 20_000 }).not.toBe(run);
    expect((await tell())?.start).toBe(before?.start);
    await close();
  } finally {
    await server.stop();
    await rm(directory, { recursive: true });
  }
}, 120_000);
