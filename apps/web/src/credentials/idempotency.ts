import { useRef } from 'react';

/**
 * Returns the idempotency key of a request: the same for the same body, so that sending a form again after a lost
 * response gets the response of the first time.
 */
export function useIdempotencyKey(): (body: unknown) => string {
  const last = useRef({ body: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
