import { expect, test } from 'vitest';
import type { CheckResult, Finding } from '../findings.ts';
import type { ConformanceReport } from '../run.ts';
import { junitReport } from './junit.ts';
import { prettyReport } from './pretty.ts';

const finding: Finding = {
  rule: 'task.life',
  operation: 'tasks.get',
  request: 'GET /api/tasks/1',
  expected: 'title "One"',
  actual: 'title "Two"',
};

function resultOf(changes: Partial<CheckResult>): CheckResult {
  return {
    id: 'task.life',
    group: 'tasks',
    title: 'a task lives',
    outcome: 'passed',
    findings: [],
    reason: null,
    durationMs: 5,
    ...changes,
  };
}

const report: ConformanceReport = {
  baseUrl: 'http://localhost:3000',
  profile: 'full',
  seed: 1,
  results: [
    resultOf({}),
    resultOf({ outcome: 'failed', findings: [finding, finding] }),
    resultOf({ group: 'labels', outcome: 'not-run', reason: 'needs <more>' }),
    resultOf({ id: 'coverage', group: 'coverage' }),
  ],
  coverage: {
    seen: [{ operation: 'tasks.get', status: 200, waiver: null }],
    waived: [{ operation: 'tasks.get', status: 500, waiver: 'needs a defect' }],
    missing: [],
  },
  hasPassed: false,
  durationMs: 1500,
};

test('the totals are those of the summary, whatever counts them', () => {
  const xml = junitReport(report);
  expect(prettyReport(report)).toContain('2 passed, 1 failed, 1 not run');
  expect(xml).toContain(
    '<testsuites name="conformance" tests="4" failures="1" errors="0" skipped="1" time="1.500">',
  );
  const count = (pattern: RegExp) => xml.match(pattern)?.length ?? 0;
  expect([count(/<testcase /g), count(/<failure /g), count(/<skipped /g)]).toEqual([4, 1, 1]);
  const ofSuites = [...xml.matchAll(/<testsuite name="\w+" tests="(\d+)"/g)].map(([, n]) => n);
  expect(ofSuites).toEqual(['2', '1', '1']);
});

test('a failure names the field with both values, and waived statuses stay readable', () => {
  const xml = junitReport(report);
  expect(xml).toContain(
    'message="expected title &quot;One&quot;, actual title &quot;Two&quot; (and 1 more)"',
  );
  expect(xml).toContain('waived: tasks.get 500, needs a defect');
});
