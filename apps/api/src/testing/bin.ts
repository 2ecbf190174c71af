import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { enqueueJob } from '../domain/job-queue.ts';
import type { TestApi } from './api.ts';

/** Purges expired rows, and waits until their objects have left the storage. */
export async function purgeBin(api: Pick<TestApi, 'db'>): Promise<void> {
  await enqueueJob(api.db, 'purge_bin', {});
  await expect
    .poll(() => api.db.execute(sql`select 1 from graphile_worker.jobs`), { timeout: 20_000 })
    .toHaveLength(0);
}
