import { useState } from 'react';

/**
 * Returns the idempotency key of a request: the same for the same body, so that sending a form again after a lost
 * response gets the response of the first time.
 */
export function useIdempotencyKey(): (body: unknown) => string {
  const [keyOf] = useState(newIdempotencyKeys);
  return keyOf;
}

/** Like `useIdempotencyKey`, for what outlives its form. */
export function newIdempotencyKeys(): (body: unknown) => string {
  let last = { body: '', key: '' };
  return (body) => {
    const text = JSON.stringify(body);
    if (last.body !== text) last = { body: text, key: crypto.randomUUID() };
    return last.key;
  };
}
