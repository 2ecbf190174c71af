export type UploadPhase =
  | 'initiating'
  | 'uploading'
  | 'paused'
  | 'completing'
  | 'done'
  | 'failed'
  | 'aborted';

/** Where an upload stands. */
export interface UploadState {
  readonly phase: UploadPhase;
  /** Goes back when a part is paused or has to be sent again. */
  readonly loadedBytes: number;
  readonly totalBytes: number;
  /** Over the last seconds. */
  readonly bytesPerSecond: number;
  /** null while there is nothing to reckon with. */
  readonly secondsLeft: number | null;
}

/** How far back the speed looks, in milliseconds. */
const windowMs = 5000;

export type Progress = ReturnType<typeof progressOf>;

/** Keeps count of an upload and tells its states. */
export function progressOf(totalBytes: number) {
  const loadedByPart = new Map<number, number>();
  let loadedBytes = 0;
  let samples: [at: number, loaded: number][] = [];
  let phase: UploadPhase = 'initiating';
  let state = reckon();
  let waiting: (() => void)[] = [];

  function reckon(): UploadState {
    const at = Date.now();
    samples = samples.filter(([then]) => at - then < windowMs);
    samples.push([at, loadedBytes]);
    const [since, before] = samples[0] ?? [at, loadedBytes];
    const bytesPerSecond = Math.max(0, (1000 * (loadedBytes - before)) / (at - since || 1));
    const secondsLeft = bytesPerSecond ? (totalBytes - loadedBytes) / bytesPerSecond : null;
    return { phase, loadedBytes, totalBytes, bytesPerSecond, secondsLeft };
  }

  function update(): void {
    state = reckon();
    for (const wake of waiting) wake();
    waiting = [];
  }

  return {
    state: () => state,
    enter(next: UploadPhase) {
      phase = next;
      // Time that was spent paused doesn't count.
      samples = [];
      update();
    },
    /** Bytes of a part that are on their way or stored. */
    set(partNumber: number, bytes: number) {
      loadedBytes += bytes - (loadedByPart.get(partNumber) ?? 0);
      loadedByPart.set(partNumber, bytes);
      update();
    },
    /** The state now, then each that follows, up to the last. */
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
