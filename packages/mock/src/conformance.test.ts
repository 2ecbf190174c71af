// @module-tag slow

import { checkConformance, type CheckResult } from '@atelier/conformance';
import { operations } from '@atelier/contract';
import { expect, test } from 'vitest';
import { startMock } from './index.ts';

/** What the mock can't show, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'sign-in.exchange-once': 'a whole sign-in needs a provider',
  'sign-in.verifier': 'a whole sign-in needs a provider',
  'sign-in.disconnected': 'a whole sign-in needs a provider',
  'second-factor.sign-in': 'a whole sign-in needs a provider',
  'webhook.received': 'the mock sends no messages',
};

/** What the mock lets through, with the reason. */
const letThrough: Readonly<Record<string, string>> = {
  'passkeys.signatures': 'the mock has no cryptography',
};

/**
 * The groups that have been tried against the mock. Another one follows its contract alone; what its own scenarios
 * expect beyond that is printed, and doesn't fail here.
 */
const triedGroups = new Set(
  'account apiKeys approvals assets auth collections comments dashboard events health labels notifications organizations plans profile projects search security serviceAccounts sessions shares tasks timeline uploads webhooks set-up'.split(
    ' ',
  ),
);

test('the mock passes every check of the conformance kit', async () => {
  await using mock = await startMock({ unknownTokens: 'none' });
  const { results } = await checkConformance({ baseUrl: mock.url, mailApiUrl: mock.url });
  const tried = results.filter(({ group }) => triedGroups.has(group) || isOfNoGroup(group));
  const others = results.filter((result) => !tried.includes(result));
  for (const { id } of others.filter(({ outcome }) => outcome === 'failed')) {
    console.log(`not judged: ${id}: its group follows the contract alone`);
  }
  const strict = tried.filter(({ id }) => letThrough[id] === undefined);
  expect(strict.flatMap(describeFindings)).toEqual([]);
  expect(tried.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : []))).toEqual(
    Object.keys(letThrough),
  );
  const notRun = tried.filter(({ outcome }) => outcome === 'not-run');
  expect(Object.fromEntries(notRun.map(({ id, reason }) => [id, reason]))).toEqual(
    Object.fromEntries(Object.keys(leftOut).map((id) => [id, expect.any(String)])),
  );
  for (const [id, reason] of Object.entries({ ...leftOut, ...letThrough }))
    console.log(`left out: ${id}: ${reason}`);
  expect(tried.filter(({ id }) => id.startsWith('list.')).length).toBeGreaterThan(200);
  // It takes ten seconds on an idle machine, but the whole suite runs in parallel.
}, 300_000);

/** Such as `routes`; the coverage of new groups is not judged. */
function isOfNoGroup(group: string): boolean {
  return group !== 'coverage' && !operations.some(({ id }) => id.startsWith(`${group}.`));
}

function describeFindings({ id, findings }: CheckResult): string[] {
  return findings.map(({ rule, request, expected, actual }) =>
    [id, rule, request, expected, actual].join(' | '),
  );
}
