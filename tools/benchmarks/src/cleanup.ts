interface Running {
  stop(): unknown;
}

/** Everything that the run has started, in order. */
const tracked: { readonly starting: Promise<Running> }[] = [];
let hasEnded = false;
let stopping: Promise<void> | null = null;

/** On a signal, stops everything that is tracked and then exits. */
export function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      hasEnded = true;
      void stopAll().finally(() => process.exit(1));
    });
  }
}

/**
 * Waits for a start and stops what was started at the end of the run, even if that comes first.
 *
 * @throws Error if a signal has ended the run
 */
export async function track<Started extends Running>(
  starting: Started | Promise<Started>,
): Promise<Started> {
  tracked.push({ starting: Promise.resolve(starting) });
  const started = await starting;
  if (hasEnded) throw new Error('A signal ended the run.');
  return started;
}

/** Stops something before the end of the run. */
export async function release(started: Running): Promise<void> {
  for (const [index, { starting }] of tracked.entries()) {
    if ((await starting.catch(() => null)) !== started) continue;
    tracked.splice(index, 1);
    break;
  }
  await started.stop();
}

/** Stops everything in reverse order. A second call waits for the first. */
export function stopAll(): Promise<void> {
  stopping ??= stopEach();
  return stopping;
}

async function stopEach(): Promise<void> {
  for (let last = tracked.pop(); last; last = tracked.pop()) {
    try {
      const started = await last.starting.catch(() => null);
      await started?.stop();
    } catch (error) {
      console.error(error);
    }
  }
}
