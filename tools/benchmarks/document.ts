/**
 * Writes the last results into docs/reference/benchmark.md, and those of `pnpm bench:growth` into growth.md beside it. A test compares the figures of docs/performance.md, which
 * are chosen by hand, with that page.
 *
 *     pnpm bench:document
 *
 * Reads reports/bench.json, and reports/tooling.json, products.json and growth.json if they exist.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withMeasured, withResults, type Results } from './src/benchmark-page.ts';
import { growthPlot, growthTables, type Growth } from './src/growth-page.ts';

const repository = join(import.meta.dirname, '..', '..');
const reference = join(repository, 'docs', 'reference');
const page = join(reference, 'benchmark.md');

const bench = read('bench') as Results['bench'] | null;
const tooling = read('tooling') as Results['tooling'];
const products = read('products') as Results['products'];

if (bench === null) {
  console.error('There is no reports/bench.json. Measure first: pnpm bench');
  process.exitCode = 1;
} else {
  writeFileSync(page, withResults(readFileSync(page, 'utf8'), { bench, tooling, products }));
}

const growth = read('growth') as Growth | null;
if (growth !== null) {
  const growthPage = join(reference, 'growth.md');
  writeFileSync(growthPage, withMeasured(readFileSync(growthPage, 'utf8'), growthTables(growth)));
  writeFileSync(join(reference, 'growth.svg'), growthPlot(growth));
}

/** Reads what the command of that name left behind. */
function read(name: string): unknown {
  const file = join(repository, 'reports', `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
