import { watchAncestors } from './ancestors.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// One Ctrl-C may arrive several times: from the terminal and from each launcher.
const repeatedSignalMs = 1_000;

/** A request to end: a signal, or the end of a launcher. */
export interface Ending {
  /** Resolves to the reason. */
  requested: Promise<string>;
  /** Aborted at the same time. */
  signal: AbortSignal;
  /** Registers an action that a second signal runs at once. */
  onForced(action: () => void): void;
  dispose(): void;
}

/** Listens for requests to end this process. */
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
