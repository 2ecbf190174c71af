// @module-tag slow

import { eq, inArray, sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import type { Database } from '../db/executor.ts';
import {
  notifications,
  shareViews,
  totpFactors,
  webhookDeliveries,
} from '../db/generated/schema.ts';
import { totpSecrets } from '../domain/second-factor/totp-secrets.ts';
import { shareTokens } from '../domain/shares/tokens.ts';
import { webhookSecrets } from '../domain/webhooks/secrets.ts';
import { visitsOf } from '../features/shares/visits/testing.ts';
import { createKeys } from '../kernel/keys.ts';
import { createUnsubscribeTokens } from '../kernel/unsubscribe-tokens.ts';
import { newUser } from '../testing/accounts.ts';
import { waitingIn } from '../testing/organizations.ts';
import { setUpApi } from '../testing/set-up.ts';
import { jobHandlers } from './handlers.ts';
import { startJobs } from './start.ts';

const api = await setUpApi({ JOBS: 'separate' });
// Accounts need mails.
const runner = await startJobs(api.deps);
const user = await newUser(api);
const other = await newUser(api);
const { organizationId, newShare } = await visitsOf(api, user).team();
await runner.stop();

type Kept =
  | 'keep_activities'
  | 'keep_notifications'
  | 'keep_shares'
  | 'keep_totp_secrets'
  | 'keep_webhooks';

const keys = createKeys({
  JWT_SECRETS: api.config.JWT_SECRETS,
  TOKEN_ENVELOPE_KEYS: ['c'.repeat(64), ...api.config.TOKEN_ENVELOPE_KEYS],
});

function run(name: Kept, signal: AbortSignal, db: Database = api.db): Promise<void> {
  const handlers = jobHandlers({
    ...api.deps,
    db,
    mailer: { send: async () => {}, close: () => {} },
    webhookSecrets: webhookSecrets(keys),
    totpSecrets: totpSecrets(keys),
    shareTokens: shareTokens(keys),
    appUrl: api.config.APP_URL,
    apiUrl: api.config.BASE_URL,
    unsubscribeTokens: createUnsubscribeTokens(keys.unsubscribing),
    activityRetentionMonths: 1,
    asOwner: (work) => work(db),
  });
  return handlers[name]({}, signal);
}

/** Runs a job until it uses the database in a way for the nth time; the process begins to stop then. */
async function stopAt(
  name: Kept,
  { use, nth = 1 }: { use: 'delete' | 'execute' | 'update'; nth?: number },
): Promise<void> {
  const stopping = new AbortController();
  let uses = 0;
  const db = new Proxy(api.db, {
    get(target, property) {
      const found: unknown = Reflect.get(target, property);
      if (typeof found !== 'function') return found;
      return (...args: unknown[]): unknown => {
        if (property === use && (uses += 1) === nth) stopping.abort(new Error('stopping'));
        return Reflect.apply(found, target, args);
      };
    },
  });
  await expect(run(name, stopping.signal, db)).rejects.toThrow('stopping');
}

const finish = (name: Kept) => run(name, new AbortController().signal);
const daysAgo = (days: number) =>
  sql`${api.clock.now().toISOString()}::timestamptz - make_interval(days => ${days})`;

test.each([
  'keep_activities',
  'keep_notifications',
  'keep_shares',
  'keep_totp_secrets',
  'keep_webhooks',
] as const)('%s begins nothing when the process stops', async (name) => {
  const stopped = AbortSignal.abort(new Error('stopping'));
  await expect(run(name, stopped)).rejects.toThrow('stopping');
});

describe('a process that stops meanwhile waits for one batch, and the next run does the rest, of', () => {
  test('old messages of webhooks', async () => {
    await api.db.execute(sql`
      insert into webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, sequence, body, status,
        attempt_count, is_replay, created_at)
      select ${organizationId}, uuidv7(), uuidv7(), uuidv7(), 'task.create', 1, '', 'DELIVERED', 1, false, ${daysAgo(40)}
      from generate_series(1, 2500)`);
    const left = () => api.db.$count(webhookDeliveries);
    await stopAt('keep_webhooks', { use: 'delete' });
    expect(await left()).toBe(1_500);
    await finish('keep_webhooks');
    expect(await left()).toBe(0);
  });

  test('old views of shares', async () => {
    const { id } = await newShare();
    await api.db.execute(sql`
      insert into share_views (organization_id, share_id, id, at, action, device)
      select ${organizationId}, ${id}, uuidv7(), ${daysAgo(400)}, 'OPENED', 'Firefox' from generate_series(1, 4500)`);
    const left = () => api.db.$count(shareViews);
    await stopAt('keep_shares', { use: 'delete' });
    expect(await left()).toBe(2_500);
    await finish('keep_shares');
    expect(await left()).toBe(0);
  });

  test('old notifications', async () => {
    await api.db.execute(sql`
      insert into notifications (organization_id, id, user_id, sequence, reason, event_count, created_at, updated_at)
      select ${organizationId}, uuidv7(), ${user.id}, number, 'removed', 1, ${daysAgo(400)}, ${daysAgo(400)}
      from generate_series(1, 4500) as number`);
    const left = () => api.db.$count(notifications, eq(notifications.userId, user.id));
    // The first one finds where a piece ends, the second one deletes it.
    await stopAt('keep_notifications', { use: 'execute', nth: 2 });
    expect(await left()).toBe(2_500);
    await finish('keep_notifications');
    expect(await left()).toBe(0);
  });

  test('secrets of authenticator apps under an earlier key', async () => {
    const ids = [user.id, other.id];
    const sealing = totpSecrets(api.deps.keys);
    await api.db.insert(totpFactors).values(
      ids.map((userId) => ({
        userId,
        secret: sealing.seal(userId, Buffer.alloc(20)),
        enabledAt: api.clock.now(),
      })),
    );
    const { currentKey } = totpSecrets(keys);
    const left = async () => {
      const rows = await api.db
        .select({ secret: totpFactors.secret })
        .from(totpFactors)
        .where(inArray(totpFactors.userId, ids));
      return rows.filter(({ secret }) => !secret?.subarray(0, currentKey.length).equals(currentKey))
        .length;
    };
    await stopAt('keep_totp_secrets', { use: 'update' });
    expect(await left()).toBe(1);
    await finish('keep_totp_secrets');
    expect(await left()).toBe(0);
  });
});

test('a process that stops does not wait until the months of activities are free', async () => {
  const stopping = new AbortController();
  await api.db.transaction(async (tx) => {
    await tx.execute(sql`lock table activities in access share mode`);
    api.clock.advance({ seconds: 70 * 24 * 60 * 60 });
    const running = run('keep_activities', stopping.signal);
    await vi.waitUntil(async () => (await waitingIn(tx)) > 0, { timeout: 10_000, interval: 5 });
    stopping.abort(new Error('stopping'));
    await expect(running).rejects.toThrow('stopping');
  });
});
