import { afterAll, beforeAll, expect, test } from 'vitest';
import { Coverage } from '../../../../packages/conformance/src/coverage.ts';
import { checkConformance } from '../../../../packages/conformance/src/index.ts';
import { Probe } from '../../../../packages/conformance/src/probe.ts';
import { prettyReport } from '../../../../packages/conformance/src/reporters/pretty.ts';
import { newAccount } from '../../../../packages/conformance/src/accounts.ts';
import { startEmbedded } from './testing/embedded.ts';
import { startFaultyProxy, type Call } from './testing/faulty-proxy.ts';
import { makeWorld } from '../../../../packages/conformance/src/world.ts';

let embedded: Awaited<ReturnType<typeof startEmbedded>>;
beforeAll(async () => {
  embedded = await startEmbedded();
});
afterAll(() => embedded.close());

/** What the read-only profile sends for an account. */
async function reading(account: { email: string; password: string }) {
  const calls: Call[] = [];
  const proxy = await startFaultyProxy(
    { url: embedded.url, mailUrl: embedded.mailUrl },
    async (call, ask) => {
      calls.push(call);
      return ask(call);
    },
  );
  try {
    const report = await checkConformance({ profile: 'read-only', baseUrl: proxy.url, account });
    return { report, calls };
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

test('the read-only profile reads what the account has, and sends nothing but reads', async () => {
  const { owner } = await makeWorld(newProbe());
  const { report, calls } = await reading(owner);
  expect(report.hasPassed, prettyReport(report)).toBe(true);
  const others = calls.filter(({ method }) => method !== 'GET').map(({ operation }) => operation);
  expect(others).toEqual(['auth.login', 'auth.logout']);
  const passed = report.results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
  expect(passed).toEqual(
    expect.arrayContaining([
      'read.answers:assets.get',
      'read.answers:comments.list',
      'read.answers:timeline.list',
      'authentication.tampered:tasks.get',
      'list.cursor:timeline.mine',
    ]),
  );
  const reasons = new Set(report.results.map(({ reason }) => reason));
  expect(reasons).toEqual(
    new Set([
      null,
      'needs a second account',
      'needs an invitation of its own',
      'needs an upload under way',
    ]),
  );
});

test('an account that has nothing yet is no failure, and what it lacks is named', async () => {
  const account = await newAccount(newProbe(), 'empty');
  const { report } = await reading(account);
  expect(report.hasPassed, prettyReport(report)).toBe(true);
  const asset = report.results.find(({ id }) => id === 'read.answers:assets.get');
  expect([asset?.outcome, asset?.reason]).toEqual(['not-run', 'needs an asset']);
});

test('a password that is wrong fails the set-up and nothing else is tried', async () => {
  const { report, calls } = await reading({ email: 'nobody@example.com', password: 'not known' });
  expect(report.hasPassed).toBe(false);
  expect(report.results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([
    'set-up',
  ]);
  expect(calls.map(({ operation }) => operation)).toEqual(['health.live', 'auth.login']);
});
