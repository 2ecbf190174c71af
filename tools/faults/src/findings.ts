/** What was not as promised. */
export interface Findings {
  add(this: void, finding: string): void;
  /** Those since the last call. */
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
