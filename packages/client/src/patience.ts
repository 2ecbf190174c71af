/** Repeats attempts that fail because of the network. */
export interface Patience {
  /** @throws what ends the attempts: the error, if there were enough of them */
  readonly afterFailure: (error: unknown) => Promise<void>;
  /** Something arrived: the next failure is the first again. */
  readonly reset: () => void;
}

const pausesMs = [500, 2000, 5000, 15_000];

/**
 * Waits longer after each failure, and for the network while the browser has none.
 *
 * @param isFinal - whether another attempt is pointless
 */
export function patience(
  isFinal: (error: unknown) => boolean,
  wait: (ms: number) => Promise<void>,
): Patience {
  let failures = 0;
  return {
    async afterFailure(error) {
      const pauseMs = pausesMs[failures];
      failures += 1;
      if (pauseMs === undefined || isFinal(error)) throw error;
      await wait(pauseMs);
    },
    reset() {
      failures = 0;
    },
  };
}
