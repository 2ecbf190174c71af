/**
 * Writes the last results into docs/reference/benchmark.md. A test compares the figures of docs/performance.md, which
 * are chosen by hand, with that page.
 *
 *     pnpm bench:document
 *
 * Reads reports/bench.json, and reports/tooling.json and reports/products.json if they exist.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withResults, type Results } from './src/benchmark-page.ts';

const repository = join(import.meta.dirname, '..', '..');
const page = join(repository, 'docs', 'reference', 'benchmark.md');

const bench = read('bench') as Results['bench'] | null;
const tooling = read('tooling') as Results['tooling'];
const products = read('products') as Results['products'];

if (bench === null) {
  console.error('There is no reports/bench.json. Measure first: pnpm bench');
  process.exitCode = 1;
} else {
  writeFileSync(page, withResults(readFileSync(page, 'utf8'), { bench, tooling, products }));
}

/** Reads what the command of that name left behind. */
function read(name: string): unknown {
  const file = join(repository, 'reports', `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
