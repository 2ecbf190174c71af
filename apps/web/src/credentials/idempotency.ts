import { ApiError } from '@atelier/client';
import { useState } from 'react';

type IdempotentSend = <Result>(
  body: unknown,
  request: (idempotencyKey: string) => Promise<Result>,
) => Promise<Result>;

/** Returns what sends the request of a form; see `newIdempotentSend`. */
export function useIdempotentSend(): IdempotentSend {
  const [send] = useState(newIdempotentSend);
  return send;
}

/**
 * Returns what sends a request under an idempotency key: the same for the same body, so that sending it again after a lost
 * response gets the response of the first time. A conflict, such as a limit that is reached, ends the key: the service
 * would repeat it, although the next attempt may succeed.
 */
export function newIdempotentSend(): IdempotentSend {
  let keyOf = newIdempotencyKeys();
  return async (body, request) => {
    try {
      return await request(keyOf(body));
    } catch (error) {
      if (isConflict(error)) keyOf = newIdempotencyKeys();
      throw error;
    }
  };
}

function isConflict(error: unknown): boolean {
  // One in flight may succeed yet.
  return (
    error instanceof ApiError && error.status === 409 && error.code !== 'idempotency_in_flight'
  );
}

/** Returns the idempotency key of a request: the same for the same body. */
export function newIdempotencyKeys(): (body: unknown) => string {
  let last = { body: '', key: '' };
  return (body) => {
    const text = JSON.stringify(body);
    if (last.body !== text) last = { body: text, key: crypto.randomUUID() };
    return last.key;
  };
}
