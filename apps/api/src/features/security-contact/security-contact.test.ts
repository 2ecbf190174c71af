import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { send, startTestApi, testEnvironment, type TestApi } from '../../testing/api.ts';

let api: TestApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

const path = '/.well-known/security.txt';

test('a configured contact is published with an expiry within a year, in the form of RFC 9116', async () => {
  api = await startTestApi({
    SECURITY_CONTACT: 'mailto:security@example.com, https://example.com/report',
    SECURITY_POLICY_URL: 'https://example.com/policy',
  });
  const response = await send(api, path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const fields = response.text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/: (.*)/s).slice(0, 2));
  const expires = fields.find(([name]) => name === 'Expires')?.[1] ?? '';
  expect(fields).toEqual([
    ['Contact', 'mailto:security@example.com'],
    ['Contact', 'https://example.com/report'],
    ['Expires', expires],
    ['Canonical', `https://api.example.com${path}`],
    ['Policy', 'https://example.com/policy'],
    ['Preferred-Languages', 'en'],
  ]);
  const daysLeft = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(daysLeft).toBeGreaterThan(178);
  expect(daysLeft).toBeLessThan(365);
});

test('without a contact the file is a 404', async () => {
  api = await startTestApi();
  const response = await send(api, path);
  expect([response.status, response.body.code]).toEqual([404, 'route_not_found']);
});

test.each([
  'security@example.com',
  'javascript:alert(1)',
  'mailto:',
  'mailto:a b',
  'https://x,ftp:y',
])('the service does not start with %j as its contact', (contact) => {
  const environment = { ...testEnvironment('postgres://localhost/x'), SECURITY_CONTACT: contact };
  expect(() => readConfig(environment)).toThrow(/SECURITY_CONTACT is malformed/);
});
