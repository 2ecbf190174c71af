// @module-tag slow

import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, inject, test } from 'vitest';
import { newId } from './kernel/ids.ts';
import { newUser } from './testing/accounts.ts';
import { call, cloneDatabase, testEnvironment } from './testing/api.ts';
import {
  endApiProcesses,
  spawnApi,
  startApiProcess,
  type ApiProcess,
} from './testing/api-process.ts';
import { createDatabase, newDatabaseName, withDatabase } from './testing/databases.ts';

afterEach(endApiProcesses);

/** The processes that have said a line, by their ids. */
function pidsThatSaid(process: Pick<ApiProcess, 'output'>, text: string): number[] {
  const lines = process
    .output()
    .split('\n')
    .filter((line) => line.includes(text));
  return lines.map((line) => (JSON.parse(line) as { pid: number }).pid);
}

const listening = 'Server listening at';

async function startTwo(more: Readonly<Record<string, string>> = {}): Promise<ApiProcess> {
  const environment = {
    ...testEnvironment(await cloneDatabase()),
    ATELIER_PROCESSES: '2',
    ...more,
  };
  const service = await startApiProcess(environment);
  await expect.poll(() => pidsThatSaid(service, listening).length, { timeout: 30_000 }).toBe(2);
  return service;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('two processes share one port, and the jobs have one of their own', async () => {
  const service = await startTwo();
  // Its mail is sent by a job.
  const user = await newUser(service);
  const asked = Array.from({ length: 20 }, () => call(service, 'auth.user', { token: user.token }));
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  const apis = pidsThatSaid(service, listening);
  // Lines are written a little later.
  await expect
    .poll(() => new Set(pidsThatSaid(service, '/api/auth/user')), { timeout: 10_000 })
    .toEqual(new Set(apis));
  const jobs = pidsThatSaid(service, 'jobs are running');
  expect(jobs).toHaveLength(1);
  expect([...apis, service.child.pid]).not.toContain(jobs[0]);

  service.kill('SIGTERM');
  expect(await service.exited()).toBe(0);
  expect([...apis, ...jobs].filter(isRunning)).toEqual([]);
});

test('a process that dies is replaced, and the others serve meanwhile', async () => {
  const service = await startTwo({ JOBS: 'separate' });
  const [victim = 0] = pidsThatSaid(service, listening);
  process.kill(victim, 'SIGKILL');
  await expect.poll(() => isRunning(victim)).toBe(false);
  expect((await call(service, 'health.live')).status).toBe(200);
  await expect.poll(() => pidsThatSaid(service, listening).length, { timeout: 30_000 }).toBe(3);
  expect(pidsThatSaid(service, 'a process died')).toEqual([service.child.pid]);
  expect(service.output()).not.toContain('jobs are running');
});

test('all end with the process that supervises them', async () => {
  const service = await startTwo();
  await expect
    .poll(() => pidsThatSaid(service, 'jobs are running').length, { timeout: 30_000 })
    .toBe(1);
  const pids = [...pidsThatSaid(service, listening), ...pidsThatSaid(service, 'jobs are running')];
  service.kill('SIGKILL');
  await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
});

test('an empty database is migrated before the jobs start, as a role that it lacks', async () => {
  const { postgresUrl } = inject('services');
  const name = newDatabaseName();
  await createDatabase(postgresUrl, { name });
  const environment = testEnvironment(withDatabase(postgresUrl, name));
  const asNewRole = new URL(environment['DATABASE_URL'] ?? '');
  asNewRole.username = `supervised_${newId().replaceAll('-', '')}`;
  const service = await startApiProcess({
    ...environment,
    DATABASE_URL: asNewRole.href,
    ATELIER_PROCESSES: '2',
    // It is listened to long before the migrations end.
    METRICS_PORT: '0',
  });
  await expect
    .poll(() => pidsThatSaid(service, 'jobs are running').length, { timeout: 30_000 })
    .toBe(1);
  await expect.poll(() => pidsThatSaid(service, listening).length, { timeout: 30_000 }).toBe(2);
  expect((await call(service, 'health.ready')).status).toBe(200);
  expect(pidsThatSaid(service, 'could not start')).toEqual([]);
  const metrics = service.output().match(/metrics at http:[^"]+/g);
  expect(new Set(metrics).size).toBe(3);
});

test('what stops one from starting stops the service', async () => {
  const environment = testEnvironment('postgres://nobody@127.0.0.1:1/none');
  const service = spawnApi({ ...environment, ATELIER_PROCESSES: '2', PORT: '0' });
  expect(await service.exited()).toBe(1);
  expect(service.output()).toContain('could not start');
  // Nothing is left that tries again.
  await delay(1_500);
  expect(pidsThatSaid(service, 'could not start').filter(isRunning)).toEqual([]);
});
