interface Running {
  stop(): unknown;
}

/** What a run has started, in that order. */
const held: { readonly starting: Promise<Running> }[] = [];
let isOver = false;
let ending: Promise<void> | null = null;

/** Ends everything that is held, and then the process, when it is told to end. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      isOver = true;
      void endAll().finally(() => process.exit(1));
    });
  }
}

/**
 * Waits for what is being started. It is stopped in the end, also when that comes before it has started.
 *
 * @throws Error when the end has come
 */
export async function hold<Started extends Running>(
  starting: Started | Promise<Started>,
): Promise<Started> {
  held.push({ starting: Promise.resolve(starting) });
  const started = await starting;
  if (isOver) throw new Error('It was told to end.');
  return started;
}

/** Stops something that is held before the end comes. */
export async function letGo(started: Running): Promise<void> {
  for (const [index, { starting }] of held.entries()) {
    if ((await starting.catch(() => null)) !== started) continue;
    held.splice(index, 1);
    break;
  }
  await started.stop();
}

/** Stops what is held, the last that was started first; whoever asks meanwhile waits for the same. */
export function endAll(): Promise<void> {
  ending ??= endEach();
  return ending;
}

async function endEach(): Promise<void> {
  for (let last = held.pop(); last; last = held.pop()) {
    try {
      const started = await last.starting.catch(() => null);
      await started?.stop();
    } catch (error) {
      console.error(error);
    }
  }
}
