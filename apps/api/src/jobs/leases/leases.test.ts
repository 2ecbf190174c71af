// @module-tag slow

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterEach, expect, inject, test } from 'vitest';
import { startJobs } from '../start.ts';
import { nextMail, somePassword } from '../../testing/accounts.ts';
import { endApiProcesses, spawnApi } from '../../testing/api-process.ts';
import { call, someEmail, testEnvironment } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';

const lease = { JOB_LEASE_SECONDS: '1' };

const api = await setUpApi({ JOBS: 'separate', ...lease });
afterEach(endApiProcesses);

interface Job extends Record<string, unknown> {
  readonly attempts: number;
  readonly holder: string | null;
  readonly ageSeconds: number;
}

/** Returns the only unfinished job of an email. */
async function jobOf(email: string): Promise<Job | null> {
  const [job] = await api.db.execute<Job>(sql`
    select attempts, locked_by as holder, extract(epoch from now() - created_at)::float as "ageSeconds"
    from graphile_worker._private_jobs where payload ->> 'email' = ${email}`);
  return job ?? null;
}

/** Registers an account, which enqueues a job to mail it. */
async function registered(): Promise<string> {
  const email = someEmail('leased');
  const response = await call(api, 'auth.register', { body: { email, password: somePassword } });
  expect(response.status).toBe(201);
  return email;
}

const worker = (smtpPort: number, settings = lease) =>
  spawnApi(
    {
      ...testEnvironment(api.config.DATABASE_URL),
      ...settings,
      SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    },
    'src/worker.ts',
  );

test('kill -9 of a worker with a job: another one runs it after the lease has expired', async () => {
  const email = await registered();
  let kill = () => {};
  const trap = createServer(() => kill()).listen(0, '127.0.0.1');
  await once(trap, 'listening');
  const victim = worker((trap.address() as AddressInfo).port);
  kill = () => victim.kill('SIGKILL');
  await victim.exited();
  trap.close();
  const left = await jobOf(email);
  expect(left).toMatchObject({ attempts: 1, holder: expect.any(String) });

  const runner = await startJobs(api.deps);
  try {
    expect((await nextMail(email)).subject).toBe('Please verify your email');
    await expect.poll(() => jobOf(email)).toBeNull();
  } finally {
    await runner.stop();
  }
});

test('a job that takes longer than the lease stays with its process', async () => {
  const { mail } = inject('services');
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const slow = await startTcpProxy(Number(new URL(mail.smtpUrl).port), {
    onResponse: async (): Promise<'pass'> => {
      await held;
      return 'pass';
    },
  });
  const email = await registered();
  // On a busy machine a process may stand still for one second, and rightly lose a lease of that length.
  const leaseSeconds = 3;
  worker(slow.port, { JOB_LEASE_SECONDS: String(leaseSeconds) });
  const holder = () => jobOf(email).then((job) => job?.holder ?? null);
  await expect.poll(holder, { timeout: 15_000 }).not.toBeNull();
  const atWork = await jobOf(email);
  const config = { ...api.deps.config, JOB_LEASE_SECONDS: leaseSeconds };
  const runner = await startJobs({ ...api.deps, config });
  try {
    const atWorkSeconds = async () =>
      Number((await jobOf(email))?.ageSeconds) - Number(atWork?.ageSeconds);
    await expect.poll(atWorkSeconds, { timeout: 15_000 }).toBeGreaterThan(leaseSeconds + 1);
    expect(await jobOf(email)).toMatchObject({ attempts: 1, holder: atWork?.holder });
    letGo();
    await expect.poll(() => jobOf(email), { timeout: 15_000 }).toBeNull();
    await nextMail(email);
  } finally {
    await runner.stop();
    await slow.close();
  }
});

test('a job whose result could not be recorded runs again, even if its process lives', async () => {
  const email = await registered();
  await api.db.execute(sql`
    update graphile_worker._private_jobs
    set locked_at = now(), locked_by = 'who could not note it', attempts = 1
    where payload ->> 'email' = ${email}`);
  const runner = await startJobs(api.deps);
  try {
    await nextMail(email);
    await expect.poll(() => jobOf(email)).toBeNull();
  } finally {
    await runner.stop();
  }
});
