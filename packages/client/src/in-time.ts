/** A connection that sends nothing for this long is dead. The operating system may notice only after a quarter of an hour. */
export const maxSilenceMs = 60_000;

/**
 * Settles like the promise of a connection, or rejects after too long a silence.
 *
 * @param end - closes the connection
 */
export function inTime<T>(promise: Promise<T>, end: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TypeError(`the storage was silent for ${maxSilenceMs / 1000} s`));
      end();
    }, maxSilenceMs);
  });
  return Promise.race([promise, silence]).finally(() => clearTimeout(timer));
}
