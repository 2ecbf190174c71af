/** Prints the result of each check and counts them. */
export interface Report {
  readonly count: { passed: number; failed: number };
  /** Records a check; it has passed if there are no findings. */
  record(what: string, findings: readonly string[]): void;
  /** Prints the sum as the last line. @returns the exit code */
  conclude(): number;
}

/** @param name - begins the last line */
export function createReport(name: string): Report {
  const count = { passed: 0, failed: 0 };
  return {
    count,
    record(what, findings) {
      const isGood = findings.length === 0;
      console.log(`${isGood ? 'ok  ' : 'FAIL'} ${what}`);
      for (const finding of findings.slice(0, 60)) console.log(`       ${finding}`);
      count[isGood ? 'passed' : 'failed'] += 1;
    },
    conclude() {
      console.log(`${name}: ${count.passed} passed, ${count.failed} failed`);
      return count.failed === 0 ? 0 : 1;
    },
  };
}
