import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** `N passed, N failed`, and `, N skipped` when any was. */
export function summaryLine({ passed, failed, skipped }: Readonly<Counts>): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * Counts a finished run. Whatever makes a run fail is counted, not only tests: a file that does not
 * load, a hook that throws, an error that nobody caught, a test that never ran to its end.
 */
export function countResults(
  modules: readonly TestModule[],
  unhandledErrors: readonly unknown[],
): Counts {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const module of modules) {
    counts.failed += module.errors().length;
    // A module that fails without an error of its own holds the failure in a suite or a test.
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      counts[state === 'pending' ? 'failed' : state] += 1;
    }
  }
  return counts;
}

/**
 * Prints the summary as the very last line of a run, when everything else has been said: other
 * reporters, the global tear-down, a complaint about an open handle.
 */
export default class SummaryReporter implements Reporter {
  #vitest: Vitest | null = null;
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 };

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    process.once('exit', (exitCode) => {
      const { failed } = this.#counts;
      // Never a green line for a red run, whatever made it red.
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
    // Loads the contract, which a run of a few tests does not need.
    const { checkStatusCoverage } = await import('./status-coverage.ts');
    const problems = await checkStatusCoverage(this.#vitest, modules);
    if (problems.length === 0) return;
    this.#counts.failed += problems.length;
    process.exitCode = 1;
    process.stdout.write(
      `\nStatuses that are declared and untested:\n  ${problems.join('\n  ')}\n`,
    );
  }
}
