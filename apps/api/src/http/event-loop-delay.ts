import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Sampling interval, in milliseconds. */
const sampleIntervalMs = 500;
const resolutionMs = 10;

export interface EventLoopDelay {
  /** The lower of the last two means, in milliseconds: one long turn is no overload, several in a row are. */
  sustainedMs(): number;
  stop(): void;
}

/** Measures the delay of the event loop. Does not keep the process alive. */
export function watchEventLoopDelay(): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  let [last, previous] = [0, 0];
  const timer = setInterval(() => {
    // No sample, no mean: for example after the machine slept.
    const meanMs = histogram.count === 0 ? 0 : histogram.mean / 1e6 - resolutionMs;
    [last, previous] = [Math.max(0, meanMs), last];
    histogram.reset();
  }, sampleIntervalMs).unref();
  histogram.enable();
  return {
    sustainedMs: () => Math.min(last, previous),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
