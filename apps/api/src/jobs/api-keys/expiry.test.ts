import { randomBytes } from 'node:crypto';
import { eq, gt } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { apiKeys } from '../../db/generated/schema.ts';
import { takeSequences } from '../../domain/notifications/queries/sequences.ts';
import { newId } from '../../kernel/ids.ts';
import { logIn, newUser } from '../../testing/accounts.ts';
import { makeKey } from '../../testing/api-keys.ts';
import { inboxOf } from '../../testing/inboxes.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startJobs } from '../start.ts';
import { noticeExpiringKeys } from './expiry.ts';

const api = await setUpApi({ JOBS: 'separate' });

test('of many keys that end, the first are told of while the inbox of the last is locked', async () => {
  const jobs = await startJobs(api.deps);
  const first = await newUser(api);
  const last = await newUser(api);
  await jobs.stop();
  const own = { preset: 'read-only', organizationIds: [last.organizationId], expiresInDays: 30 };
  const { id } = await makeKey(api, last, own);
  const [key] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, id));
  if (!key) throw new Error('the key is gone');
  const ofFirst = Array.from({ length: 200 }, () => ({
    ...key,
    id: newId(),
    userId: first.id,
    keyHash: randomBytes(32),
  }));
  await api.db.insert(apiKeys).values(ofFirst);
  api.clock.advance({ seconds: 24 * 24 * 60 * 60 });
  const countTold = () => api.db.$count(apiKeys, gt(apiKeys.expiryNotices, 0));
  const { underWay } = await api.db.transaction(async (tx) => {
    await takeSequences(tx, new Map([[last.id, 1]]));
    const underWay = noticeExpiringKeys(api.deps);
    await expect.poll(countTold, { timeout: 10_000 }).toBe(200);
    // Wrapped, so that the transaction ends before the job does.
    return { underWay };
  });
  await underWay;
  expect(await countTold()).toBe(201);
  const reader = await logIn(api, last);
  expect(await inboxOf(api, reader, { reason: 'integration_failing' })).toHaveLength(1);
});
