import type { Database } from '../../db/executor.ts';
import { enqueueJobs } from '../../domain/job-queue.ts';
import type { JobDeps } from '../job-deps.ts';
import { tellOfKeys } from '../notifications/integrations.ts';
import { raiseExpiryNotices } from './queries.ts';

/** Keys of one transaction, which keeps the inboxes of their people locked. */
const batchKeys = 200;

/** Tells people that keys of theirs end, or have ended; of each step once. Idempotent. */
export async function noticeExpiringKeys({
  db,
  clock,
}: Pick<JobDeps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  while ((await noticeBatch(db, now)) === batchKeys);
}

async function noticeBatch(db: Database, now: Date): Promise<number> {
  return db.transaction(async (tx) => {
    const notices = await raiseExpiryNotices(tx, { now, limit: batchKeys });
    const apiKeyIds = notices.map(({ apiKeyId }) => apiKeyId);
    await tellOfKeys(tx, apiKeyIds, now);
    await enqueueJobs(tx, 'send_api_key_notice', notices);
    return notices.length;
  });
}
