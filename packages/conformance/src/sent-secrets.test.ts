import { expect, test } from 'vitest';
import { violationsOf } from './response-rules.ts';
import { secretsIn, withoutSecrets } from './sent-secrets.ts';

const password = 'ab"cd\\"secret\\';
const body = JSON.stringify({
  email: 'ada@example.com',
  password,
  newPassword: 'next one',
  verifier: 'proof of sign-in',
  device: 'a "quoted" name',
});

test('a body is shown without its secrets, also with quotes in them', () => {
  expect(withoutSecrets(body)).toBe(
    '{"email":"ada@example.com","password":"…","newPassword":"…","verifier":"…","device":"a \\"quoted\\" name"}',
  );
  expect(secretsIn(body)).toEqual([password, 'next one', 'proof of sign-in']);
});

test.each([password, 'next one'])('an error that repeats the secret %s is found', (secret) => {
  const json = { message: `Wrong: ${secret}`, code: 'invalid_credentials' };
  const violations = violationsOf({
    request: {
      operation: 'auth.login',
      method: 'POST',
      path: '/api/auth/login',
      headers: {},
      body,
      untilEvent: '',
    },
    status: 401,
    headers: new Headers(),
    text: JSON.stringify(json),
    json,
  });
  const leaks = violations.filter(({ rule }) => rule === 'response.no-secret');
  expect(leaks.map(({ expected }) => expected)).toEqual(['an error that does not repeat a secret']);
});
