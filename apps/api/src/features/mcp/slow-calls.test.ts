import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { waitingIn } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { callOnce, keyFor } from './testing.ts';

const timeoutMs = 1_000;
const api = await setUpApi({ REQUEST_TIMEOUT_MS: String(timeoutMs) });
const owner = await newUser(api, 'owner');
const { organizationId } = owner;
const { key } = await keyFor(api, owner, [organizationId]);

test('a change that takes longer than a request may take to arrive is reported as done', async () => {
  const result = await api.db.transaction(async (tx) => {
    await tx.execute(sql`
      select pg_advisory_xact_lock(authority_lock('organization row', id))
      from organizations where id = ${organizationId} for update`);
    const input = { name: 'In its own time' };
    const calling = callOnce(api, key, { name: 'projects_create', input });
    await expect.poll(() => waitingIn(tx), { timeout: 10_000, interval: 5 }).toBe(1);
    await delay(timeoutMs + 1_500);
    // Wrapped, so that the transaction ends before the call does.
    return { calling };
  });
  const made = await result.calling;
  expect([made.isError, made.data?.name ?? made.text]).toEqual([false, 'In its own time']);
});
