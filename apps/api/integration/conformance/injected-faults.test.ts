// @module-tag slow

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allChecks } from '../../../../packages/conformance/src/all-checks.ts';
import { Coverage } from '../../../../packages/conformance/src/coverage.ts';
import { Probe } from '../../../../packages/conformance/src/probe.ts';
import { createLists } from '../../../../packages/conformance/src/lists/testing/create-lists.ts';
import { runChecks } from '../../../../packages/conformance/src/run.ts';
import { startEmbedded } from './testing/embedded.ts';
import { noFault, startFaultyProxy, type Fault } from './testing/faulty-proxy.ts';
import { accessFaults } from './testing/injected/access.ts';
import { responseFaults } from './testing/injected/responses.ts';
import { inputFaults } from './testing/injected/inputs.ts';
import { sessionFaults } from './testing/injected/sessions.ts';
import { scenarioFaults } from './testing/injected/scenarios.ts';
import { createFixtures, type Fixtures } from '../../../../packages/conformance/src/fixtures.ts';

const faults = [
  ...responseFaults,
  ...accessFaults,
  ...inputFaults,
  ...sessionFaults,
  ...scenarioFaults,
];

// It takes seconds on an idle machine, but the whole suite runs in parallel.
const timeoutMs = 240_000;

let embedded: Awaited<ReturnType<typeof startEmbedded>>;
let fixtures: Fixtures;
beforeAll(async () => {
  embedded = await startEmbedded();
  const deployment = { baseUrl: embedded.url, mailApiUrl: embedded.mailUrl };
  const probe = new Probe({ deployment, coverage: new Coverage(), allowMissing: false });
  fixtures = await createFixtures(probe);
  await createLists(fixtures, probe);
}, timeoutMs);
afterAll(() => embedded.close());

/** Runs checks against a service with an injected fault. */
async function resultsWith(fault: Fault, ids: ReadonlySet<string>) {
  const proxy = await startFaultyProxy({ url: embedded.url, mailUrl: embedded.mailUrl }, fault);
  try {
    return await runChecks(
      allChecks.filter(({ id }) => ids.has(id)),
      {
        deployment: { baseUrl: proxy.url, mailApiUrl: proxy.url },
        coverage: new Coverage(),
        allowMissing: false,
        signIn: 'google',
        fixtures,
      },
    );
  } finally {
    await proxy.close();
  }
}

test(
  'a proxy without a fault passes every check that detects one',
  async () => {
    const ids = new Set(faults.map(({ check }) => check));
    const results = await resultsWith(noFault, ids);
    expect(new Set(results.map(({ id }) => id))).toEqual(ids);
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  },
  timeoutMs,
);

describe.concurrent('a service that', () => {
  test.for(faults)(
    '$bug is detected by $check as $rule',
    async ({ check, rule, fault }, { expect }) => {
      const [result] = await resultsWith(fault(fixtures), new Set([check]));
      expect(result?.id).toBe(check);
      expect(result?.outcome).toBe('failed');
      expect(result?.findings.map((finding) => finding.rule)).toContain(rule);
      // A finding that expects the status that it got is about something else, which it has to name.
      const statuses = (result?.findings ?? []).filter(
        ({ expected, actual }) =>
          /^(status )?\d{3}$/.test(expected) && actual.startsWith(`status ${expected.slice(-3)}`),
      );
      expect(statuses).toEqual([]);
    },
  );
});
