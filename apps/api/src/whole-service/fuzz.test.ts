// @module-tag slow

import { execFileSync } from 'node:child_process';
import { operations } from '@atelier/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { newUser } from '../testing/accounts.ts';
import { call, cloneDatabase, testEnvironment } from '../testing/api.ts';
import { endApiProcesses, startApiProcess } from '../testing/api-process.ts';
import { newFuzzFixtures, operationsWithoutInput } from './fuzz/fixtures.ts';
import { fuzz } from './fuzz/run.ts';
import { setUpApi } from '../testing/set-up.ts';

/** `pnpm fuzz` names them; without it the same requests every time, few enough for each run of CI. */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 2_000);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const groups = (process.env['FUZZ_GROUPS'] || null)?.split(',');
const fuzzed = operations.filter(({ id }) => groups?.includes(String(id.split('.', 1)[0])) ?? true);
const isLong = process.env['FUZZ_REQUESTS'] !== undefined;
const databaseUrl = await cloneDatabase();
const api = await setUpApi({ JOBS: 'separate' }, { databaseUrl });
const target = await startApiProcess({
  ...testEnvironment(databaseUrl),
  LOG_LEVEL: 'info',
});
afterAll(() => endApiProcesses());

/** Resident memory of the process under test, in MiB. */
function residentMib(): number {
  const kib = execFileSync('ps', ['-o', 'rss=', '-p', String(target.child.pid)], {
    encoding: 'utf8',
  });
  return Math.round(Number(kib) / 1024);
}

function loggedErrors(): string[] {
  return target
    .output()
    .split('\n')
    .filter((line) => /^\{"level":(?:50|60)/.test(line));
}

async function expectHealthy(): Promise<void> {
  const startedAt = performance.now();
  expect((await call(target, 'health.live')).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  const user = await newUser(target);
  const created = await call(target, 'projects.create', {
    token: user.token,
    body: { name: 'After it all' },
  });
  expect(created.status).toBe(201);
  const read = await call(target, 'projects.get', {
    token: user.token,
    params: { id: created.body.data.id },
  });
  expect([read.status, read.body.data.name]).toEqual([200, 'After it all']);
}

describe('hostile requests to every operation', () => {
  test(
    'get no 5xx, one shape of error, no leak; the process stays healthy',
    { timeout: isLong ? 6 * 60 * 60_000 : 120_000 },
    async () => {
      expect(operationsWithoutInput(await newFuzzFixtures(api))).toEqual([]);
      const before = residentMib();
      const summary = await fuzz({
        url: target.url,
        operations: fuzzed,
        requests,
        seed,
        requestsPerFixtures: 4_000,
        newFuzzFixtures: () => newFuzzFixtures(api),
        onProgress(sent) {
          if (isLong) process.stdout.write(`${sent} requests, ${residentMib()} MiB\n`);
        },
      });
      const after = residentMib();
      const { findings, ...figures } = summary;
      process.stdout.write(
        `${JSON.stringify({ seed, ...figures, memoryMib: { before, after }, findings: findings.length })}\n`,
      );
      for (const { operation, broken, count, example } of findings) {
        process.stdout.write(`\n${operation}: ${broken} (${count} times)\n  ${example}\n`);
      }
      expect(findings).toEqual([]);
      expect(loggedErrors()).toEqual([]);
      expect(after).toBeLessThan(700);
      await expectHealthy();
    },
  );
});
