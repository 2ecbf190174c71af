import { watchAncestors } from './ancestors.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// One Ctrl-C arrives more than once: from the terminal and from the programs in between.
const repeatedSignalMs = 1_000;

/** The wish to end: by a signal, or because whoever started this is gone. */
export interface Ending {
  /** Settles with the reason. */
  requested: Promise<string>;
  /** Aborted at the same moment. */
  signal: AbortSignal;
  /** What to do at once when a second signal says that waiting is over. */
  onForced(action: () => void): void;
  dispose(): void;
}

/** Listens for everything that asks this process to end. */
export function listenForEnding(): Ending {
  const controller = new AbortController();
  const actions: (() => void)[] = [];
  const { promise: requested, resolve } = Promise.withResolvers<string>();
  let firstSignalAt: number | undefined;
  const request = (reason: string): void => {
    resolve(reason);
    controller.abort();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    firstSignalAt ??= now;
    if (!controller.signal.aborted) return request(signal);
    if (now - firstSignalAt < repeatedSignalMs) return;
    for (const action of actions) action();
    process.exit(130);
  };
  for (const signal of signals) process.on(signal, onSignal);
  const stopWatching = watchAncestors(() => request('the parent process is gone'));
  return {
    requested,
    signal: controller.signal,
    onForced: (action) => void actions.push(action),
    dispose: () => {
      stopWatching();
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
