// @module-tag slow

import { operations } from '@atelier/contract';
import { expect, test } from 'vitest';
import { groupOf } from '../../../../packages/conformance/src/check.ts';
import { prettyReport } from '../../../../packages/conformance/src/reporters/pretty.ts';
import { runConformance, selectedChecks } from '../../../../packages/conformance/src/run.ts';
import { startEmbedded } from './testing/embedded.ts';

// It takes seconds on an idle machine, but the whole suite runs in parallel.
const timeoutMs = 300_000;

test(
  'the API on embedded services conforms to the contract, as a whole and group by group',
  async () => {
    const embedded = await startEmbedded();
    try {
      const { report, coverage } = await runConformance({
        baseUrl: embedded.url,
        mailApiUrl: embedded.mailUrl,
        signIn: 'google',
      });
      const notRun = report.results.filter(({ outcome }) => outcome === 'not-run');
      expect(notRun).toEqual([]);
      expect(report.hasPassed, prettyReport(report)).toBe(true);

      const unseen = [...new Set(operations.map(({ id }) => groupOf(id)))].flatMap((group) => {
        const selected = new Set([
          'set-up',
          ...selectedChecks({ only: [group] }).map(({ id }) => id),
        ]);
        return (report.coverage?.seen ?? [])
          .filter(({ operation }) => groupOf(operation) === group)
          .map((line) => ({ ...line, checks: [...coverage.checksOf(line)] }))
          .filter(({ checks }) => !checks.some((id) => selected.has(id)))
          .map(({ operation, status, checks }) => `${operation} ${status}: ${checks.join(', ')}`);
      });
      expect(unseen, 'add the group to "alsoShows" of one of the checks').toEqual([]);
    } finally {
      await embedded.close();
    }
  },
  timeoutMs,
);
