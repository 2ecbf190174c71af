import { sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { maxSpreadAtOnce } from '../../domain/webhooks/pace.ts';
import { webhookSecrets } from '../../domain/webhooks/secrets.ts';
import type { Jobs } from '../../ports/jobs.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { messageIn, setUpWebhooks } from '../../testing/webhooks.ts';
import { startJobs } from '../start.ts';
import { spreadBacklog } from './backlog.ts';
import { createSlots } from './slots.ts';
import { pumpWebhook } from './pump.ts';

const api = await setUpApi({ JOBS: 'separate' });
// Accounts need mails.
const runner = await startJobs(api.deps);
const { team: newTeam } = await setUpWebhooks(api);
await runner.stop();

const waitingCount = 1_500;
const dayMinutes = 24 * 60;

/** Rounded, because time passes while the test runs. */
const inMinutes = (seconds: number) => Math.round(seconds / 60) + 0;

/** A paused endpoint with messages that wait: every second one was tried, and would be tried again in a day. */
async function team(settings: Parameters<typeof newTeam>[0] = {}) {
  const made = await newTeam({ events: ['task.create'], ...settings });
  const { id: organizationId, webhookId, update } = made;
  await update({ isEnabled: false });
  const now = api.clock.now().toISOString();
  await api.db.execute(sql`
    insert into webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, sequence, body, status,
      attempt_count, next_attempt_at, is_replay, created_at)
    select ${organizationId}, gen_random_uuid(), ${webhookId}, gen_random_uuid(), 'task.create', n,
      convert_to(json_build_object('sequence', n)::text, 'UTF8'), 'PENDING', n % 2,
      ${now}::timestamptz + (n % 2) * make_interval(mins => ${dayMinutes}), true,
      ${now}::timestamptz - interval '1 hour' + n * interval '1 second'
    from generate_series(1, ${waitingCount}::int) as n`);
  await api.db.execute(sql`
    update webhooks set last_sequence = ${waitingCount} where id = ${webhookId}`);
  const process = {
    db: api.db,
    clock: api.clock,
    outbound: api.deps.outbound,
    webhookSecrets: webhookSecrets(api.deps.keys),
    slots: createSlots(),
  };
  const key = { organizationId, webhookId };
  /** @returns since when it is enabled */
  const enable = async () => {
    const { status, body } = await update({ isEnabled: true });
    expect(status).toBe(200);
    return new Date(body.data.updatedAt);
  };
  const pump = () => pumpWebhook(process, key, new AbortController().signal);
  /** When each message is due, in seconds from the enabling on. */
  const dueAfter = async (since: Date) =>
    (
      await api.db.execute<{ seconds: number }>(sql`
        select extract(epoch from next_attempt_at - ${since.toISOString()}::timestamptz)::float8 as seconds
        from webhook_deliveries where webhook_id = ${webhookId} order by sequence`)
    ).map(({ seconds }) => seconds);
  const backlogJob = async () => {
    const [job] = await api.db.execute<{ payload: Jobs['spread_webhook'] }>(sql`
      select payload from graphile_worker._private_jobs
      where payload ->> 'webhookId' = ${webhookId} and payload ->> 'enabledAt' is not null`);
    return job?.payload ?? null;
  };
  const received = () => made.receiver.received.map((one) => Number(messageIn(one).sequence));
  return { ...made, enable, pump, dueAfter, backlogJob, received };
}

describe('an endpoint with a backlog', () => {
  test('is enabled by a change of the first messages; a job makes the rest due in pieces', async () => {
    const { enable, dueAfter, backlogJob, webhookId } = await team();
    const enabledAt = await enable();
    const first = await dueAfter(enabledAt);
    expect(first.slice(0, 3)).toEqual([0, 0.5, 1]);
    expect(first.slice(118, maxSpreadAtOnce)).toEqual([
      59,
      59.5,
      ...Array(maxSpreadAtOnce - 120).fill(60),
    ]);
    expect(new Set(first.slice(maxSpreadAtOnce).map(inMinutes))).toEqual(new Set([0, dayMinutes]));
    const job = await backlogJob();
    expect(job).toMatchObject({ after: maxSpreadAtOnce, until: waitingCount });
    if (!job) throw new Error('nothing makes the rest due');
    // Its receiver has asked for time since.
    await api.db.execute(sql`
      insert into webhook_attempts (organization_id, delivery_id, number, started_at, duration_ms)
      select organization_id, id, 2, ${enabledAt.toISOString()}::timestamptz + interval '1 second', 1
      from webhook_deliveries where webhook_id = ${webhookId} and sequence = 1499`);
    await spreadBacklog(api.db, job, new AbortController().signal);
    const rest = (await dueAfter(enabledAt)).slice(maxSpreadAtOnce);
    expect(rest.splice(1499 - maxSpreadAtOnce - 1, 1).map(inMinutes)).toEqual([dayMinutes]);
    expect(new Set(rest)).toEqual(new Set([60]));
  });

  test('continues where it stopped if the process does', async () => {
    const { enable, dueAfter, backlogJob } = await team();
    const enabledAt = await enable();
    const job = await backlogJob();
    if (!job) throw new Error('nothing makes the rest due');
    await spreadBacklog(api.db, job, AbortSignal.abort());
    expect(await backlogJob()).toEqual(job);
    await spreadBacklog(api.db, { ...job, after: 1_400 }, new AbortController().signal);
    const due = await dueAfter(enabledAt);
    expect(due.filter((seconds) => inMinutes(seconds) === dayMinutes)).toHaveLength(600);
    expect(new Set(due.slice(1_400))).toEqual(new Set([60]));
  });

  test('gets two messages a second, also before the times of the rest are set', async () => {
    const { enable, pump, received } = await team();
    const enabledAt = await enable();
    for (let turn = 0; turn < 4; turn += 1) {
      await pump();
      api.clock.advance({ seconds: 0.5 });
    }
    const halves = Math.floor((api.clock.now().getTime() - enabledAt.getTime()) / 500);
    const sequences = received();
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    expect([sequences.length >= 4, sequences.length <= halves + 1]).toEqual([true, true]);
  });

  test('gets all of it in its order, where that counts', async () => {
    const { enable, pump, received, backlogJob } = await team({ ordering: 'STRICT' });
    await enable();
    await pump();
    api.clock.advance({ seconds: 1 });
    await pump();
    const job = await backlogJob();
    if (!job) throw new Error('nothing makes the rest due');
    await spreadBacklog(api.db, job, new AbortController().signal);
    api.clock.advance({ seconds: 60 });
    // A turn ends after seconds, and a busy machine sends little in them.
    await vi.waitFor(
      async () => {
        await pump();
        expect(received().length).toBeGreaterThan(maxSpreadAtOnce);
      },
      { timeout: 60_000 },
    );
    const sequences = received();
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });

  test('is paused again: the rest stays as it is', async () => {
    const { enable, update, dueAfter, backlogJob } = await team();
    const enabledAt = await enable();
    const job = await backlogJob();
    await update({ isEnabled: false });
    if (!job) throw new Error('nothing makes the rest due');
    await spreadBacklog(api.db, job, new AbortController().signal);
    const rest = (await dueAfter(enabledAt)).slice(maxSpreadAtOnce);
    expect(new Set(rest.map(inMinutes))).toEqual(new Set([0, dayMinutes]));
  });
});
