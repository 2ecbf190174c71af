// @module-tag slow

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Coverage } from '../../../../packages/conformance/src/coverage.ts';
import { checkConformance } from '../../../../packages/conformance/src/index.ts';
import { Probe } from '../../../../packages/conformance/src/probe.ts';
import { prettyReport } from '../../../../packages/conformance/src/reporters/pretty.ts';
import { newAccount } from '../../../../packages/conformance/src/accounts.ts';
import { startEmbedded } from './testing/embedded.ts';
import {
  changingData,
  changingResponse,
  errorInstead,
  limiting,
  type Json,
} from './testing/fault-builders.ts';
import {
  noFault,
  startFaultyProxy,
  type Fault,
  type ProxiedRequest,
} from './testing/faulty-proxy.ts';
import { findFixtures } from '../../../../packages/conformance/src/existing-fixtures.ts';
import { keepRefreshed } from '../../../../packages/conformance/src/refreshed.ts';
import { createFixtures } from '../../../../packages/conformance/src/fixtures.ts';

let embedded: Awaited<ReturnType<typeof startEmbedded>>;
beforeAll(async () => {
  embedded = await startEmbedded();
});
afterAll(() => embedded.close());

/** Runs the read-only profile for an account and records its requests. */
async function runReadOnly(account: { email: string; password: string }, fault: Fault = noFault) {
  const requests: ProxiedRequest[] = [];
  const proxy = await startFaultyProxy(
    { url: embedded.url, mailUrl: embedded.mailUrl },
    async (request, forward) => {
      requests.push(request);
      return fault(request, forward);
    },
  );
  try {
    const report = await checkConformance({ profile: 'read-only', baseUrl: proxy.url, account });
    return { report, requests };
  } finally {
    await proxy.close();
  }
}

const newProbe = () =>
  new Probe({
    deployment: { baseUrl: embedded.url, mailApiUrl: embedded.mailUrl },
    coverage: new Coverage(),
    allowMissing: false,
  });

test('the read-only profile reads the resources of the account and changes nothing', async () => {
  const { owner } = await createFixtures(newProbe());
  const { report, requests } = await runReadOnly(owner);
  expect(report.hasPassed, prettyReport(report)).toBe(true);
  const others = requests
    .filter(({ method }) => method !== 'GET')
    .map(({ operation }) => operation);
  expect(others).toEqual(['auth.login', 'auth.logout']);
  const passed = report.results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
  expect(passed).toEqual(
    expect.arrayContaining([
      'read.responds:assets.get',
      'read.responds:comments.list',
      'read.responds:timeline.list',
      'authentication.tampered:tasks.get',
      'list.cursor:timeline.mine',
      'list.sort:tasks.list:-dueDate',
      'list.filter:timeline.mine:action',
    ]),
  );
  const reasons = new Set(report.results.map(({ reason }) => reason));
  expect(reasons).toEqual(
    new Set([
      null,
      'needs a second account',
      'needs a share of its own',
      'needs an API key of its own',
      'needs an invitation of its own',
      'needs an upload in progress',
      'needs the fixtures of the full profile',
    ]),
  );
});

test('an account without resources passes, and the report names what is missing', async () => {
  const account = await newAccount(newProbe(), 'empty');
  const { report } = await runReadOnly(account);
  expect(report.hasPassed, prettyReport(report)).toBe(true);
  const asset = report.results.find(({ id }) => id === 'read.responds:assets.get');
  expect([asset?.outcome, asset?.reason]).toEqual(['not-run', 'needs an asset']);
});

test('a long run keeps one session, whose newest refresh token signs out', async () => {
  const probe = newProbe();
  const fixtures = await findFixtures(probe, await newAccount(probe, 'long'));
  const clock = { ms: Date.now() };
  const fixturesFor = keepRefreshed(fixtures, { now: () => clock.ms });
  const sessionsBefore = await probe.succeed('sessions.list', { token: fixtures.owner.token });
  const { refreshToken: first } = fixtures.owner;
  for (let renewal = 1; renewal <= 2; renewal += 1) {
    clock.ms += 6 * 60_000;
    const { token } = (await fixturesFor(probe)).owner;
    const { items } = await probe.succeed('sessions.list', { token });
    expect(items).toHaveLength(sessionsBefore.items.length);
  }
  const { refreshToken, token } = fixtures.owner;
  expect(refreshToken).not.toBe(first);
  await probe.succeed('auth.logout', { body: { refreshToken } });
  expect((await probe.request('auth.user', { token })).status).toBe(401);
  expect(probe.findings).toEqual([]);
});

test('a wrong password fails the set-up and sends nothing else', async () => {
  const { report, requests } = await runReadOnly({
    email: 'unknown@example.com',
    password: 'not" known',
  });
  expect(report.hasPassed).toBe(false);
  expect(report.results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([
    'set-up',
  ]);
  expect(requests.map(({ operation }) => operation)).toEqual(['health.live', 'auth.login']);
  expect(prettyReport(report)).toContain('"password":"…"}');
  expect(JSON.stringify(report)).not.toContain('known\\"');
});

test('a team that demands a second factor, which the account lacks, is not read', async () => {
  const { owner } = await createFixtures(newProbe());
  const demanding = changingData('organizations.list', (data) => ({
    ...data,
    items: (data['items'] as Json[]).map((item) =>
      item['type'] === 'TEAM'
        ? { ...item, secondFactorRequiredFrom: '2026-01-02T03:04:05.678Z' }
        : item,
    ),
  }));
  const { report, requests } = await runReadOnly(owner, demanding);
  expect(report.hasPassed, prettyReport(report)).toBe(true);
  const members = report.results.find(({ id }) => id === 'read.responds:organizations.listMembers');
  expect(members?.reason).toBe('needs a team that the account administers');
  expect(requests.map(({ operation }) => operation)).not.toContain('organizations.listMembers');
});

test('a set-up that fails after the sign-in signs out', async () => {
  const account = await newAccount(newProbe(), 'failing');
  const failing = changingResponse('tasks.list', (response) =>
    errorInstead(response, 'internal_error'),
  );
  const { report, requests } = await runReadOnly(account, failing);
  expect(report.results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([
    'set-up',
  ]);
  const mutations = requests.filter(({ method }) => method !== 'GET');
  expect(mutations.map(({ operation }) => operation)).toEqual(['auth.login', 'auth.logout']);
});

test('a sign-in that is limited fails the set-up, with the reason', async () => {
  const account = { email: 'limited@example.com', password: 'limited' };
  const { report, requests } = await runReadOnly(account, limiting('auth.login'));
  const [setUp, ...others] = report.results;
  expect(setUp?.outcome).toBe('failed');
  expect(setUp?.findings.map(({ rule }) => rule)).toEqual(['set-up.completes']);
  expect(setUp?.findings[0]?.actual).toContain('a rate limit asks to wait 3600');
  expect(new Set(others.map(({ outcome }) => outcome))).toEqual(new Set(['not-run']));
  expect(report.hasPassed).toBe(false);
  expect(requests.map(({ operation }) => operation)).toEqual(['health.live', 'auth.login']);
});
