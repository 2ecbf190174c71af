import { expect, test } from 'vitest';
import { isPage } from '../../worker/paths.ts';

test.each([
  '/',
  '/login',
  '/projects/0198-x',
  '/invitations/abc.def',
  '/nothing/at/all',
  '/docsy',
  '/shares',
])('without a network, %s opens the app', (path) => {
  expect(isPage(path)).toBe(true);
});

test.each([
  '/api',
  '/API/auth/user',
  '/s/one',
  '/health/ready',
  '/docs',
  '/docs/nothing',
  '/openapi.json',
  '/share',
  '/worker.js',
  '/icon.svg',
  '/favicon.ico',
  '/_app/index-a1B2.js',
  '/_app/',
])('%s is no page of the app', (path) => {
  expect(isPage(path)).toBe(false);
});
