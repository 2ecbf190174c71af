import type { CheckResult, Finding } from '../findings.ts';
import type { ConformanceReport } from '../run.ts';

/** Prints a JUnit report: a suite for each group of the contract, and one for coverage. */
export function junitReport(report: ConformanceReport): string {
  const groups = [...new Set(report.results.map(({ group }) => group))];
  const suites = groups.map((group) =>
    suite(
      group,
      report.results.filter((result) => result.group === group),
    ),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="conformance">',
    ...suites,
    ...coverageSuite(report),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(group: string, results: readonly CheckResult[]): string {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  const numbers = `tests="${results.length}" failures="${count('failed')}" skipped="${count('not-run')}"`;
  return [
    `  <testsuite name="${escaped(group)}" ${numbers}>`,
    ...results.map(testCase),
    '  </testsuite>',
  ].join('\n');
}

function testCase({ id, group, outcome, findings, reason, durationMs }: CheckResult): string {
  const attributes = `classname="${escaped(group)}" name="${escaped(id)}" time="${(durationMs / 1000).toFixed(3)}"`;
  if (outcome === 'passed') return `    <testcase ${attributes}/>`;
  const inside =
    outcome === 'not-run'
      ? [`      <skipped message="${escaped(reason ?? '')}"/>`]
      : findings.map(failure);
  return [`    <testcase ${attributes}>`, ...inside, '    </testcase>'].join('\n');
}

function failure({ rule, operation, request, expected, actual }: Finding): string {
  const text = `operation: ${operation ?? 'none'}\nrequest: ${request}\nexpected: ${expected}\nactual: ${actual}`;
  return `      <failure type="${escaped(rule)}" message="${escaped(`expected ${expected}`)}">${escaped(text)}</failure>`;
}

function coverageSuite({ coverage }: ConformanceReport): string[] {
  if (!coverage) return [];
  const { seen, waived, missing } = coverage;
  const caseOf = (operation: string, status: number) =>
    `    <testcase classname="coverage" name="${operation} ${status}"`;
  return [
    `  <testsuite name="coverage" tests="${seen.length + waived.length + missing.length}" failures="${missing.length}" skipped="${waived.length}">`,
    ...seen.map(({ operation, status }) => `${caseOf(operation, status)}/>`),
    ...waived.map(
      ({ operation, status, waiver }) =>
        `${caseOf(operation, status)}><skipped message="${escaped(waiver ?? '')}"/></testcase>`,
    ),
    ...missing.map(
      ({ operation, status }) =>
        `${caseOf(operation, status)}><failure type="coverage.missing" message="declared, but never returned"/></testcase>`,
    ),
    '  </testsuite>',
  ];
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
