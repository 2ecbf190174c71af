/**
 * Writes the last measurements into docs/reference/benchmark.md, between its marks; the rest of the page is by hand.
 * The figures of docs/performance.md are chosen from it by hand.
 *
 *     pnpm bench:document
 *
 * Reads reports/bench.json, and reports/tooling.json and reports/products.json where they are.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from './src/fact.ts';
import { markdownOf, type Report } from './src/report.ts';
import { verdictsOf, verdictTable } from './src/verdicts.ts';

const repository = join(import.meta.dirname, '..', '..');
const page = join(repository, 'docs', 'reference', 'benchmark.md');
const section = /(<!-- measured -->\n)[\s\S]*?(<!-- \/measured -->)/;

// The command of the same name writes each of them.
const bench = read('bench') as Report | null;
const tooling = read('tooling') as { readonly facts: readonly Fact[] } | null;
const products = read('products') as Report | null;
const text = readFileSync(page, 'utf8');

if (bench === null) fail('Measure first: pnpm bench');
else if (!section.test(text)) fail('docs/reference/benchmark.md has no <!-- measured --> to fill.');
else {
  const report = { ...bench, facts: [...bench.facts, ...(tooling?.facts ?? [])] };
  const lines = [...report.lines, ...(products?.lines ?? [])];
  const measured = [
    '## Targets',
    '',
    ...verdictTable(verdictsOf(lines, report.facts)),
    '',
    '## Measured',
    '',
    markdownOf(report),
    ...(products ? ['## Whole products', '', markdownOf(products)] : []),
  ].join('\n');
  writeFileSync(
    page,
    text.replace(section, (_, start: string, end: string) => `${start}\n${measured}\n${end}`),
  );
}

function read(name: string): unknown {
  const file = join(repository, 'reports', `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
