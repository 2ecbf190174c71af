import { once } from 'node:events';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSmtpMailer } from '../adapters/smtp.ts';
import { enqueueJob, enqueueJobInPlace, enqueueJobs } from '../domain/job-queue.ts';
import { newId } from '../kernel/ids.ts';
import { createLog } from '../log.ts';
import type { JobHandlers } from '../ports/jobs.ts';
import { someEmail, startTestApi } from '../testing/api.ts';
import { inTime } from '../testing/in-time.ts';
import { refusingMailServer } from '../testing/refusing-mail-server.ts';
import { setUpApi } from '../testing/set-up.ts';
import { tricklingMailServer } from '../testing/trickling-mail-server.ts';
import { startJobRunner } from './runner.ts';

const api = await setUpApi({ JOBS: 'separate' });

/** Lets a job fail once. @returns the error that the queue stores, and the lines of the log */
async function failureOf(email: string, handle: JobHandlers['send_verification']) {
  const lines: string[] = [];
  const runner = await startJobRunner({
    databaseUrl: api.ownerUrl,
    db: api.deps.db,
    scopes: null,
    handlers: { send_verification: handle } as JobHandlers,
    log: createLog('info', { write: (line) => void lines.push(line) }),
    leaseSeconds: 60,
    responseTimeoutMs: 5_000,
    abortAfterMs: 2_000,
    schedule: [],
  });
  onTestFinished(() => runner.stop());
  await enqueueJob(api.db, 'send_verification', { email });
  const stored = await vi.waitUntil(
    async () => {
      const [job] = await api.db.execute<{ id: string; error: string | null }>(sql`
        select id::text, last_error as error from graphile_worker._private_jobs
        where payload ->> 'email' = ${email}`);
      return job?.error ? job : null;
    },
    { timeout: 15_000 },
  );
  return { ...stored, lines };
}

test('a statement that fails is logged and stored without its parameters', async () => {
  const email = someEmail();
  const { id, error, lines } = await failureOf(email, async () => {
    await api.deps.db.execute(sql`select 1 / length(left(${email}::text, 0))`);
  });
  expect(error).toContain('Failed query: select 1 / length');
  expect(error).not.toContain(email);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      msg: 'a job failed',
      jobTask: 'send_verification',
      jobId: id,
      attempt: 1,
      err: expect.objectContaining({
        stack: expect.stringContaining('runner.test.ts'),
        cause: expect.objectContaining({ message: 'division by zero' }),
      }),
    }),
  ]);
  expect(lines.join('')).not.toContain(email);
});

test('a statement that fails is stored without a parameter that has lines of a stack trace', async () => {
  const email = someEmail();
  const { error, lines } = await failureOf(email, async () => {
    const content = `Crash:\n    at f (a.js:1)\n${email}`;
    await api.deps.db.execute(sql`select 1 / length(left(${content}::text, 0))`);
  });
  expect(error).toContain('Failed query: select 1 / length');
  expect(error).not.toContain(email);
  expect(lines.join('')).not.toContain(email);
});

test('a refusal of the mail server is logged and stored without its text', async () => {
  const email = someEmail();
  const mailer = createSmtpMailer({ url: await refusingMailServer(), from: 'a@example.com' });
  onTestFinished(() => mailer.close());
  const { error, lines } = await failureOf(email, () =>
    mailer.send({ to: email, subject: 'Hello', text: 'Hello', html: 'Hello' }),
  );
  expect(error).toBe('the mail was not sent: EENVELOPE 550');
  expect(lines.join('')).toContain('EENVELOPE 550');
  expect(lines.join('')).not.toContain(email);
});

test('shares whose pictures are made leave other slow jobs their places', async () => {
  const started: string[] = [];
  const released = Promise.withResolvers<void>();
  onTestFinished(() => released.resolve());
  const runner = await startJobRunner({
    databaseUrl: api.ownerUrl,
    db: api.deps.db,
    scopes: null,
    handlers: {
      async make_share_pictures() {
        started.push('pictures');
        await released.promise;
      },
      async inspect_content() {
        started.push('inspection');
      },
    } as Partial<JobHandlers> as JobHandlers,
    log: createLog('silent', { write: () => {} }),
    leaseSeconds: 60,
    responseTimeoutMs: 5_000,
    abortAfterMs: 2_000,
    schedule: [],
  });
  const [organizationId, storedObjectId] = [newId(), newId()];
  for (const shareId of [newId(), newId(), newId()]) {
    const job = { name: 'make_share_pictures', payload: { organizationId, shareId } } as const;
    await enqueueJobInPlace(api.db, shareId, job);
  }
  await vi.waitUntil(() => started.length > 0, { timeout: 15_000 });
  await enqueueJobs(api.db, 'inspect_content', [
    { organizationId, storedObjectId },
    { organizationId, storedObjectId },
  ]);
  await vi.waitUntil(() => started.length > 2, { timeout: 15_000 });
  expect(started).toEqual(['pictures', 'inspection', 'inspection']);
  released.resolve();
  await vi.waitUntil(() => started.length === 5, { timeout: 15_000 });
  await runner.stop();
});

test('a stop tells a job that takes long to give up, and waits for it', async () => {
  const started = Promise.withResolvers<void>();
  let hasGivenUp = false;
  const runner = await startJobRunner({
    databaseUrl: api.ownerUrl,
    db: api.deps.db,
    scopes: null,
    handlers: {
      async delete_object(_, signal) {
        started.resolve();
        await once(signal, 'abort');
        hasGivenUp = true;
      },
    } as Partial<JobHandlers> as JobHandlers,
    log: createLog('silent', { write: () => {} }),
    leaseSeconds: 60,
    responseTimeoutMs: 5_000,
    abortAfterMs: 100,
    schedule: [],
  });
  await enqueueJob(api.db, 'delete_object', { key: 'collection/gone' });
  await started.promise;
  await inTime(4_000, runner.stop());
  expect(hasGivenUp).toBe(true);
});

test('a mail server that never ends its response holds up mails only, and no stop of the process', async () => {
  const server = await tricklingMailServer();
  const { db, close } = await startTestApi({ SMTP_URL: server.url });
  const waiting = async () => {
    const [row] = await db.execute<{ count: number }>(sql`
      select count(*)::int from graphile_worker._private_jobs as jobs
      join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id where identifier = 'delete_object'`);
    return row?.count;
  };
  for (let count = 0; count < 6; count += 1) {
    await enqueueJob(db, 'send_deleted_notice', { email: someEmail() });
  }
  await expect.poll(() => server.waiting(), { timeout: 10_000 }).toBe(2);
  await enqueueJob(db, 'delete_object', { key: 'collection/gone' });
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  await inTime(15_000, close());
});
