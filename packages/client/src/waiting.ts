/** Settles like the promise, or rejects with the signal's reason. */
export function orAborted<T>(promise: Promise<T>, signal?: AbortSignal | null): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Waits for some milliseconds, or rejects with the signal's reason. */
export function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return orAborted(slept, signal).finally(() => clearTimeout(timer));
}

/** Draws the milliseconds before another attempt: random up to a bound that doubles, at most 8 s. */
export function backoffMs(attempt: number): number {
  return Math.random() * Math.min(8000, 250 * 2 ** attempt);
}

/** Whether another attempt may succeed after this status; 0 = no response. */
export function isTransient(status: number): boolean {
  return [0, 408, 429, 502, 503, 504].includes(status);
}

/** Creates 128 random bits in base64. `crypto.randomUUID` is missing on plain HTTP, and has fewer. */
export function randomKey(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
}
