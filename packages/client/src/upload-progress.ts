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

/** Keeps count of an upload and tells its states. */
export function progressOf(totalBytes: number) {
  const loadedByPart = new Map<number, number>();
  let samples: { at: number; loaded: number }[] = [];
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

  const isOver = () => ['done', 'failed', 'aborted'].includes(state.phase);

  function update(phase: UploadPhase): void {
    const at = performance.now();
    let loaded = 0;
    for (const bytes of loadedByPart.values()) loaded += bytes;
    // Time that was spent paused doesn't count.
    if (phase !== state.phase) samples = [];
    samples = [...samples.filter((sample) => at - sample.at < windowMs), { at, loaded }];
    const first = samples[0] ?? { at, loaded };
    const speed =
      at > first.at ? Math.max(0, (1000 * (loaded - first.loaded)) / (at - first.at)) : 0;
    state = {
      phase,
      loadedBytes: Math.min(loaded, totalBytes),
      totalBytes,
      bytesPerSecond: speed,
      secondsLeft: speed ? (totalBytes - loaded) / speed : null,
    };
    wake();
    renew();
  }

  return {
    get state() {
      return state;
    },
    isOver,
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
        if (['done', 'failed', 'aborted'].includes(current.phase)) return;
        await next;
      }
    },
  };
}
