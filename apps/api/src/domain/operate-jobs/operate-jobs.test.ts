// @module-tag slow

import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { enqueueJob, enqueueJobAt } from '../job-queue.ts';
import { newId } from '../../kernel/ids.ts';
import { startJobs } from '../../jobs/start.ts';
import { nextMail, somePassword } from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { operate as operateHere, runOperatorProcess } from '../../testing/operator.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi({ JOBS: 'separate' });

const operate = (...args: string[]) => operateHere(args, { DATABASE_URL: api.config.DATABASE_URL });

interface QueuedJob extends Record<string, unknown> {
  readonly id: string;
  readonly attempts: number;
  /** The maximum time from the last attempt to the start of the next. */
  readonly delaySeconds: number;
}

/** The only job of a mailbox. */
async function jobOf(email: string): Promise<QueuedJob> {
  const [job] = await api.db.execute<QueuedJob>(sql`
    select id::text, attempts, extract(epoch from run_at - updated_at)::float as "delaySeconds"
    from graphile_worker._private_jobs where payload ->> 'email' = ${email} and locked_at is null`);
  if (!job) throw new Error(`no job of ${email} is in the queue`);
  return job;
}

/** Registers a user, which enqueues a mail job. */
async function registered(): Promise<string> {
  const email = someEmail('waiting');
  const response = await call(api, 'auth.register', { body: { email, password: somePassword } });
  expect(response.status).toBe(201);
  return email;
}

/** Runs due jobs with the real handlers, and no mail server, until a condition holds. */
async function runWithoutMailServer(until: () => Promise<void>): Promise<void> {
  const config = { ...api.config, SMTP_URL: 'smtp://127.0.0.1:1' };
  const runner = await startJobs({ ...api.deps, config });
  try {
    await expect.poll(() => until().then(() => true), { timeout: 15_000 }).toBe(true);
  } finally {
    await runner.stop();
  }
}

const setDue = (id: string, maxAttempts: number) =>
  api.db.execute(sql`
    select from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at := now() - interval '1 second', max_attempts := ${maxAttempts})`);

/** The cells of a job's line in the list. */
function lineOf(id: string, { stdout }: { stdout: string }): string[] | undefined {
  const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
  return lines.find(([cell]) => cell === id);
}

