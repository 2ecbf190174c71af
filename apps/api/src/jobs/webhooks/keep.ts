import { webhookRetentionDays } from '@atelier/contract';
import type { Batches } from '../../domain/batches/queries.ts';
import { dayMs } from '../../kernel/durations.ts';
import { resealAll } from '../../domain/resealing/reseal-all.ts';
import type { JobDeps } from '../job-deps.ts';
import { deleteDeliveries, sealedOtherwise, storeResealed } from './queries.ts';

/** Removes old deliveries, and seals secrets with the current key before an older one is removed. Idempotent. */
export async function keepWebhooks({
  db,
  clock,
  webhookSecrets,
  log,
  signal,
}: Pick<JobDeps, 'db' | 'clock' | 'webhookSecrets' | 'log'> & Batches): Promise<void> {
  const before = new Date(clock.now().getTime() - webhookRetentionDays * dayMs);
  await deleteDeliveries({ db, signal }, before);
  await resealAll({
    list: (page) => sealedOtherwise(db, webhookSecrets.currentKey, page),
    reseal: (webhook) => webhookSecrets.resealed(webhook),
    store: (webhook, resealed) => storeResealed(db, webhook, resealed),
    log,
    signal,
    missing: 'the key of the secrets of webhooks is missing',
  });
}
