import { expect, test } from 'vitest';
import { z } from 'zod';
import { deprecationHeaders, deprecationText, endpoint, ok } from './index.ts';
import { operationObject } from '../scripts/openapi/document.ts';

const madeUp = (deprecated: { since: string; sunset?: string; use?: string }) =>
  endpoint({
    method: 'GET',
    path: '/api/made-up',
    summary: 'Made up',
    access: { kind: 'public' },
    success: ok('Found', z.object({})),
    deprecated,
  });

const whole = { since: '2027-01-31', sunset: '2027-12-31', use: 'tasks.list' };

test('headers are as the RFCs write them', () => {
  expect(deprecationHeaders(whole)).toEqual({
    deprecation: '@1801353600',
    sunset: 'Fri, 31 Dec 2027 00:00:00 GMT',
  });
  expect(deprecationHeaders({ since: '2027-01-31' })).toEqual({ deprecation: '@1801353600' });
});

test.each([
  [{ since: 'soon' }, 'Not a day: soon'],
  [{ since: '2027-02-31' }, 'Not a day: 2027-02-31'],
  [{ since: '2027-01' }, 'Not a day: 2027-01'],
  [{ since: '2027-01-01', sunset: 'never' }, 'Not a day: never'],
  [{ since: '2027-01-01', sunset: '2027-06-29' }, 'less than 180 days after 2027-01-01'],
  [{ since: '2027-01-01', sunset: '2026-01-01' }, 'less than 180 days after 2027-01-01'],
])('%j can not be declared', (deprecated, message) => {
  expect(() => madeUp(deprecated)).toThrow(message);
});

test('180 days are enough', () => {
  const { metadata } = madeUp({ since: '2027-01-01', sunset: '2027-06-30' });
  expect(metadata.deprecated).toEqual({ since: '2027-01-01', sunset: '2027-06-30' });
});

test('the OpenAPI document marks the operation, and says what to use', () => {
  // Any id will do: the document takes its group from it.
  const described = operationObject({ id: 'tasks.list', endpoint: madeUp(whole) });
  expect(described.deprecated).toBe(true);
  expect(described.description).toContain(`**Deprecated:** ${deprecationText(whole)}`);
  expect(deprecationText(whole)).toBe('Since 2027-01-31; ends on 2027-12-31; use `tasks.list`.');
});
