/** Prints what was looked at, and counts it. */
export interface Telling {
  readonly count: { passed: number; failed: number };
  /** A line of its own, and what was found, which should be nothing. */
  tell(what: string, findings: readonly string[]): void;
  /** The sum as the last line. @returns the exit code */
  conclude(): number;
}

/** @param name - begins the last line */
export function createTelling(name: string): Telling {
  const count = { passed: 0, failed: 0 };
  return {
    count,
    tell(what, findings) {
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
