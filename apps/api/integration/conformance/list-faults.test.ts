// @module-tag slow

import { afterAll, beforeAll, describe, test } from 'vitest';
import { Coverage } from '../../../../packages/conformance/src/coverage.ts';
import { createFixtures, type Fixtures } from '../../../../packages/conformance/src/fixtures.ts';
import { listChecks } from '../../../../packages/conformance/src/lists/checks.ts';
import { lists } from '../../../../packages/conformance/src/lists/fixtures.ts';
import { createLists } from '../../../../packages/conformance/src/lists/testing/create-lists.ts';
import { Probe } from '../../../../packages/conformance/src/probe.ts';
import { runChecks } from '../../../../packages/conformance/src/run.ts';
import { startEmbedded } from './testing/embedded.ts';
import { startFaultyProxy, type Fault } from './testing/faulty-proxy.ts';
import { listFaults } from './testing/injected/lists.ts';

// Creating accounts waits for mails, and the whole suite runs in parallel.
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

/** Runs a check of lists against a service with a fault. */
async function resultWith(fault: Fault, id: string) {
  const proxy = await startFaultyProxy({ url: embedded.url, mailUrl: embedded.mailUrl }, fault);
  try {
    const [result] = await runChecks(
      listChecks.filter((check) => check.id === id),
      {
        deployment: { baseUrl: proxy.url, mailApiUrl: proxy.url },
        coverage: new Coverage(),
        allowMissing: false,
        fixtures,
      },
    );
    return result;
  } finally {
    await proxy.close();
  }
}

// Each order, filter and page of each list has its own fault: a list of the contract that no check covers fails here.
describe.concurrent('a service whose', () => {
  test.for(lists)(
    '$id is wrong is detected, however it is wrong',
    async (operation, { expect }) => {
      for (const { bug, check, rules, fault } of listFaults(operation)) {
        const result = await resultWith(fault, check);
        const found = result?.findings.map(({ rule }) => rule) ?? [];
        expect(
          { bug, check: result?.id, isNamed: rules.some((rule) => found.includes(rule)), found },
          JSON.stringify(result?.findings.slice(0, 2)),
        ).toEqual({ bug, check, isNamed: true, found });
      }
    },
  );
});
