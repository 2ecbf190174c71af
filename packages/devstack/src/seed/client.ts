import { createClient, type Client } from '@atelier/client';

/** Creates a client whose calls reject with the signal's reason once it is aborted. */
export function clientUntil(signal: AbortSignal, baseUrl: string): Client {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  // It may reject while no call waits.
  aborted.catch(() => undefined);
  return createClient({
    baseUrl,
    middleware: [
      (_attempt, next) => {
        signal.throwIfAborted();
        return Promise.race([next(), aborted]);
      },
    ],
  });
}
