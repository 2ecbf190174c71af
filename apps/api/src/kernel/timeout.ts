const sliceMs = 100;

/**
 * Waits for work, but not longer than a time. The work itself continues.
 *
 * The time is counted in slices: if the event loop is late, that delay is this process's own, and doesn't count.
 *
 * @param tooLate - the error when the time is over
 */
export async function withTimeout<Result>(
  ms: number,
  work: Promise<Result>,
  tooLate: () => Error,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  let left = Math.ceil(ms / sliceMs);
  const timer = setInterval(() => {
    left -= 1;
    if (left <= 0) late.reject(tooLate());
  }, sliceMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearInterval(timer);
  }
}
