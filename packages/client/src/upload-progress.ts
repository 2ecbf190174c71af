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
  let samples: [at: number, loaded: number][] = [];
  let wake: () => void;
  let changed: Promise<void>;
  let state: UploadState = {
    phase: 'initiating',
    loadedBytes: 0,
    totalBytes,
    bytesPerSecond: 0,
    secondsLeft: null,
  };
  const renew = () => {
    changed = new Promise((resolve) => {
      wake = resolve;
    });
  };
  renew();

  function update(phase: UploadPhase): void {
    const at = performance.now();
    let loaded = 0;
    for (const bytes of loadedByPart.values()) loaded += bytes;
    // Time that was spent paused doesn't count.
    if (phase !== state.phase) samples = [];
    samples = samples.filter(([then]) => at - then < windowMs);
    samples.push([at, loaded]);
    const [since, before] = samples[0] ?? [at, loaded];
    const bytesPerSecond = Math.max(0, (1000 * (loaded - before)) / (at - since || 1));
    state = {
      phase,
      loadedBytes: Math.min(loaded, totalBytes),
      totalBytes,
      bytesPerSecond,
      secondsLeft: bytesPerSecond ? (totalBytes - loaded) / bytesPerSecond : null,
    };
    wake();
    renew();
  }

  return {
    state: () => state,
    enter: update,
    /** Bytes of a part that are on their way or stored. */
    set(partNumber: number, bytes: number) {
      loadedByPart.set(partNumber, bytes);
      update(state.phase);
    },
    /** The state now, then each that follows, up to the last. */
    async *states(): AsyncGenerator<UploadState, void, undefined> {
      for (;;) {
        const next = changed;
        const current = state;
        yield current;
        if (/done|failed|aborted/.test(current.phase)) return;
        await next;
      }
    },
  };
}
