import { searchTypes } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import type { Executor } from '../../../db/executor.ts';
import { organizations } from '../../../db/generated/schema.ts';
import { enqueuedJob } from '../../job-queue.ts';

/** Enqueues a rebuild of the index of each organization. @returns how many there are */
export async function enqueueRebuilds(db: Executor): Promise<number> {
  const job = enqueuedJob('index_search', {
    organizationId: sql`${organizations}.id`,
    type: sql`${searchTypes[0]}::text`,
    afterId: sql`null::text`,
  });
  const rows = await db.execute(sql`
    select ${job} as job from ${organizations} where ${organizations}.deleted_at is null`);
  return rows.length;
}
