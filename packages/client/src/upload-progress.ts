export type UploadPhase =
  | 'initiating'
  | 'uploading'
  | 'paused'
  | 'completing'
  | 'done'
  | 'failed'
  | 'aborted';

/** The state of an upload. */
export interface UploadState {
  readonly phase: UploadPhase;
  /** Decreases when a part is paused or sent again. */
  readonly loadedBytes: number;
  readonly totalBytes: number;
  /** Over the last seconds. */
  readonly bytesPerSecond: number;
  /** null while the speed is unknown. */
  readonly secondsLeft: number | null;
}

/** Window of the average speed, in milliseconds. */
const windowMs = 5000;

export type Progress = ReturnType<typeof progressOf>;

/** Tracks the progress of an upload. */
export function progressOf(totalBytes: number) {
  const loadedByPart = new Map<number, number>();
  let loadedBytes = 0;
  let samples: [at: number, loaded: number][] = [];
  let phase: UploadPhase = 'initiating';
  let state = measure();
  let waiting: (() => void)[] = [];

  function measure(): UploadState {
    const at = performance.now();
    samples = [...samples.filter(([then]) => at - then < windowMs), [at, loadedBytes]];
    const [since, before] = samples[0] ?? [at, loadedBytes];
    const bytesPerSecond = Math.max(0, (1000 * (loadedBytes - before)) / (at - since || 1));
    const secondsLeft = bytesPerSecond ? (totalBytes - loadedBytes) / bytesPerSecond : null;
    return { phase, loadedBytes, totalBytes, bytesPerSecond, secondsLeft };
  }

  function update(): void {
    state = measure();
    for (const wake of waiting) wake();
    waiting = [];
  }

  return {
    state: () => state,
    enter(next: UploadPhase) {
      phase = next;
      // Paused time doesn't count.
      samples = [];
      update();
    },
    /** Sets the sent or stored bytes of a part. */
    set(partNumber: number, bytes: number) {
      loadedBytes += bytes - (loadedByPart.get(partNumber) ?? 0);
      loadedByPart.set(partNumber, bytes);
      update();
    },
    /** Iterates over the states from the current to the last. */
    async *states(): AsyncGenerator<UploadState, void, undefined> {
      for (;;) {
        const current = state;
        yield current;
        if (/done|failed|aborted/.test(current.phase)) return;
        if (current === state) await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}
