import { expect, test, vi } from 'vitest';
import { outgoingJobs } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startOutbox } from './outbox.ts';

// As small as a pool may be.
const api = await setUpApi({ JOBS: 'separate', DATABASE_POOL_MAX: '1' });
const waiting = () => api.db.$count(outgoingJobs);

/** As no statement of the service does on one Postgres. */
async function start(isDistributed: () => Promise<boolean>) {
  const { db, quickDb, scopes, log } = api.deps;
  await db.insert(outgoingJobs).values({
    organizationId: newId(),
    id: newId(),
    name: 'send_mention_notice',
    payload: {},
    maxAttempts: 1,
    enqueuedAt: new Date().toISOString(),
  });
  const listenToChanges = vi.fn(api.deps.listenToChanges);
  return {
    listenToChanges,
    ...startOutbox({ db, quickDb, scopes, log, isDistributed, listenToChanges }),
  };
}

test('one Postgres is neither searched for jobs nor listened to', async () => {
  const { stop, listenToChanges } = await start(api.deps.isDistributed);
  await stop();
  expect([listenToChanges.mock.calls, await waiting()]).toEqual([[], 1]);
});

test('jobs are moved where it is not known yet whether there are several servers', async () => {
  const { stop, listenToChanges } = await start(() => Promise.reject(new Error('away')));
  await expect.poll(waiting).toBe(0);
  expect(listenToChanges).toHaveBeenCalledOnce();
  await stop();
});
