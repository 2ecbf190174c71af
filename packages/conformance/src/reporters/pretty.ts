import type { CoverageLine } from '../coverage.ts';
import type { CheckResult } from '../findings.ts';
import type { ConformanceReport } from '../run.ts';

/** Prints a report for people: failed checks, checks not run, waivers and totals. */
export function prettyReport(report: ConformanceReport): string {
  const failed = report.results.filter(({ outcome }) => outcome === 'failed');
  const notRun = report.results.filter(({ outcome }) => outcome === 'not-run');
  return [
    ...failed.flatMap(failureLines),
    ...grouped(notRun, ({ reason }) => reason ?? '').flatMap(([reason, checks]) => [
      `not run: ${reason}`,
      ...listed(checks.map(({ id }) => id)),
    ]),
    ...coverageLines(report),
    '',
    `${report.baseUrl}, profile ${report.profile}, seed ${report.seed}, ${seconds(report)} s`,
    totalsOf(report, failed.length, notRun.length),
  ].join('\n');
}

function failureLines({ id, title, findings }: CheckResult): string[] {
  return [
    `FAILED ${id}`,
    `  ${title}`,
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
    ...grouped(waived, ({ waiver }) => waiver ?? '').flatMap(([waiver, lines]) => [
      `waived: ${waiver}`,
      ...listed(lines.map(nameOf)),
    ]),
    '',
    `declared statuses: ${seen.length} seen, ${waived.length} waived, ${missing.length} missing`,
  ];
}

function nameOf({ operation, status }: CoverageLine): string {
  return `${operation} ${status}`;
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups];
}

const lineWidth = 100;

/** Joins names into lines of limited width. */
function listed(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length + 2 <= lineWidth) {
      lines[lines.length - 1] = `${last}, ${name}`;
    } else {
      lines.push(`  ${name}`);
    }
  }
  return lines;
}

function seconds({ durationMs }: ConformanceReport): string {
  return (durationMs / 1000).toFixed(1);
}

function totalsOf({ results }: ConformanceReport, failed: number, notRun: number): string {
  const passed = results.length - failed - notRun;
  return `${passed} passed, ${failed} failed, ${notRun} not run`;
}
