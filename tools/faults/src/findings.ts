/** Collects broken promises. */
export interface Findings {
  add(this: void, finding: string): void;
  /** Removes and returns the findings so far. */
  take(): string[];
}

export function createFindings(): Findings {
  let found: string[] = [];
  return {
    add: (finding) => void found.push(finding),
    take() {
      const taken = found;
      found = [];
      return taken;
    },
  };
}
