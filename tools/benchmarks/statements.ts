/**
 * Lists the statements that a test run sends, with calls, mean times of planning and execution, and rows of each.
 *
 *     pnpm bench:statements [--project conformance] [file...]
 *
 * Passes its arguments to vitest; by default, runs the test of the conformance kit.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

interface Counted {
  readonly calls: number;
  /** Of execution. */
  readonly meanMs: number;
  /** For each call: plans that are kept take none. */
  readonly planningMs: number;
  readonly totalMs: number;
  readonly rows: number;
  readonly query: string;
}

const shown = 40;
const given = process.argv.slice(2);
const selection = given.length > 0 ? given : ['--project', 'conformance'];
const directory = mkdtempSync(join(tmpdir(), 'atelier-statements-'));
const file = join(directory, 'statements.jsonl');
const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  const { status } = spawnSync(
    'pnpm',
    ['exec', 'vitest', 'run', '--config', 'vitest.workspace.ts', ...selection],
    {
      cwd: join(import.meta.dirname, '..', '..'),
      stdio: 'inherit',
      env: { ...process.env, STATEMENT_COUNTS: file },
    },
  );
  const counted = readFileSync(file, 'utf8').trimEnd().split('\n');
  // Written by the global set-up of the tests.
  report(counted.map((line) => JSON.parse(line) as Counted));
  process.exitCode = status ?? 1;
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function report(counted: readonly Counted[]): void {
  const own = counted.filter(({ query }) =>
    /^\W*(?:select|with|insert|update|delete)/i.test(query),
  );
  const sum = (of: (one: Counted) => number) => own.reduce((total, one) => total + of(one), 0);
  print(
    `\n${own.length} statements, ${sum(({ calls }) => calls)} calls, ` +
      `${(sum(({ totalMs }) => totalMs) / 1000).toFixed(1)} s in the database; the ${shown} costliest:\n`,
  );
  print(
    '| calls | planning ms | mean ms | rows per call | statement |\n| ---: | ---: | ---: | ---: | :--- |',
  );
  for (const { calls, planningMs, meanMs, rows, query } of own.slice(0, shown)) {
    print(
      `| ${calls} | ${planningMs.toFixed(3)} | ${meanMs.toFixed(3)} | ${(rows / calls).toFixed(1)} | \`${oneLine(query)}\` |`,
    );
  }
}

function oneLine(query: string): string {
  const text = query.replaceAll(/\s+/g, ' ').replaceAll('"', '').replaceAll('|', '\\|').trim();
  return text.length > 160 ? `${text.slice(0, 60)} … ${text.slice(-98)}` : text;
}
