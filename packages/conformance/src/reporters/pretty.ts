import type { CheckResult } from '../findings.ts';
import type { ConformanceReport } from '../run.ts';

/** A report for people: what failed, what was not run, what was waived, and the sum. */
export function prettyReport(report: ConformanceReport): string {
  const failed = report.results.filter(({ outcome }) => outcome === 'failed');
  const notRun = report.results.filter(({ outcome }) => outcome === 'not-run');
  return [
    ...failed.flatMap(failureLines),
    ...notRun.map(({ id, reason }) => `not run  ${id}: ${reason}`),
    ...coverageLines(report),
    '',
    `${report.baseUrl}, seed ${report.seed}, ${(report.durationMs / 1000).toFixed(1)} s`,
    sumOf(report, failed.length, notRun.length),
  ].join('\n');
}

function failureLines({ id, title, findings }: CheckResult): string[] {
  return [
    `FAILED   ${id}`,
    `         ${title}`,
    ...findings.flatMap(({ rule, operation, request, expected, actual }) => [
      `  ${rule}${operation === null ? '' : ` (${operation})`}`,
      `    request   ${request}`,
      `    expected  ${expected}`,
      `    actual    ${actual}`,
    ]),
    '',
  ];
}

function coverageLines({ coverage }: ConformanceReport): string[] {
  if (!coverage) return [];
  const { seen, waived, missing } = coverage;
  return [
    '',
    `Declared statuses: ${seen.length} seen, ${waived.length} waived, ${missing.length} missing`,
    ...waived.map(({ operation, status, waiver }) => `waived   ${operation} ${status}: ${waiver}`),
    ...missing.map(({ operation, status }) => `MISSING  ${operation} ${status}`),
  ];
}

function sumOf({ results }: ConformanceReport, failed: number, notRun: number): string {
  const passed = results.length - failed - notRun;
  return `${passed} passed, ${failed} failed, ${notRun} not run`;
}
