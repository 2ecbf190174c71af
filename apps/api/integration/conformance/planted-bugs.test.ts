import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allChecks } from '../../../../packages/conformance/src/all-checks.ts';
import { Coverage } from '../../../../packages/conformance/src/coverage.ts';
import { Probe } from '../../../../packages/conformance/src/probe.ts';
import { runChecks } from '../../../../packages/conformance/src/run.ts';
import { startEmbedded } from './testing/embedded.ts';
import { noFault, startFaultyProxy, type Fault } from './testing/faulty-proxy.ts';
import { wrongAccess } from './testing/planted/access.ts';
import { wrongAnswers } from './testing/planted/answers.ts';
import { wrongReadings } from './testing/planted/inputs.ts';
import { wrongSessions } from './testing/planted/sessions.ts';
import { wrongThings } from './testing/planted/things.ts';
import { makeWorld, type World } from '../../../../packages/conformance/src/world.ts';

const bugs = [...wrongAnswers, ...wrongAccess, ...wrongReadings, ...wrongSessions, ...wrongThings];

let embedded: Awaited<ReturnType<typeof startEmbedded>>;
let world: World;
beforeAll(async () => {
  embedded = await startEmbedded();
  const deployment = { baseUrl: embedded.url, mailApiUrl: embedded.mailUrl };
  world = await makeWorld(new Probe({ deployment, coverage: new Coverage(), allowMissing: false }));
});
afterAll(() => embedded.close());

/** Runs checks against a service with a fault. */
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
        world,
      },
    );
  } finally {
    await proxy.close();
  }
}

test('a proxy without a fault passes every check that finds a bug', async () => {
  const ids = new Set(bugs.map(({ check }) => check));
  const results = await resultsWith(noFault, ids);
  expect(new Set(results.map(({ id }) => id))).toEqual(ids);
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
});

describe.concurrent('a service that', () => {
  test.for(bugs)('$bug is found by $check as $rule', async ({ check, rule, fault }, { expect }) => {
    const [result] = await resultsWith(fault(world), new Set([check]));
    expect(result?.id).toBe(check);
    expect(result?.outcome).toBe('failed');
    expect(result?.findings.map((finding) => finding.rule)).toContain(rule);
  });
});
