// @module-tag slow

import { expect, test } from 'vitest';
import { checkConformance } from '../../../../packages/conformance/src/index.ts';
import { prettyReport } from '../../../../packages/conformance/src/reporters/pretty.ts';
import { startEmbedded } from './testing/embedded.ts';

// It takes seconds on an idle machine, but the whole suite runs in parallel.
const timeoutMs = 300_000;

test(
  'the API on embedded services conforms to the contract',
  async () => {
    const embedded = await startEmbedded();
    try {
      const report = await checkConformance({
        baseUrl: embedded.url,
        mailApiUrl: embedded.mailUrl,
        signIn: 'google',
      });
      const notRun = report.results.filter(({ outcome }) => outcome === 'not-run');
      expect(notRun).toEqual([]);
      expect(report.hasPassed, prettyReport(report)).toBe(true);
    } finally {
      await embedded.close();
    }
  },
  timeoutMs,
);
