/** What a run has started and has to end. */
export interface Cleanup {
  /** Adds what ends a part; calls it at once if the run has ended. */
  add(end: () => Promise<unknown>): void;
  /** Ends all parts, the last one first, even if some of them fail. Later calls wait for the first one. */
  run(): Promise<void>;
}

export function createCleanup(): Cleanup {
  const ends: (() => Promise<unknown>)[] = [];
  let ending: Promise<void> | null = null;

  async function endOne(end: () => Promise<unknown>): Promise<void> {
    await end().catch((error: unknown) => console.error(error));
  }

  async function endAll(): Promise<void> {
    for (let end = ends.pop(); end; end = ends.pop()) await endOne(end);
  }

  return {
    add(end) {
      if (ending) ending = ending.then(() => endOne(end));
      else ends.push(end);
    },
    run: () => (ending ??= endAll()),
  };
}
