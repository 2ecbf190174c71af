import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Running {
  stop(): unknown;
}

/** Everything that the run has started, in order. */
const tracked: { readonly starting: Promise<Running> }[] = [];
let isStoppedBySignals = false;
let hasEnded = false;
let stopping: Promise<void> | null = null;

function note(starting: Promise<Running>): void {
  if (!isStoppedBySignals) stopOnSignals();
  tracked.push({ starting });
}

/** On a signal, stops everything that is tracked and then exits. */
function stopOnSignals(): void {
  isStoppedBySignals = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      hasEnded = true;
      void stopAll().finally(() => process.exit(1));
    });
  }
}

/**
 * Makes a folder for a run, which ends with `stopAll`, also on a signal. For the beginning: what is tracked last is stopped first.
 *
 * @returns its path, in the folder of the system for temporary files
 */
export function temporaryDirectory(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `atelier-${name}-`));
  const stop = () => rmSync(directory, { recursive: true, force: true });
  note(Promise.resolve({ stop }));
  return directory;
}

/**
 * Waits for a start and stops what was started at the end of the run, even if that comes first. Never settles once a signal
 * has ended the run.
 */
export async function track<Started extends Running>(
  starting: Started | Promise<Started>,
): Promise<Started> {
  note(Promise.resolve(starting));
  const started = await starting;
  // An error would end the process before everything is stopped.
  return hasEnded ? new Promise<never>(() => {}) : started;
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
