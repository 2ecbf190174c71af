import type { Fact } from './fact.ts';
import { markdownOf, type Report } from './report.ts';
import { factVerdicts, verdictTable } from './verdicts.ts';

/** The last results; null for commands that didn't run. */
export interface Results {
  readonly bench: Report;
  readonly tooling: { readonly facts: readonly Fact[] } | null;
  readonly products: Report | null;
}

const section = /(<!-- measured -->\n)[\s\S]*?(<!-- \/measured -->)/;

/**
 * Replaces the measured part of the benchmark report, between its marks.
 *
 * @throws Error if the page lacks the marks
 */
export function withResults(page: string, { bench, tooling, products }: Results): string {
  const report = { ...bench, facts: [...bench.facts, ...(tooling?.facts ?? [])] };
  const verdicts = [
    ...bench.verdicts,
    ...(products?.verdicts ?? []),
    ...factVerdicts(report.facts),
  ].toSorted((one, other) => one.id.localeCompare(other.id));
  const measured = [
    '## Targets',
    '',
    ...verdictTable(verdicts),
    '',
    '## Measured',
    '',
    markdownOf(report),
    ...(products ? ['## Whole products', '', markdownOf(products)] : []),
  ].join('\n');
  return withMeasured(page, measured);
}

/**
 * Replaces the measured part of a page, between its marks.
 *
 * @throws Error if the page lacks the marks
 */
export function withMeasured(page: string, measured: string): string {
  if (!section.test(page)) throw new Error('The page has no <!-- measured --> to fill.');
  return page.replace(section, (_, start: string, end: string) => `${start}\n${measured}\n${end}`);
}
