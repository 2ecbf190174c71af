import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Returns `N passed, N failed`, and `, N skipped` if any was. */
export function summaryLine({ passed, failed, skipped }: Readonly<Counts>): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Counts a finished run. Failures are not only tests, but everything that fails a run: a file that does not load, a
 * hook that throws, an uncaught error, a test that never ended.
 */
export function countResults(
  modules: readonly TestModule[],
  unhandledErrors: readonly unknown[],
): Counts {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const module of modules) {
    counts.failed += module.errors().length;
    // A module that fails without an error of its own contains it in a suite or a test.
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === 'pending' ? 'failed' : state] += 1;
    }
  }
  return counts;
}

/**
 * Prints the summary as the last line of a run, after other reporters, the global tear-down and warnings about open
 * handles.
 */
export default class SummaryReporter implements Reporter {
  #vitest: Vitest | null = null;
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 };

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    process.once('exit', (exitCode) => {
      const { failed } = this.#counts;
      // A run that fails for any reason has at least one failure.
      const counts = { ...this.#counts, failed: exitCode === 0 ? failed : Math.max(failed, 1) };
      process.stdout.write(`${summaryLine(counts)}\n`);
    });
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    this.#counts = countResults(modules, unhandledErrors);
    if (!this.#vitest || reason !== 'passed') return;
    // Imported late, because it loads the contract, which a run of a few tests does not need.
    const { checkStatusCoverage } = await import('./status-coverage.ts');
    const problems = await checkStatusCoverage(this.#vitest, modules);
    if (problems.length === 0) return;
    this.#counts.failed += problems.length;
    process.exitCode = 1;
    process.stdout.write(`\nDeclared statuses without a test:\n  ${problems.join('\n  ')}\n`);
  }
}
