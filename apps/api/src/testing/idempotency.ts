import { expect } from 'vitest';
import type { TestResponse } from './api.ts';

/** Expects a response that was stored for an `Idempotency-Key` to be the first one, byte for byte. */
export function expectReplay(response: TestResponse, first: TestResponse): void {
  expect([response.status, response.text]).toEqual([first.status, first.text]);
  for (const name of ['etag', 'content-type', 'retry-after']) {
    expect(response.headers.get(name), name).toBe(first.headers.get(name));
  }
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(response.headers.get('idempotency-replayed')).toBe('true');
  expect(response.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
}

/**
 * Sends a request that creates something 20 times at once under one key. Expects one to be executed; all others get its response,
 * or 409 for now.
 *
 * @returns the executed one
 */
export async function expectOneOf20(request: () => Promise<TestResponse>): Promise<TestResponse> {
  const responses = await Promise.all(Array.from({ length: 20 }, request));
  const [first, ...more] = responses.filter(
    ({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'),
  );
  if (!first) throw new Error('none of the requests was executed');
  expect(more).toEqual([]);
  for (const { status, headers, text, body } of responses) {
    if (status === 201) expect(text).toBe(first.text);
    else {
      expect([status, body.code]).toEqual([409, 'idempotency_in_flight']);
      expect(headers.get('retry-after')).toBe('1');
    }
  }
  return first;
}
