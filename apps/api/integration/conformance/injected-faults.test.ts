// @module-tag slow

import { describe, expect, test } from 'vitest';
import { allChecks } from '../../../../packages/conformance/src/all-checks.ts';
import { limiting } from './testing/fault-builders.ts';
import { setUpFaultyDeployment, timeoutMs } from './testing/faulty-deployment.ts';
import { noFault, type Fault } from './testing/faulty-proxy.ts';
import { accessFaults } from './testing/injected/access.ts';
import { approvalFaults } from './testing/injected/approvals.ts';
import { responseFaults } from './testing/injected/responses.ts';
import { inputFaults } from './testing/injected/inputs.ts';
import { sessionFaults } from './testing/injected/sessions.ts';
import { scenarioFaults } from './testing/injected/scenarios.ts';

const faults = [
  ...responseFaults,
  ...accessFaults,
  ...approvalFaults,
  ...inputFaults,
  ...sessionFaults,
  ...scenarioFaults,
];

const deployment = setUpFaultyDeployment();

/** Runs checks against a service with an injected fault. */
function resultsWith(fault: Fault, ids: ReadonlySet<string>) {
  const checks = allChecks.filter(({ id }) => ids.has(id));
  return deployment.resultsWith(fault, checks);
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

test(
  'a limited refresh is no finding of the checks that lose its response',
  async () => {
    const ids = new Set(['session.lost-response', 'session.lost-response-replay']);
    const results = await resultsWith(limiting('auth.refresh'), ids);
    expect(results.map(({ outcome }) => outcome)).toEqual(['not-run', 'not-run']);
    const reason = 'a rate limit refuses the refresh whose response is lost';
    expect(results.map((result) => result.reason)).toEqual([reason, reason]);
  },
  timeoutMs,
);

describe.concurrent('a service that', () => {
  test.for(faults)(
    '$bug is detected by $check as $rule',
    async ({ check, rule, fault }, { expect }) => {
      const [result] = await resultsWith(fault(deployment.fixtures()), new Set([check]));
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
