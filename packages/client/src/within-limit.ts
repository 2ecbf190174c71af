import { ApiError } from './errors.ts';
import { sleep } from './waiting.ts';

/** Maximum `Retry-After` to wait for, in milliseconds. */
const maxRetryAfterMs = 300_000;

/**
 * Many small files reach the limit of requests: repeats a request after the time that the service says, up to 5 minutes.
 *
 * @throws the error of the request, if it isn't a limit of requests, and the reason of the signal
 */
export async function withinLimit<Result>(
  request: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      const waitMs = Number(error.headers.get('retry-after')) * 1000;
      if (!(waitMs > 0 && waitMs <= maxRetryAfterMs)) throw error;
      await sleep(waitMs, signal);
    }
  }
}