describe('a job that fails', () => {
  test("is retried with growing delays, is listed, and runs again on the operator's command", async () => {
    const email = await registered();
    const { id, attempts } = await jobOf(email);
    expect(attempts).toBe(0);
    expect(lineOf(id, await operate('jobs'))).toEqual([
      id,
      'send_verification',
      'waiting',
      '0/20',
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      '{"email":"w…@example.com"}',
    ]);

    const delays: { seconds: number; runSeconds: number }[] = [];
    for (const attempt of [1, 2, 3]) {
      const startedAt = performance.now();
      await setDue(id, 4);
      await runWithoutMailServer(async () => {
        expect((await jobOf(email)).attempts).toBe(attempt);
      });
      const runSeconds = (performance.now() - startedAt) / 1000;
      delays.push({ seconds: (await jobOf(email)).delaySeconds, runSeconds });
    }
    // e, e² and e³ seconds after an attempt ended, counted from its start.
    for (const [index, { seconds, runSeconds }] of delays.entries()) {
      const tookSeconds = seconds - Math.exp(index + 1);
      expect(tookSeconds).toBeGreaterThanOrEqual(0);
      expect(tookSeconds).toBeLessThan(runSeconds);
    }
    const waiting = lineOf(id, await operate('jobs'));
    expect(waiting?.slice(0, 4)).toEqual([id, 'send_verification', 'waiting', '3/4']);
    expect(waiting?.at(-1)).toContain('ECONNREFUSED');
    expect(lineOf(id, await operate('jobs', '--failed'))).toBeUndefined();

    await setDue(id, 4);
    await runWithoutMailServer(async () => {
      expect((await jobOf(email)).attempts).toBe(4);
    });
    const failed = await operate('jobs', '--failed');
    expect(lineOf(id, failed)).toEqual(
      [
        id,
        'send_verification',
        'failed',
        '4/4',
        '',
        expect.any(String),
        expect.stringContaining('ECONNREFUSED'),
      ].filter((cell) => cell !== ''),
    );
    expect(failed.stdout).not.toContain(email);
    expect(lineOf(id, await operate('jobs'))).toEqual(lineOf(id, failed));

    expect(await operate('retry-job', id)).toEqual({
      exitCode: 0,
      stdout: `Job ${id} runs again now.`,
      stderr: '',
    });
    expect((await operate('jobs', '--failed')).stdout).toBe('There are no such jobs.');
    const runner = await startJobs(api.deps);
    try {
      expect((await nextMail(email)).subject).toBe('Please verify your email');
    } finally {
      await runner.stop();
    }
    expect(await operate('retry-job', id)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `There is no job ${id}; it may be done.`,
    });
  });

  test('shows its error in one line without control characters or personal data', async () => {
    const uploadId = newId();
    const later = new Date(Date.now() + 60 * 60 * 1000);
    await enqueueJobAt(api.db, later, { name: 'clean_up_avatar_upload', payload: { uploadId } });
    await api.db.execute(sql`
      update graphile_worker._private_jobs
      set last_error = ${`550 <ada@example.com> \u001b[2J\u0007is full${' x'.repeat(100)}\n    at send (smtp.js)`}
      where payload ->> 'uploadId' = ${uploadId}`);
    const { stdout } = await operate('jobs');
    const line = stdout.split('\n').find((text) => text.includes(uploadId));
    expect(line).toContain(`{"uploadId":"${uploadId}"}  550 <a…@example.com> [2Jis full x x`);
    expect(line).not.toContain('smtp.js');
    expect(line).not.toMatch(/\p{C}/u);
    expect(line?.length).toBeLessThan(400);
  });
});

test('a running job is listed as running, and stays unchanged', async () => {
  await enqueueJob(api.db, 'delete_object', { key: 'collection/of/nobody' });
  const [job] = await api.db.execute<{ id: string }>(sql`
    update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a runner', attempts = max_attempts
    where payload ->> 'key' = 'collection/of/nobody' returning id::text`);
  const id = String(job?.id);
  const line = lineOf(id, await operate('jobs'));
  expect(line).toEqual([id, 'delete_object', 'running', '20/20', '{"key":"collection/of/nobody"}']);
  expect(lineOf(id, await operate('jobs', '--failed'))).toBeUndefined();
  const refused = await operate('retry-job', id);
  expect(refused).toEqual({ exitCode: 1, stdout: '', stderr: `Job ${id} is running just now.` });
});

test.each<[string, string[], RegExp]>([
  ['retry-job without an id', ['retry-job'], /needs the id of a job/],
  ['two ids', ['retry-job', '1', '2'], /one id and nothing more/],
  ['no number', ['retry-job', '1; drop table users'], /is not the id of a job/],
  ['a number beyond', ['retry-job', '9'.repeat(19)], /is not the id of a job/],
  ['jobs of an account', ['jobs', 'a@b.co'], /nothing but --failed/],
  ['--failed elsewhere', ['sessions', 'a@b.co', '--failed'], /goes with jobs only/],
])('given %s explains itself and exits 2', async (_, args, reason) => {
  const { exitCode, stdout, stderr } = await operate(...args);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(reason);
});

test('the program lists jobs as well', async () => {
  const email = await registered();
  const run = await runOperatorProcess(['jobs'], { DATABASE_URL: api.config.DATABASE_URL });
  expect([run.exitCode, run.stderr]).toEqual([0, '']);
  expect(lineOf((await jobOf(email)).id, run)?.slice(1, 4)).toEqual([
    'send_verification',
    'waiting',
    '0/20',
  ]);
});
