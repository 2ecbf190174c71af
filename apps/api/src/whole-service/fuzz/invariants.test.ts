import { describe, expect, test } from 'vitest';
import { brokenInvariants } from './invariants.ts';
import type { WireResponse } from './wire.ts';

const body = { message: 'Not found', code: 'not_found', requestId: 'req_1' };
const sound: WireResponse = {
  status: 404,
  headers: { 'x-request-id': 'req_1', 'x-content-type-options': 'nosniff' },
  text: JSON.stringify(body),
  failure: null,
};
const saying = (message: string): WireResponse => ({
  ...sound,
  text: JSON.stringify({ ...body, message }),
});

test('an error in the standard shape violates nothing', () => {
  expect(brokenInvariants({ method: 'GET' }, sound)).toEqual([]);
});

describe('the fuzzer notices', () => {
  const responses: [string, WireResponse, RegExp][] = [
    ['silence', { ...sound, failure: 'socket hang up' }, /no response/],
    ['a 5xx', { ...sound, status: 500 }, /status 500/],
    ['text', { ...sound, text: 'Not found' }, /no JSON/],
    ['another shape', { ...sound, text: '{"error":"x"}' }, /another shape/],
    ['a field more', { ...sound, text: JSON.stringify({ ...body, stack: 'x' }) }, /another shape/],
    ['a status of another code', { ...sound, status: 400 }, /not_found with status 400/],
    ['no id', { ...sound, headers: { 'x-content-type-options': 'nosniff' } }, /x-request-id/],
    [
      'an injected header',
      { ...sound, headers: { ...sound.headers, 'x-injected': 'y' } },
      /inject/,
    ],
    ['a stack', saying('at handle (/srv/x.js:1:2)'), /leaks/],
    ['a statement', saying('Failed query: select "id" from "users"'), /leaks/],
    ['a path', saying('ENOENT: /home/atelier/x'), /leaks/],
    ['a defect', saying('Cannot read properties of undefined'), /leaks/],
  ];

  test.each(responses)('%s', (_, response, broken) => {
    expect(brokenInvariants({ method: 'GET' }, response)).toContainEqual(
      expect.stringMatching(broken),
    );
  });
});
