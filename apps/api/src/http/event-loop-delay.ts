import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the delay is taken, in milliseconds. */
const sampleEveryMs = 500;
const resolutionMs = 10;

export interface EventLoopDelay {
  /** The lower of the last two means, in milliseconds: one long turn is no pressure, a row of them is. */
  sustainedMs(): number;
  stop(): void;
}

/** Watches how late the event loop is. Does not keep the process alive. */
export function watchEventLoopDelay(): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  let [last, previous] = [0, 0];
  const timer = setInterval(() => {
    // Without a sample there is nothing to say, such as after the machine slept.
    const meanMs = histogram.count === 0 ? 0 : histogram.mean / 1e6 - resolutionMs;
    [last, previous] = [Math.max(0, meanMs), last];
    histogram.reset();
  }, sampleEveryMs).unref();
  histogram.enable();
  return {
    sustainedMs: () => Math.min(last, previous),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
