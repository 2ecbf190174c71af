import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@atelier/client';

/** Maximum `Retry-After` to wait for, in milliseconds. */
const maxRetryAfterMs = 300_000;

/** Many small files reach the limit of requests: repeats a request after the time that the service says. */
export async function withinLimit<Result>(request: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      const waitMs = Number(error.headers.get('retry-after')) * 1000;
      if (!(waitMs > 0 && waitMs <= maxRetryAfterMs)) throw error;
      await delay(waitMs);
    }
  }
}
