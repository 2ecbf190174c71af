import { afterAll, beforeAll } from 'vitest';
import type { Check } from '../../../../../packages/conformance/src/check.ts';
import { Coverage } from '../../../../../packages/conformance/src/coverage.ts';
import { createFixtures, type Fixtures } from '../../../../../packages/conformance/src/fixtures.ts';
import { createLists } from '../../../../../packages/conformance/src/lists/testing/create-lists.ts';
import { Probe } from '../../../../../packages/conformance/src/probe.ts';
import { runChecks } from '../../../../../packages/conformance/src/run.ts';
import { keepSignedIn } from '../../../../../packages/conformance/src/signed-in.ts';
import { startEmbedded } from './embedded.ts';
import { startFaultyProxy, type Fault } from './faulty-proxy.ts';

/** It takes seconds on an idle machine, but creating accounts waits for mails, and the whole suite runs in parallel. */
export const timeoutMs = 240_000;

/**
 * Starts the service for the tests of a file, with fixtures.
 * Starts a proxy with a fault in front of it for each call of `resultsWith`.
 */
export function setUpFaultyDeployment() {
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let fixtures: Fixtures;
  let currentFixtures: () => Promise<Fixtures>;
  beforeAll(async () => {
    embedded = await startEmbedded();
    const deployment = { baseUrl: embedded.url, mailApiUrl: embedded.mailUrl };
    const probe = new Probe({ deployment, coverage: new Coverage(), allowMissing: false });
    fixtures = await createFixtures(probe);
    const fixturesFor = keepSignedIn(fixtures);
    // Past the proxy, so that no fault changes the sign-ins.
    currentFixtures = () => fixturesFor(probe);
    await createLists(fixtures, probe);
  }, timeoutMs);
  afterAll(() => embedded.close());

  async function resultsWith(fault: Fault, checks: readonly Check[]) {
    const proxy = await startFaultyProxy({ url: embedded.url, mailUrl: embedded.mailUrl }, fault);
    try {
      return await runChecks(checks, {
        deployment: { baseUrl: proxy.url, mailApiUrl: proxy.url },
        coverage: new Coverage(),
        allowMissing: false,
        signIn: 'google',
        fixturesFor: currentFixtures,
      });
    } finally {
      await proxy.close();
    }
  }
  return { resultsWith, fixtures: () => fixtures };
}
