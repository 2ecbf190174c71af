import type { CheckResult, Finding } from '../findings.ts';
import type { ConformanceReport } from '../run.ts';

/**
 * Prints a JUnit report: a suite for each group of the contract, and one for coverage. A check is one test case with at
 * most one failure, so that every total is that of the report.
 */
export function junitReport(report: ConformanceReport): string {
  const { results, durationMs } = report;
  const groups = [...new Set(results.map(({ group }) => group))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance" ${numbersOf(results)} time="${seconds(durationMs)}">`,
    ...groups.map((group) =>
      suite(
        report,
        group,
        results.filter((result) => result.group === group),
      ),
    ),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(report: ConformanceReport, group: string, results: readonly CheckResult[]): string {
  return [
    `  <testsuite name="${escaped(group)}" ${numbersOf(results)}>`,
    ...results.map((result) => testCase(result, notesOn(report, result))),
    '  </testsuite>',
  ].join('\n');
}

function numbersOf(results: readonly CheckResult[]): string {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  return `tests="${results.length}" failures="${count('failed')}" errors="0" skipped="${count('not-run')}"`;
}

function testCase(
  { id, group, outcome, findings, reason, durationMs }: CheckResult,
  notes: readonly string[],
): string {
  const attributes = `classname="${escaped(group)}" name="${escaped(id)}" time="${seconds(durationMs)}"`;
  const inside = [
    ...(outcome === 'not-run' ? [`      <skipped message="${escaped(reason ?? '')}"/>`] : []),
    ...failure(findings),
    ...(notes.length > 0 ? [`      <system-out>${escaped(notes.join('\n'))}</system-out>`] : []),
  ];
  if (inside.length === 0) return `    <testcase ${attributes}/>`;
  return [`    <testcase ${attributes}>`, ...inside, '    </testcase>'].join('\n');
}

function failure(findings: readonly Finding[]): string[] {
  const [first] = findings;
  if (!first) return [];
  const others = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  const message = `expected ${first.expected}, actual ${first.actual}${others}`;
  const text = findings
    .map(
      ({ rule, operation, request, expected, actual }) =>
        `${rule}\noperation: ${operation ?? 'none'}\nrequest: ${request}\nexpected: ${expected}\nactual: ${actual}`,
    )
    .join('\n\n');
  return [
    `      <failure type="${escaped(first.rule)}" message="${escaped(message)}">${escaped(text)}</failure>`,
  ];
}

/** Statuses that were not seen, with the reasons. */
function notesOn({ coverage }: ConformanceReport, { group }: CheckResult): string[] {
  if (group !== 'coverage' || !coverage) return [];
  return [
    `${coverage.seen.length} declared statuses seen, ${coverage.waived.length} waived`,
    ...coverage.waived.map(
      ({ operation, status, waiver }) => `waived: ${operation} ${status}, ${waiver ?? ''}`,
    ),
  ];
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Escapes text for XML, which can't represent control characters and lone surrogates. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\n\u{20}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replaceAll(/[<>&"\n]/g, (character) => entities[character] ?? '');
}
