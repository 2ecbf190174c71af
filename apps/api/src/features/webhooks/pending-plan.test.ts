import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, expect, test, vi } from 'vitest';
import { sentStatements } from '../../testing/recorded-statements.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { setUpWebhooks } from '../../testing/webhooks.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../../testing/recorded-statements.ts');
  return recordingDriver(original);
});

const api = await setUpApi();
const { team } = await setUpWebhooks(api);
const client: postgres.Sql = postgres(api.ownerUrl, { max: 1, onnotice: () => {} });
afterAll(() => client.end());

const waitingCount = 1_500;

test('what waits is counted in an index alone, and the oldest one is looked up', async () => {
  const { id, webhookId, get } = await team({ events: ['task.create'] });
  const now = api.clock.now().toISOString();
  await api.db.execute(sql`
    insert into webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, sequence, body, status,
      attempt_count, next_attempt_at, is_replay, created_at)
    select ${id}, gen_random_uuid(), ${webhookId}, gen_random_uuid(), 'task.create', n, '{}', 'PENDING', 0,
      now() + interval '10 years', true, ${now}::timestamptz + n * interval '1 second'
    from generate_series(1, ${waitingCount}::int) as n`);
  // A table with so few rows is read as fast.
  await client`set enable_seqscan = off`;
  await client`set enable_bitmapscan = off`;
  sentStatements.length = 0;
  const { pendingCount, oldestPendingAt } = await get();
  expect([pendingCount, Date.parse(oldestPendingAt) - Date.parse(now)]).toEqual([
    waitingCount,
    1_000,
  ]);
  const statement = sentStatements.find(({ text }) => text.includes('from webhook_deliveries'));
  if (!statement) throw new Error('nothing was counted');
  const plan = await client.unsafe<{ 'QUERY PLAN': string }[]>(
    `explain (analyze, costs off, timing off) ${statement.text}`,
    [...statement.parameters] as never[],
  );
  const scans = plan
    .map((line) => line['QUERY PLAN'])
    .filter((line) => line.includes(' on webhook_deliveries'));
  expect(scans).toEqual([
    expect.stringMatching(/Index Only Scan using webhook_deliveries_pending .* rows=1500\b/),
    expect.stringMatching(/Index Scan using webhook_deliveries_pending .* rows=1\b/),
  ]);
});
